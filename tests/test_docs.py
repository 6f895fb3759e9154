"""The reference of the language: every example does what it says, every table says what the code says."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from skillsandbox.compiler.checker import MOST_VARIABLES
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import (
    ANSWERS_TRIED,
    SEARCHES_TRIED,
    Compiled,
    compile_source,
    format_source,
)
from skillsandbox.compiler.environment import Environment
from skillsandbox.compiler.errors import all_kinds
from skillsandbox.compiler.interface import Interface, Role, Signature
from skillsandbox.compiler.parser import DEEPEST_BRACKETS, DEEPEST_TREE, LARGEST_SCENARIO, LARGEST_TEXT
from skillsandbox.compiler.rendering import to_data, to_terminal
from skillsandbox.envs.alfworld import environment
from skillsandbox.envs.webshop import environment as webshop
from skillsandbox.grammar.loader import SECTIONS

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "language.md").read_text("utf-8")
UNUSED = "SCN105"
ORDER = ("condition", "from", "let", "goal", "say", "build", "history", "require", "encounter", "novel")
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_INFO = re.compile(r"(?P<form>program|fragment)(?: (?P<outcome>refused|warns) (?P<code>SCN\d{3}))?")


@attrs.frozen
class Fence:
    """A fenced block of the page: what stands behind the opening ticks, its text, and its line."""

    info: str
    body: str
    line: int


def fences(text: str) -> list[Fence]:
    return [
        Fence(match["info"], match["body"], text.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(text)
    ]


README = (ROOT / "README.md").read_text("utf-8")
FENCES = fences(REFERENCE)
EXAMPLES = [fence for fence in FENCES if fence.info.split(" ")[0] == "scn"]
SHOP = "WebShop's vocabulary"
"""The chapter whose short examples stand in its own first program; others stand in the page's."""


def chapter(heading: str) -> str:
    """Return the text of a chapter, its heading left out."""
    _, _, rest = REFERENCE.partition(f"\n## {heading}\n")
    assert rest, f"the page has no chapter {heading!r}"
    return rest.partition("\n## ")[0]


def harness_of(fence: Fence) -> Fence:
    first = REFERENCE.count("\n", 0, REFERENCE.index(chapter(SHOP)))
    inside = range(first, first + chapter(SHOP).count("\n"))
    return next(one for one in EXAMPLES if (fence.line in inside) == (one.line in inside))


def installed() -> dict[str, Any]:
    def opened() -> Environment:
        return environment()

    return {"alfworld": opened, "webshop": webshop}


def sections(text: str) -> dict[str, str]:
    """Return the texts of sections by keyword, those of one keyword together; each starts a line."""
    parts = re.split(rf"^ {{0,2}}(?=(?:{'|'.join(ORDER)})\b)", text, flags=re.MULTILINE)
    found: dict[str, str] = {}
    for part in parts[1:]:
        keyword = part.split(maxsplit=1)[0]
        found[keyword] = found.get(keyword, "") + part
    return found


def in_harness(fragment: str, harness: str) -> str:
    """Return a program with a fragment's sections in place of its own, its `let`s added."""
    own, given = sections(harness.removesuffix("}\n")), sections(fragment)
    if "build" in given:
        own.pop("require")
    merged = own | given | {"let": own["let"] + given.get("let", "")}
    body = "".join(merged.get(keyword, "") for keyword in ORDER)
    head = re.search(r"for \w+ {", harness)
    assert head is not None
    return f"scenario example {head[0]}\n{body}\n}}\n"


def program_of(fence: Fence) -> str:
    return in_harness(fence.body, harness_of(fence).body) if "fragment" in fence.info else fence.body


def compiled(text: str) -> Compiled:
    return compile_source(Source("example.scn", text), installed(), seed=0)


@pytest.mark.parametrize("fence", EXAMPLES, ids=lambda fence: f"line {fence.line}: {fence.info}")
def test_an_example_does_what_it_says(fence: Fence) -> None:
    stated = _INFO.fullmatch(fence.info.removeprefix("scn "))
    assert stated is not None, "an example must say what it is"
    outcome = compiled(program_of(fence))
    found = [diagnostic.code for diagnostic in outcome.diagnostics]
    if stated["form"] == "fragment" and stated["code"] != UNUSED:
        found = [code for code in found if code != UNUSED]
    assert found == [stated["code"]] * (stated["code"] is not None)
    assert outcome.failed == (stated["outcome"] == "refused")
    assert len(outcome.scenarios) == (stated["code"] in (None, UNUSED))


