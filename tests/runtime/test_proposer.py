"""The library proposer: programs near a skill's condition in turn, each time under another seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from skillsandbox.runtime.matching import (
    THRESHOLD,
    ConditionMatcher,
    Embeddings,
    LibraryProgram,
    word_encoder,
)
from skillsandbox.runtime.proposer import Attempt, Declined, LibraryProposer, derived_seed
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import Candidate, Refusal

WORDS = ("cold", "hot", "lamp", "fridge", "drawer")


def counted_words(texts: Sequence[str]) -> Embeddings:
    """Embed texts by which of five words they contain."""
    found = np.array([[float(word in text) for word in WORDS] for text in texts], dtype=np.float32)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1), dtype=np.float32)


def program(name: str, condition: str, unsupported: str | None = None) -> LibraryProgram:
    return LibraryProgram(name, f"scenario {name}", condition, "", unsupported)


def skill(condition: str) -> Skill:
    return Skill("s", condition, condition, "", "here")


COLD = program("cold_one", "it is cold")
COLD_TOO = program("a_cold_one", "cold again")
LAMP = program("lamp_one", "a lamp is hot")
DRAWER = program("drawer_one", "a drawer", "nothing can be brought about in a drawer")
PROPOSER = LibraryProposer(ConditionMatcher((COLD, LAMP, COLD_TOO, DRAWER), counted_words), 7)


def proposals(proposer: LibraryProposer, condition: str, number: int) -> list[Candidate]:
    tried: list[Attempt] = []
    for _ in range(number):
        candidate = proposer.propose(skill(condition), tried)
        assert isinstance(candidate, Candidate)
        tried.append(Attempt(candidate, Refusal(("no",))))
    return [attempt.candidate for attempt in tried]


def test_programs_about_as_near_as_the_nearest_take_turns_and_ties_go_by_name() -> None:
    assert [one.name for one in proposals(PROPOSER, "cold", 4)] == ["a_cold_one", "cold_one"] * 2
    assert {one.name for one in proposals(PROPOSER, "the lamp is hot", 4)} == {"lamp_one"}
    assert proposals(PROPOSER, "cold", 1)[0].text == "scenario a_cold_one"


def test_a_program_that_matches_but_is_clearly_less_near_than_another_is_not_proposed() -> None:
    matcher = ConditionMatcher((LAMP, COLD), counted_words)
    both = skill("hot and cold at the fridge")
    assert [(one.program.name, one.similarity) for one in matcher.ranked(both)] == [
        ("cold_one", 0.577),
        ("lamp_one", 0.408),
    ]
    assert [one.program.name for one in matcher.matching(both)] == ["cold_one"]


def test_every_candidate_has_a_seed_of_its_own_that_depends_on_the_runs_seed() -> None:
    seeds = [(one.name, one.seed) for one in proposals(PROPOSER, "cold", 20)]
    assert len(set(seeds)) == 20
    assert proposals(PROPOSER, "cold", 20) == proposals(PROPOSER, "cold", 20)
    other = LibraryProposer(ConditionMatcher((COLD,), counted_words), 8)
    same = LibraryProposer(ConditionMatcher((COLD,), counted_words), 7)
    assert proposals(other, "cold", 1)[0].seed != proposals(same, "cold", 1)[0].seed


def test_skills_that_meet_in_a_program_are_proposed_the_same_scenarios() -> None:
    assert proposals(PROPOSER, "cold", 5) == proposals(PROPOSER, "cold and cold", 5)


def test_where_no_program_matches_the_nearest_condition_is_named() -> None:
    answer = PROPOSER.propose(skill("a fridge and a lamp, both hot and cold"), [])
    assert isinstance(answer, Candidate)
    answer = PROPOSER.propose(skill("a fridge"), [])
    assert answer == Declined(
        "No program of the library matches: the nearest condition is “cold again” (a_cold_one), "
        f"with a similarity of 0.00; at least {THRESHOLD:.2f} is needed."
    )


def test_a_condition_that_cannot_come_about_is_declined_with_the_programs_reason() -> None:
    answer = PROPOSER.propose(skill("a drawer"), [])
    assert isinstance(answer, Declined)
    assert answer.reason.endswith("cannot bring about: nothing can be brought about in a drawer")


def test_the_identity_depends_on_texts_and_seed() -> None:
    texts = [LibraryProposer(ConditionMatcher((one,), counted_words), 7).identity for one in (COLD, LAMP)]
    assert texts[0] != texts[1]
    assert LibraryProposer(ConditionMatcher((COLD,), counted_words), 8).identity != texts[0]


def test_a_library_without_programs_is_refused() -> None:
    with pytest.raises(ValueError, match="programs"):
        ConditionMatcher((), counted_words)


def test_derived_seeds_depend_on_every_part() -> None:
    assert derived_seed("a", "b") == derived_seed("a", "b")
    assert (
        len({derived_seed("a", "b"), derived_seed("b", "a"), derived_seed("ab"), derived_seed("a", "b", "")})
        == 4
    )


def test_the_word_encoder_needs_no_network_and_knows_what_is_alike() -> None:
    encode = word_encoder()
    one, other, foreign = encode(["The fridge is closed.", "The refrigerator is shut.", "Buy the red shoes."])
    assert np.linalg.norm(one) == pytest.approx(1, abs=1e-3)
    assert one @ other > 0.4 > one @ foreign
