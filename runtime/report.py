"""The report of a verification: a table for the terminal, a self-contained web page, and JSON.

All three say the same, hold no date and no path, and are the same bytes for the same evidence. Whatever
stands in skills, programs and runs is shown as text: it is never markup, a template or a terminal's
control sequence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import zip_longest
from math import ceil, floor, log10
from pathlib import Path

import attrs
import jinja2
from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from skillsandbox.compiler.files import write_whole
from skillsandbox.runtime.metrics import ArmFigures, Estimate, arm_figures
from skillsandbox.runtime.models.accounting import Tally
from skillsandbox.runtime.models.request import Usage
from skillsandbox.runtime.programs import counted
from skillsandbox.runtime.report_data import data
from skillsandbox.runtime.results import PairedRun, Run, SkillResult, Verification
from skillsandbox.runtime.rollout import Step
from skillsandbox.runtime.scoring import KeptPair, Verdict
from skillsandbox.runtime.stage import BuiltScenario

VERDICT_WORDS: Mapping[Verdict, str] = {
    Verdict.KEEP: "Keep",
    Verdict.REJECT: "Reject",
    Verdict.TOO_FEW: "Not admitted",
    Verdict.NO_PROGRAM: "No program",
}
_STYLES = {
    Verdict.KEEP: "green",
    Verdict.REJECT: "red",
    Verdict.TOO_FEW: "yellow",
    Verdict.NO_PROGRAM: "yellow",
}

_BY_RULE = "R by rule"
COLUMNS: Mapping[str, str] = {
    "Skill": "The skill's id.",
    "R": "Reliability: the mean of e·Δu over a scenario's counted steps, 0 without any, then over scenarios.",
    _BY_RULE: "R without the judge: e is 1 where the rationale cites the skill and the action is admissible.",
    "Verdict": "Keep if R is above 0, otherwise Reject. Not admitted: fewer than five scenarios. "
    "No program: none matches the condition. "
    "Flips: another discount gives another verdict.",
    "Executability": "The share of counted steps whose action was admissible (mean of e).",
    "Utility": "Solved with the skill less solved without it, as a mean over counted steps (r⁺ less r⁻).",
    "Efficiency": "Actions saved from a counted step on, as a mean over those where both runs solved it.",
    "Exercised": "In how many scenarios the skill was used at a step that both runs share.",
}
"""The columns of the table, and what each means."""

_JUDGED_EXECUTABILITY = "The share of counted steps whose action carries out the principle (mean of e)."
_BROKEN = {
    _BY_RULE: "R by\nrule",
    "Executability": "Execut-\nability",
    "Efficiency": "Effi-\nciency",
    "Exercised": "Exer-\ncised",
}
_ABSENT = "\N{EN DASH}"
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_DELETE = {0x7F: 0x2421}
_C1_AND_SURROGATES = dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000)], 0xFFFD)
_DIRECTION_OVERRIDES = dict.fromkeys(
    [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD
)
_VISIBLE = {**_CONTROLS, **_DELETE, **_C1_AND_SURROGATES, **_DIRECTION_OVERRIDES}


def visible(text: str) -> str:
    """Return a text with a visible sign for each character that would steer a terminal or reorder a line."""
    return text.translate(_VISIBLE)


@attrs.frozen
class Side:
    """A step as one side of a row: its number from 0, and the step."""

    number: int
    step: Step


@attrs.frozen
class Row:
    """A row of two runs side by side; only in an aligned row do both sides belong together."""

    plus: Side | None
    minus: Side | None
    aligned: bool
    kept: KeptPair | None


def side_by_side(pair: PairedRun) -> Iterator[Row]:
    """Yield the rows of a paired run: the aligned pairs of steps, and between two of them the others."""
    plus, minus = (_sides(run) for run in (pair.plus, pair.minus))
    kept = {kept.plus.step: kept for kept in pair.comparison.kept}
    next_plus = next_minus = 0
    for i, j in pair.comparison.aligned:
        yield from _unaligned(plus[next_plus:i], minus[next_minus:j])
        yield Row(plus[i], minus[j], True, kept.get(i))
        next_plus, next_minus = i + 1, j + 1
    yield from _unaligned(plus[next_plus:], minus[next_minus:])


def _sides(run: Run) -> list[Side]:
    return [Side(number, step) for number, step in enumerate(run.trajectory.steps)]


def _unaligned(plus: list[Side], minus: list[Side]) -> Iterator[Row]:
    return (Row(left, right, False, None) for left, right in zip_longest(plus, minus))


def signed(value: Fraction | None, places: int = 4) -> str:
    """Return a number with its sign, a dash for None; what rounds to zero has no sign."""
    if value is None:
        return _ABSENT
    text = f"{float(value):+.{places}f}"
    return text[1:] if float(text) == 0 else text


def plain(value: Fraction | None, places: int = 2) -> str:
    """Return a number without a plus sign, a dash for None."""
    return _ABSENT if value is None else f"{float(value):.{places}f}"


def estimate_words(estimate: Estimate, places: int = 1, factor: int = 1) -> str:
    """Return a figure with its confidence interval in brackets."""
    value, interval = estimate.value * factor, estimate.interval
    if interval is None:
        return f"{value:.{places}f}"
    return f"{value:.{places}f} [{interval.low * factor:.{places}f}, {interval.high * factor:.{places}f}]"


def exercised(result: SkillResult) -> str:
    """Return in how many of how many scenarios a skill was exercised, a dash where there are none."""
    return f"{result.exercised}/{len(result.pairs)}" if result.pairs else _ABSENT


def verdict_words(result: SkillResult) -> str:
    """Return the verdict, marked where another discount gives another one."""
    return VERDICT_WORDS[result.verdict] + (" (flips)" if result.flips else "")


def columns(verification: Verification) -> Mapping[str, str]:
    """Return the table's columns and what each means; with a judge, there is R without it too."""
    if not verification.judged:
        return {name: meaning for name, meaning in COLUMNS.items() if name != _BY_RULE}
    return {**COLUMNS, "Executability": _JUDGED_EXECUTABILITY}


