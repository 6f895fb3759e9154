"""Threads that share the work of a run; a fault in one of them, or an interruption, calls off the rest."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs

T = TypeVar("T")


class CalledOff(Exception):  # noqa: N818 - it says why work ended, not that it went wrong
    """Work was not begun, or not gone on with, because other work of the run failed."""


@attrs.frozen
class Crew:
    """Leaders, each of which sees one piece of work through, and hands, to whom they give its parts.

    A leader may wait for hands, and a hand for nobody, so that they cannot wait for each other.
    """

    _leaders: ThreadPoolExecutor
    _hands: ThreadPoolExecutor
    _off: threading.Event = attrs.field(factory=threading.Event, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _parts: dict[Hashable, Future[Any]] = attrs.field(factory=dict, init=False)
    _faults: list[BaseException] = attrs.field(factory=list, init=False)

    def lead(self, pieces: Iterable[Callable[[], T]]) -> tuple[T, ...]:
        """Have every piece of work seen through by a leader; return what came of them, in their order.

        Raises the first fault of any piece or part; what is under way then ends at its next step.
        """
        futures = [self._leaders.submit(self._unless_off, piece) for piece in pieces]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException as fault:
            raise self._call_off(fault) from None
        return tuple(future.result() for future in futures)

    def part(self, key: Hashable, work: Callable[[], T]) -> Future[T]:
        """Have a part done by a hand; for a key it is done once, whoever asks, and however many at once."""
        with self._lock:
            if key not in self._parts:
                self._parts[key] = self._hands.submit(self._unless_off, work)
            return self._parts[key]

    def go_on(self) -> None:
        """Raise `CalledOff` if work is not to be gone on with."""
        if self._off.is_set():
            raise CalledOff

    def _unless_off(self, work: Callable[[], T]) -> T:
        self.go_on()
        try:
            return work()
        except BaseException as fault:
            self._call_off(fault)
            raise

    def _call_off(self, fault: BaseException) -> BaseException:
        """Have no work begun or gone on with; return the fault that came first."""
        with self._lock:
            self._faults.append(fault)
            self._off.set()
            return self._faults[0]


@contextmanager
def crew(size: int) -> Iterator[Crew]:
    """Employ `size` leaders and as many hands; all of them have ended when the body has.

    An interruption while they are waited for leaves at once.
    """
    leaders, hands = ThreadPoolExecutor(size, "leader"), ThreadPoolExecutor(size, "hand")
    try:
        yield Crew(leaders, hands)
    finally:
        leaders.shutdown()
        hands.shutdown()