AS_TYPED = "scn program refused SCN104"
"""The one example that stands as a person or a model may have typed it."""


@pytest.mark.parametrize(
    "fence",
    [fence for fence in EXAMPLES if fence.info != AS_TYPED],
    ids=lambda fence: f"line {fence.line}: {fence.info}",
)
def test_an_example_is_in_canonical_form(fence: Fence) -> None:
    formatted = format_source(Source("example.scn", program_of(fence)), installed())
    assert isinstance(formatted, str)
    if "program" in fence.info:
        assert formatted == fence.body
    remaining = iter(line.strip() for line in formatted.splitlines())
    for line in fence.body.splitlines():
        assert not line.strip() or line.strip() in remaining, f"not in this form or not in this order: {line}"


def rendered() -> Iterator[tuple[Fence, str]]:
    """Yield each rendering of a diagnostic on the page with the example that stands before it."""
    for fence in FENCES:
        if re.fullmatch(r"(text|json) SCN\d{3}", fence.info):
            yield fence, [example for example in EXAMPLES if example.line < fence.line][-1].body


@pytest.mark.parametrize(("fence", "text"), list(rendered()), ids=["text", "json"])
def test_a_diagnostic_is_shown_as_it_is_rendered(fence: Fence, text: str) -> None:
    source = Source("typo.scn", text)
    (diagnostic,) = compile_source(source, installed(), seed=0).diagnostics
    if fence.info.startswith("json"):
        assert json.loads(fence.body) == to_data(diagnostic, source)
    else:
        assert fence.body == to_terminal(diagnostic, source)


# The README


def block(info: str) -> str:
    """Return the README's only block with this behind its opening ticks."""
    (fence,) = [fence for fence in fences(README) if fence.info == info]
    return fence.body


def test_the_program_of_the_tour_is_the_one_that_new_writes() -> None:
    template = (
        (ROOT / "specs" / "alfworld" / "template.scn").read_text("utf-8").replace("my_scenario", "first", 1)
    )
    lines = [line for line in template.splitlines() if not line.strip().startswith("#")]
    assert block("scn program").splitlines() == lines


def test_the_mistake_of_the_tour_is_shown_as_it_is_rendered() -> None:
    source = Source("first.scn", block("scn program").replace("Drawer", "Drawr"))
    (diagnostic,) = compile_source(source, installed(), seed=0).diagnostics
    assert block("text check") == to_terminal(diagnostic, source)


def test_the_first_command_prints_what_the_readme_shows(tmp_path: Path) -> None:
    skills = Path("specs", "skills", "household.jsonl")
    (tmp_path / skills).parent.mkdir(parents=True)
    (tmp_path / skills).write_bytes((ROOT / skills).read_bytes())
    code = "from skillsandbox.runtime.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "verify", str(skills)],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "100", "SKILLSANDBOX_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.sub(r"household-[0-9a-f]+", "household-…", run.stdout) == block("text verify")
    assert "verifying in alfworld: its library is nearest to 6 of 7 skills" in run.stderr
    assert "six of these seven are nearest to ALFWorld's" in README


def test_the_readme_and_the_continuous_integration_install_alike() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    installs = re.findall(r"^pip install .*$", script, re.MULTILINE)
    assert len(installs) == 2
    assert [install for install in installs if install not in README] == []


# Tables


def under(heading: str) -> str:
    """Return the text from a heading up to the next of any level."""
    start = re.search(rf"^#+ {re.escape(heading)}\n", REFERENCE, re.MULTILINE)
    assert start is not None, f"the page has no heading {heading!r}"
    return re.split(r"^#+ ", REFERENCE[start.end() :], maxsplit=1, flags=re.MULTILINE)[0]