def cell(result: SkillResult, column: str) -> str:
    """Return what a skill's row says in a column other than the first."""
    return _CELLS[column](result)


def table(verification: Verification) -> Table:
    """Return the table for a terminal; a set whose name all ids share stands in the heading only."""
    ids = [visible(result.skill.id) for result in verification.results]
    sets = {name.rpartition("/")[0] for name in ids}
    shared = f"{sets.pop()}/" if len(sets) == 1 else "/"
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    names = tuple(columns(verification))
    for name in names:
        heading = _BROKEN.get(name, name) + (
            f"\n({shared[:-1]})" if name == "Skill" and shared != "/" else ""
        )
        justify: JustifyMethod = "left" if name in ("Skill", "Verdict") else "right"
        shown.add_column(Text(heading), justify=justify, overflow="fold", no_wrap=name != "Skill")
    for id, result in zip(ids, verification.results, strict=True):
        style = {"Verdict": _STYLES[result.verdict]}
        cells = (Text(cell(result, name), style=style.get(name, "")) for name in names[1:])
        shown.add_row(Text(id.removeprefix(shared)), *cells)
    return shown


def without_evidence(verification: Verification) -> Iterator[Text]:
    """Yield a line for each skill that has no R, which says why; for a terminal."""
    for result in verification.results:
        if result.r is None:
            yield Text(visible(f"{result.skill.id}: {result.reason}"))


_CELLS: Mapping[str, Callable[[SkillResult], str]] = {
    "R": lambda result: signed(result.r),
    _BY_RULE: lambda result: signed(result.r_by_rule),
    "Verdict": verdict_words,
    "Executability": lambda result: plain(result.figures.executability),
    "Utility": lambda result: signed(result.figures.utility, 2),
    "Efficiency": lambda result: signed(result.figures.efficiency, 1),
    "Exercised": exercised,
}


def usage_lines(verification: Verification) -> Iterator[Text]:
    """Yield a line for each role that a language model played; for a terminal."""
    for role, tally in verification.usage.items():
        yield Text(f"{role}: {usage_words(tally)}")


def usage_words(tally: Tally) -> str:
    """Return requests, tokens and money in words."""
    return f"{counted(tally.requests, 'request')}, {tokens_and_money(tally.usage)}"


def tokens_and_money(usage: Usage) -> str:
    """Return what was read and written, and the cost in US dollars, in words."""
    cost = "at an unknown price" if usage.cost is None else f"${usage.cost:.4f}"
    written = counted(usage.completion_tokens, "token")
    return f"{counted(usage.prompt_tokens, 'token')} read, {written} written, {cost}"


