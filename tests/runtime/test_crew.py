"""Threads that share the work of a run."""

from __future__ import annotations

import threading
from concurrent.futures import as_completed
from functools import partial

import pytest

from skillsandbox.runtime.crew import CalledOff, Crew, crew


def test_what_came_of_pieces_is_in_their_order_whatever_the_order_in_which_they_ended() -> None:
    ends = [threading.Event() for _ in range(4)]

    def piece(number: int) -> int:
        if number + 1 < len(ends):
            assert ends[number + 1].wait(10)
        ends[number].set()
        return number

    with crew(4) as workers:
        assert workers.lead(partial(piece, number) for number in range(4)) == (0, 1, 2, 3)


def test_a_part_that_several_ask_for_while_it_is_under_way_is_done_once() -> None:
    asked, done = threading.Barrier(3), []

    def work() -> str:
        asked.wait(10)
        done.append(1)
        return "done"

    def piece(workers: Crew) -> str:
        future = workers.part("key", work)
        asked.wait(10)
        return future.result()

    with crew(2) as workers:
        assert workers.lead(partial(piece, workers) for _ in range(2)) == ("done", "done")
    assert done == [1]


def test_leaders_that_all_wait_for_hands_do_not_wait_for_each_other() -> None:
    with crew(1) as workers:
        pieces = [
            lambda: workers.part("a", lambda: 1).result(),
            lambda: workers.part("b", lambda: 2).result(),
        ]
        assert workers.lead(pieces) == (1, 2)


def test_a_fault_ends_what_is_under_way_at_its_next_step_and_begins_nothing_new() -> None:
    both, called_off = threading.Barrier(2), []

    def failing() -> None:
        both.wait(10)
        raise ValueError("the disk is full")

    def going_on(workers: Crew) -> None:
        both.wait(10)
        try:
            while True:
                workers.go_on()
        except CalledOff:
            with pytest.raises(CalledOff):
                workers.part("new", lambda: called_off.append("never")).result()
            called_off.append("ended")

    with crew(2) as workers, pytest.raises(ValueError, match="disk"):
        workers.lead([failing, partial(going_on, workers)])
    assert called_off == ["ended"]


def test_the_first_fault_is_raised_though_a_leader_that_is_called_off_ends_sooner() -> None:
    both, called_off = threading.Barrier(2), threading.Event()

    def failing() -> None:
        both.wait(10)
        raise ValueError("the disk is full")

    def leading(workers: Crew) -> None:
        part = workers.part("failing", failing)
        called_off.wait(10)
        part.result()

    def going_on(workers: Crew) -> None:
        both.wait(10)
        try:
            while True:
                workers.go_on()
        finally:
            called_off.set()

    with crew(2) as workers, pytest.raises(ValueError, match="disk"):
        workers.lead([partial(leading, workers), partial(going_on, workers)])


def test_a_fault_of_a_hand_is_raised_while_others_are_at_work() -> None:
    failed = threading.Event()

    def failing() -> None:
        raise ValueError("a hand failed")

    def piece(workers: Crew) -> None:
        patient = workers.part("patient", lambda: failed.wait(10))
        try:
            for future in as_completed([patient, workers.part("failing", failing)]):
                future.result()
        finally:
            failed.set()

    with crew(2) as workers, pytest.raises(ValueError, match="a hand failed"):
        workers.lead([partial(piece, workers)])
