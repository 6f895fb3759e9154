"""Every kind of diagnostic: some program raises it, at the right place, and it is documented."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillsandbox.compiler import errors
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Diagnostic, Source, Span
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.errors import all_kinds, explanation, reference
from skillsandbox.compiler.lowerer import replay
from skillsandbox.compiler.parser import decode
from skillsandbox.compiler.rendering import apply_fixes
from skillsandbox.envs.alfworld import environment
from skillsandbox.envs.alfworld.environment import Alfworld
from skillsandbox.envs.webshop import environment as webshop

ROOT = Path(__file__).parents[2]
FAULTY = sorted((Path(__file__).parent / "faulty").glob("*.scn"))
KINDS = all_kinds()
_EXPECTATION = re.compile(r"# (SCN\d{3}) (\d+):(\d+)\n")
SOUND = """scenario apple_on_the_table for alfworld {
  condition "The object is not where the task asks for it." arises in rollout
  let ?food: Object where ?food.type == Apple
  let ?start: Receptacle where ?start.type == DiningTable
  let ?dest: Receptacle where ?dest.type == CounterTop
  goal put ?food.type in ?dest.type
  say "put an apple on the counter"
  build { remove every ?food.type except ?food place ?food on ?start }
  require { on_table: ?food on ?start }
  encounter { carried: eventually agent holds ?food }
  novel in scene
}
"""


def compiled(text: str, opened: Callable[[], Any] = environment, novelty: Novelty | None = None) -> Any:
    environments = {"alfworld": opened, "webshop": webshop}
    return compile_source(Source("test", text), environments, 0, novelty or Novelty())


def said_of(path: Path) -> list[tuple[str, int, int]]:
    """Return the code, line and column of everything that is said of a file."""
    source = Source(path.name, path.read_text("utf-8"))
    environments = {"alfworld": environment, "webshop": webshop}
    found = compile_source(source, environments, seed=0).diagnostics
    return [(one.code, *source.position(one.span.start)) for one in found]


def expected_of(path: Path) -> list[tuple[str, int, int]]:
    """Return what the first lines of a file say about the rest."""
    found = _EXPECTATION.findall(path.read_text("utf-8"))
    return [(code, int(line), int(column)) for code, line, column in found]


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_a_faulty_program_is_diagnosed_as_its_first_lines_say(path: Path) -> None:
    expected = expected_of(path)
    assert path.stem[:6] in {code for code, _, _ in expected}
    assert said_of(path) == expected


class NoTask(Alfworld):
    """ALFWorld, if it could not pose any task."""

    def task(self, configuration: Any, goal: Any, instruction: str) -> Any:
        raise Refused("there is no such task")


class OtherEngine(Alfworld):
    """ALFWorld, if the official engine did not accept what is planned."""

    def task(self, configuration: Any, goal: Any, instruction: str) -> Any:
        class Deaf:
            def replay(self, commands: Any) -> None:
                raise Refused("nothing happens")

        return Deaf()


def not_a_text() -> tuple[Diagnostic, ...]:
    refusal = decode(b"\x80\x81", "test")
    assert isinstance(refusal, Diagnostic)
    return (refusal,)


def nothing_novel() -> tuple[Diagnostic, ...]:
    text = SOUND.replace("novel in scene", "novel in ?food.type")
    found: tuple[Diagnostic, ...] = compiled(text, novelty=Novelty(siblings=(("Apple",),))).diagnostics
    return found


def disagreement() -> tuple[Diagnostic, ...]:
    (scenario,) = compiled(SOUND).scenarios
    found = replay(scenario, OtherEngine(), Span(0, 8))
    assert found is not None
    return (found,)


ELSEWHERE: dict[str, Callable[[], tuple[Diagnostic, ...]]] = {
    "SCN001": not_a_text,
    "SCN002": lambda: compiled(" " * 1_000_001).diagnostics,
    "SCN303": nothing_novel,
    "SCN409": lambda: compiled(SOUND, NoTask).diagnostics,
    "SCN410": disagreement,
}
"""What no file shows: other inputs than a program, or an environment that is unlike ours."""


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_what_no_file_shows_is_diagnosed_too(code: str) -> None:
    (found,) = ELSEWHERE[code]()
    assert found.code == code


def test_every_code_is_raised_by_some_program() -> None:
    shown = {code for path in FAULTY for code, _, _ in expected_of(path)}
    assert shown | set(ELSEWHERE) == set(KINDS)


def test_a_code_names_one_kind() -> None:
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, Diagnostic)]
    assert len(KINDS) == len([kind for kind in kinds if kind is not Diagnostic])


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_kind_is_explained(kind: type[Diagnostic]) -> None:
    text = explanation(kind)
    assert text.startswith(f"{kind.code} (")
    summary, _, rest = inspect.cleandoc(kind.__doc__ or "").partition("\n\n")
    assert summary.endswith(".")
    assert len(rest) > 60
    assert rest in text


def test_the_page_about_diagnostics_is_up_to_date() -> None:
    """To write it anew, print `errors.reference()`."""
    assert (ROOT / "docs" / "diagnostics.md").read_text("utf-8") == reference()


SAID = [(path, one) for path in FAULTY for one in compiled(path.read_text("utf-8")).diagnostics]


@pytest.mark.parametrize(("path", "one"), SAID, ids=[f"{path.stem}-{one.span.start}" for path, one in SAID])
def test_a_diagnostic_says_in_one_line_each_what_is_wrong_and_what_to_do(path: Path, one: Diagnostic) -> None:
    for text in (one.message, one.expected, one.found, *(note.text for note in one.notes)):
        assert text is None or (text and "\n" not in text and len(text) < 400)
    assert one.help or one.expected
    assert one.message[0].islower() or one.message[0] in "`0123456789"
    assert not one.message.endswith(".")


FIXES = [(path, one) for path, one in SAID if one.fix]


@pytest.mark.parametrize(("path", "one"), FIXES, ids=[f"{path.stem}-{one.span.start}" for path, one in FIXES])
def test_applying_a_fix_leaves_one_mistake_of_its_kind_less(path: Path, one: Diagnostic) -> None:
    text = path.read_text("utf-8")
    before, after = (
        [other.code for other in compiled(version).diagnostics].count(one.code)
        for version in (text, apply_fixes(text, [one]))
    )
    assert after < before


def test_the_sound_program_has_no_fault() -> None:
    assert compiled(SOUND).diagnostics == ()
    assert len(compiled(SOUND).scenarios) == 1