@attrs.frozen
class Mark:
    """A place on the plot's axis."""

    x: float
    label: str


@attrs.frozen
class PlotRow:
    """One skill on the plot: its R, and the score of each of its scenarios."""

    y: float
    skill_id: str
    label: str
    keep: bool
    r: Mark
    scenarios: tuple[Mark, ...]


@attrs.frozen
class Plot:
    """A dot plot of R, one row for each skill that has evidence, the highest first; lengths in pixels."""

    width: float
    height: float
    zero: float
    ticks: tuple[Mark, ...]
    rows: tuple[PlotRow, ...]


_LABELS, _AXIS, _ROW, _TOP = 260.0, 560.0, 26.0, 34.0
_LABEL_CHARACTERS = 34


def plot(verification: Verification) -> Plot | None:
    """Return the plot of R per skill, or None where no skill has evidence."""
    scored = [(result.r, result) for result in verification.results if result.r is not None]
    if not scored:
        return None
    scores = [(result, [c.score(result.gamma) for c in result.comparisons]) for _, result in scored]
    reached = [0.0, *(float(score) for _, row in scores for score in row)]
    step = _tick_step(max(map(abs, reached)) or 1.0)
    low, high = min(-1, floor(min(reached) / step)), max(1, ceil(max(reached) / step))

    def mark(value: Fraction | float, label: str) -> Mark:
        share = (float(value) / step - low) / (high - low)
        return Mark(round(_LABELS + _AXIS * share, 2), label)

    ranked = sorted(scored, key=lambda item: (-item[0], item[1].skill.id))
    rows = tuple(
        PlotRow(
            y=_TOP + _ROW * (number + 0.5),
            skill_id=result.skill.id,
            label=_shortened(result.skill.id),
            keep=result.verdict is Verdict.KEEP,
            r=mark(r, signed(r)),
            scenarios=tuple(mark(c.score(result.gamma), "") for c in result.comparisons),
        )
        for number, (r, result) in enumerate(ranked)
    )
    ticks = tuple(mark(step * n, f"{step * n:g}") for n in range(low, high + 1))
    return Plot(_LABELS + _AXIS + 40, _TOP + _ROW * len(rows) + 10, mark(0, "0").x, ticks, rows)


def _tick_step(reach: float) -> float:
    """Return 1, 2 or 5 times a power of ten, of which at most four reach as far as the data."""
    power = 10.0 ** floor(log10(reach / 2))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if reach / step <= 4)


def _shortened(label: str) -> str:
    return label if len(label) <= _LABEL_CHARACTERS else "…" + label[1 - _LABEL_CHARACTERS :]


def html(verification: Verification) -> str:
    """Return the report as one web page that needs nothing else."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: visible(value) if isinstance(value, str) else value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(signed=signed, plain=plain, estimate=estimate_words)
    return environment.get_template("report.html.j2").render(
        verification=verification,
        gamma=verification.settings.gamma,
        columns=columns(verification),
        cell=cell,
        arms=arms(verification),
        usage_words=usage_words,
        counts=_counts(verification),
        plot=plot(verification),
        side_by_side=side_by_side,
        verdict_words=verdict_words,
        is_built=lambda attempt: isinstance(attempt.result, BuiltScenario),
    )


def arms(verification: Verification) -> Mapping[str, tuple[int, ArmFigures]]:
    """Return number and figures of the episodes with a skill, and of those without, where there are any."""
    played = {"with a skill": verification.with_skill, "without": verification.without_skill}
    return {name: (len(runs), arm_figures(runs)) for name, runs in played.items() if runs}


def _counts(verification: Verification) -> list[tuple[str, int]]:
    verdicts = [result.verdict for result in verification.results]
    return [(words, verdicts.count(kind)) for kind, words in VERDICT_WORDS.items() if kind in verdicts]


def write_report(verification: Verification, folder: Path) -> tuple[Path, Path]:
    """Write report.html and report.json into a folder, each whole or not at all; return their paths."""
    page, machine = folder / "report.html", folder / "report.json"
    texts = {
        page: html(verification),
        machine: json.dumps(data(verification), indent=1, sort_keys=True) + "\n",
    }
    for path, text in texts.items():
        write_whole(path, text)
    return page, machine