def table(heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading, without its head."""
    rows = re.findall(r"^\|(.*)\|$", under(heading), re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


@pytest.fixture(scope="module")
def interface() -> Interface:
    return environment().interface()


def written(signature: Signature) -> str:
    return "`" + re.sub(r"\{(\w+)\}", r"⟨\1⟩", signature.syntax) + "`"


def arguments(signature: Signature) -> str:
    return ", ".join(_arguments(signature))


def _arguments(signature: Signature) -> Iterator[str]:
    for parameter in signature.parameters:
        bounds = ""
        if parameter.range is not None:
            least, most = parameter.range
            bounds = f" ({least})" if least == most else f" ({least} to {most})"
        yield f"{parameter.name}: {parameter.type}{'…' if parameter.many else ''}{bounds}"


def needs(signature: Signature) -> str:
    return "; ".join(need.reason for need in signature.needs)


def known_from(is_data: bool) -> str:
    return "data" if is_data else "configuration"


def of_role(interface: Interface, role: Role) -> list[Signature]:
    return [signature for signature in interface.signatures if signature.role is role]


@pytest.mark.parametrize(
    ("heading", "role"),
    [("Bases", Role.BASE), ("Goals", Role.GOAL), ("Operations", Role.OPERATION), ("Actions", Role.ACTION)],
)
def test_what_takes_needs_is_listed_one_to_one(interface: Interface, heading: str, role: Role) -> None:
    expected = [[written(row), arguments(row), needs(row)] for row in of_role(interface, role)]
    assert [row[:3] for row in table(heading)] == expected


def test_relations_and_functions_are_listed_one_to_one(interface: Interface) -> None:
    expected = [
        [written(row), arguments(row), row.result, known_from(row.sql is not None)]
        for row in of_role(interface, Role.FUNCTION)
    ]
    assert [row[:4] for row in table("Relations and functions")] == expected


def test_events_are_listed_one_to_one(interface: Interface) -> None:
    expected = [[written(row), arguments(row)] for row in of_role(interface, Role.EVENT)]
    assert [row[:2] for row in table("Events")] == expected


def test_dimensions_are_listed_one_to_one(interface: Interface) -> None:
    expected = [[written(row), row.result] for row in of_role(interface, Role.DIMENSION)]
    assert [row[:2] for row in table("Dimensions")] == expected


def test_fields_are_listed_one_to_one(interface: Interface) -> None:
    expected = [
        [field.subject, f"`{field.name}`", field.result, known_from(field.column is not None)]
        for field in interface.fields
    ]
    assert [row[:4] for row in table("Fields")] == expected


def test_no_role_of_the_interface_is_left_out(interface: Interface) -> None:
    listed = {Role.BASE, Role.GOAL, Role.OPERATION, Role.ACTION, Role.FUNCTION, Role.EVENT, Role.DIMENSION}
    assert {signature.role for signature in interface.signatures} <= listed


def test_types_are_listed_with_the_number_of_their_values(interface: Interface) -> None:
    listed = {row[0]: row[2] for row in table("Types")}
    assert list(listed) == [type.name for type in interface.types]
    for type in interface.types:
        if type.values:
            assert listed[type.name] == str(len(type.values))
    scenes = environment().open_store().query("SELECT COUNT(*) FROM scene")
    assert listed["Scene"] == f"{scenes[0][0]} in the data"


def test_the_values_of_the_enumerations_are_listed_one_to_one(interface: Interface) -> None:
    paragraphs = re.findall(r"\*\*(\w+)\*\*: ([^*]+?)\n(?:\n|\Z)", under("Values of the enumerations") + "\n")
    listed = {name: tuple(re.split(r",\s+", values)) for name, values in paragraphs}
    assert listed == {type.name: type.values for type in interface.types if type.values}


# WebShop's tables


@pytest.fixture(scope="module")
def shop() -> Interface:
    return webshop().interface()


def known(is_data: bool, alterable: bool) -> str:
    return "both" if alterable else known_from(is_data)


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Catalogues", Role.BASE),
        ("Purchases", Role.GOAL),
        ("Edits", Role.OPERATION),
        ("What a shopper does", Role.ACTION),
    ],
)
def test_what_takes_needs_in_a_shop_is_listed_one_to_one(shop: Interface, heading: str, role: Role) -> None:
    expected = [[written(row), arguments(row), needs(row)] for row in of_role(shop, role)]
    assert [row[:3] for row in table(heading)] == expected


@pytest.mark.parametrize(("heading", "type"), [("Wishes", "Wish"), ("Differences", "Difference")])
def test_clauses_are_listed_one_to_one(shop: Interface, heading: str, type: str) -> None:
    clauses = [row for row in of_role(shop, Role.CLAUSE) if row.result == type]
    assert [row[:2] for row in table(heading)] == [[written(row), arguments(row)] for row in clauses]


def test_relations_and_functions_of_the_shop_are_listed_one_to_one(shop: Interface) -> None:
    expected = [
        [written(row), arguments(row), row.result, known(row.sql is not None, row.alterable)]
        for row in of_role(shop, Role.FUNCTION)
    ]
    assert [row[:4] for row in table("Relations and functions of the shop")] == expected


def test_events_of_the_shop_are_listed_one_to_one(shop: Interface) -> None:
    expected = [[written(row), arguments(row)] for row in of_role(shop, Role.EVENT)]
    assert [row[:2] for row in table("Events of the shop")] == expected


def test_fields_of_a_product_are_listed_one_to_one_with_the_units_of_what_is_measured(
    shop: Interface,
) -> None:
    listed = table("Fields of a product")
    expected = [
        [field.subject, f"`{field.name}`", field.result, known(field.column is not None, field.alterable)]
        for field in shop.fields
    ]
    assert [[*row[:3], row[4]] for row in listed] == expected
    assert all(row[3] for row in listed if row[2] in ("Money", "Int"))


def test_no_role_of_the_shop_s_interface_is_left_out(shop: Interface) -> None:
    listed = {Role.BASE, Role.GOAL, Role.OPERATION, Role.ACTION, Role.FUNCTION, Role.EVENT, Role.CLAUSE}
    assert {signature.role for signature in shop.signatures} <= listed


def test_the_shop_s_types_are_listed_with_the_number_of_their_values_and_words(shop: Interface) -> None:
    rows = {row[0]: row[2] for row in table("Types of the shop")}
    assert list(rows) == [type.name for type in shop.types]
    store = webshop().open_store()
    for type in shop.types:
        if source := type.table or type.words:
            ((count,),) = store.query(f"SELECT COUNT(DISTINCT {source.key}) FROM {source.name}")
            assert rows[type.name] == f"{count:,} in the data"
        else:
            assert rows[type.name] == (str(len(type.values)) if type.values else "")
    enumerations = re.findall(r"^\*\*(\w+)\*\*: (.+)$", under("Types of the shop"), re.MULTILINE)
    assert dict(enumerations) == {type.name: ", ".join(type.values) for type in shop.types if type.values}


def test_codes_are_listed_one_to_one() -> None:
    expected = [
        [code, str(kind.severity), kind.__name__, (inspect.getdoc(kind) or "").splitlines()[0]]
        for code, kind in all_kinds().items()
    ]
    assert table("Codes") == expected


def test_the_stated_limits_are_the_real_ones() -> None:
    text = " ".join(REFERENCE.split())
    assert f"at most {LARGEST_TEXT:,} characters" in text
    assert f"at most {LARGEST_SCENARIO:,} characters and {MOST_VARIABLES} variables" in text
    assert (
        f"nest at most {DEEPEST_BRACKETS} deep, and expressions, by whatever means, at most {DEEPEST_TREE}."
        in text
    )
    assert f"up to {ANSWERS_TRIED} of them" in text
    assert f"a plan or an encounter, {SEARCHES_TRIED}; then" in text
    assert f"of at most {environment().step_limit} actions" in text
    assert f"({webshop().step_limit} in WebShop" in text


def test_the_sections_come_in_the_order_of_the_grammar() -> None:
    headings = re.findall(r"^### (\w+)$", REFERENCE, re.MULTILINE)
    assert tuple(heading for heading in headings if heading in ORDER) == ORDER
    assert tuple("base" if keyword == "from" else keyword for keyword in ORDER) == SECTIONS


def test_the_marks_that_a_shop_s_wording_may_not_contain_are_listed_and_refused() -> None:
    marks = re.findall(r"`(\[.*?\])`", under("say").partition("WebShop's pages")[2])
    assert len(marks) == 5
    assert all(webshop().wording_fault(f"one {mark} two") for mark in marks)


def test_what_the_wording_may_not_contain_is_listed_and_refused() -> None:
    listed = re.search(r"They are refused:\s+((?:`.` ?)+)", under("say").replace("\n", " "))
    assert listed is not None
    characters = set(re.findall(r"`(.)`", listed[1]))
    refused = {chr(code) for code in range(32, 127) if environment().wording_fault(f"put {chr(code)} away")}
    assert characters == refused


# Links


def pages() -> Iterable[Path]:
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").glob("*.md"))


def anchor(heading: str) -> str:
    """Return the anchor that code hosts give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    text = _FENCE.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, fragment = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        if fragment:
            headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", linked.read_text("utf-8")), re.MULTILINE)
            assert fragment in map(anchor, headings), target
