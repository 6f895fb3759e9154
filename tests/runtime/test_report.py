"""The report: a table, a self-contained page and JSON that say the same and show texts as text."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import attrs
import pytest
from corridor import LEFT, NARROW, RIGHT, SILENT, STRANGE, CorridorStage, verify_in
from rich.console import Console

from skillsandbox.runtime import report
from skillsandbox.runtime.builder import Building
from skillsandbox.runtime.proposer import Declined
from skillsandbox.runtime.results import PairedRun, Run, Settings, SkillResult, Verification
from skillsandbox.runtime.rollout import Step, Trajectory
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Encounter

GAMMA = Fraction("0.95")
ABSENT = "\N{EN DASH}"
HOSTILE = "<script>alert(1)</script> {{ 7*7 }} {% raw %} [red]x[/red] &amp; \x1b[31m \u202e \ud800 \"'"


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Verification:
    return verify_in(tmp_path_factory.mktemp("run"), CorridorStage())


def hostile() -> Verification:
    """Return a verification in which every text that comes from outside is hostile."""
    step = Step(HOSTILE, HOSTILE, HOSTILE + " ", HOSTILE, True, True)
    run = Run(0, Trajectory((step,), True, HOSTILE, 1.0), (Encounter(HOSTILE, True),))
    skill = Skill(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    scenario = BuiltScenario(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), HOSTILE)
    pair = PairedRun(Candidate(HOSTILE, HOSTILE, 0), scenario, run, run)
    results = (
        SkillResult(skill, Building((), None), (pair,), GAMMA),
        SkillResult(skill, Building((), Declined(HOSTILE)), (), GAMMA),
    )
    return Verification({"environment": HOSTILE}, Settings(), results)


def shown(verification: Verification) -> str:
    console = Console(file=StringIO(), width=80, force_terminal=True, color_system="standard")
    console.print(report.table(verification))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what a page refers to and shows."""

    VOID = frozenset({"meta", "br", "col"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def test_the_table_has_a_row_for_every_skill(verified: Verification) -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown(verified))
    rows = {
        cells[0]: cells[1:] for line in plain.splitlines() if (cells := re.split(r"\s{2,}", line.strip()))
    }
    assert rows["right"] == ["+0.1807", "Keep", "1.00", "0.00", "+4.0", "5/5"]
    assert rows["silent"] == ["0.0000", "Reject", ABSENT, ABSENT, ABSENT, "0/5"]
    assert rows["narrow"] == [ABSENT, "Not admitted", ABSENT, ABSENT, ABSENT, ABSENT]
    assert rows["strange"][:2] == [ABSENT, "No program"]
    assert "(c)" in rows
    assert all(len(line) <= 80 for line in plain.splitlines())


def test_ids_of_several_sets_are_shown_whole(verified: Verification) -> None:
    first, *others = verified.results
    moved = attrs.evolve(first, skill=attrs.evolve(first.skill, id="other/right"))
    plain = shown(attrs.evolve(verified, results=(moved, *others)))
    assert "other/right" in plain
    assert "c/left" in plain


def test_skills_without_evidence_are_explained_below_the_table(verified: Verification) -> None:
    lines = [line.plain for line in report.without_evidence(verified)]
    assert [line.split(":")[0] for line in lines] == [NARROW.id, STRANGE.id]


def test_the_page_is_well_formed_and_needs_nothing_else(verified: Verification) -> None:
    page = Page(report.html(verified))
    assert "script" not in page.tags
    assert "link" not in page.tags
    references = [
        value for name, value in page.attributes if name in ("href", "src", "action", "srcset", "data")
    ]
    assert references
    assert all(reference.startswith("#") and reference[1:] in page.ids for reference in references)
    assert "url(" not in report.html(verified)
    assert "@import" not in report.html(verified)
    assert len(set(page.ids)) == len(page.ids)


def test_the_page_shows_the_paired_runs(verified: Verification) -> None:
    text = Page(report.html(verified)).text
    for expected in (
        "Right first",
        RIGHT.principle,
        "By c/right, right first.",
        "wake up",
        "counted",
    ):
        assert expected in text
    assert "there are no dragons" in text
    assert "C1: too narrow" in text


def test_the_plot_ranks_the_skills_that_have_evidence(verified: Verification) -> None:
    drawn = report.plot(verified)
    assert drawn is not None
    assert [row.skill_id for row in drawn.rows] == [RIGHT.id, SILENT.id, LEFT.id]
    assert drawn.rows[0].r.x > drawn.zero == drawn.rows[1].r.x > drawn.rows[2].r.x
    assert all(len(row.scenarios) == 5 for row in drawn.rows)
    assert all(
        drawn.ticks[0].x <= mark.x <= drawn.ticks[-1].x for row in drawn.rows for mark in row.scenarios
    )
    assert [tick.label for tick in drawn.ticks] == [
        "-0.4",
        "-0.3",
        "-0.2",
        "-0.1",
        "0",
        "0.1",
        "0.2",
        "0.3",
        "0.4",
    ]


def test_a_report_without_any_evidence_has_no_plot(verified: Verification) -> None:
    bare = attrs.evolve(verified, results=verified.results[3:])
    assert report.plot(bare) is None
    assert "svg" not in Page(report.html(bare)).tags


def test_rows_hold_every_step_once_and_aligned_ones_side_by_side(verified: Verification) -> None:
    for result in verified.results:
        for pair in result.pairs:
            rows = list(report.side_by_side(pair))
            for name, run in (("plus", pair.plus), ("minus", pair.minus)):
                sides = [getattr(row, name) for row in rows if getattr(row, name)]
                assert [side.number for side in sides] == list(range(len(run.trajectory.steps)))
                assert [side.step for side in sides] == list(run.trajectory.steps)
            aligned = [
                (row.plus.number, row.minus.number) for row in rows if row.aligned and row.plus and row.minus
            ]
            assert tuple(aligned) == pair.comparison.aligned
            assert [row.kept for row in rows if row.kept] == list(pair.comparison.kept)


def test_json_says_the_same(verified: Verification) -> None:
    data = json.loads(json.dumps(report.data(verified)))
    first = data["skills"][0]
    assert first["verdict"] == "keep"
    # By hand: (g^2 - g^6) + (g^2 - g^8) + (g^2 - g^10) + (g^3 - g^7)/2 + (g^3 - g^9)/2, over 5, at g = 0.95.
    assert first["R"] == pytest.approx(0.180666, abs=1e-6)
    assert set(first["rescored"]) == {"0.9", "0.95", "0.99"}
    pair = next(pair for pair in first["scenarios"] if pair["digest"] == "4-3")
    assert pair["kept"] == [
        {
            "executed": True,
            "plus": {"success": True, "step": 0, "length": 2},
            "minus": {"success": True, "step": 0, "length": 6},
            "gain": pytest.approx(0.95**2 - 0.95**6),
        }
    ]
    assert pair["with_skill"]["trajectory"]["steps"][0]["raw"] == "right"
    assert data["skills"][3]["candidates"][3]["complaints"] == ["C1: too narrow"]


def test_the_same_evidence_gives_the_same_bytes(tmp_path: Path) -> None:
    for folder in (tmp_path / "a", tmp_path / "b"):
        verify_in(folder, CorridorStage())
    for name in ("report.html", "report.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_hostile_texts_are_shown_as_text_on_the_page() -> None:
    html = report.html(hostile())
    page = Page(html)
    assert "script" not in page.tags
    assert (
        "<script>alert(1)</script> {{ 7*7 }} {% raw %} [red]x[/red] &amp; ␛[31m \ufffd \ufffd \"'"
        in page.text
    )
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", html)
    html.encode("utf-8")


def test_hostile_texts_neither_steer_the_terminal_nor_are_markup() -> None:
    output = shown(hostile())
    assert "\x1b[31m \ufffd" not in output
    assert "[red]x" in re.sub(r"\x1b\[[0-9;]*m|\s", "", output)


def test_hostile_texts_survive_in_json(tmp_path: Path) -> None:
    _, path = report.write_report(hostile(), tmp_path)
    assert json.loads(path.read_text())["skills"][0]["condition"] == HOSTILE


def test_a_report_that_cannot_be_written_leaves_the_old_one(verified: Verification, tmp_path: Path) -> None:
    page, _ = report.write_report(verified, tmp_path)
    before = page.read_bytes()
    unwritable: Any = {"environment": object()}
    with pytest.raises(TypeError):
        report.write_report(attrs.evolve(verified, identity=unwritable), tmp_path)
    assert page.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ABSENT),
        (Fraction(1, 3), "+0.3333"),
        (Fraction(-1, 3), "-0.3333"),
        (Fraction(-1, 10**6), "0.0000"),
    ],
)
def test_numbers_carry_a_sign_unless_they_round_to_zero(value: Fraction | None, text: str) -> None:
    assert report.signed(value) == text
