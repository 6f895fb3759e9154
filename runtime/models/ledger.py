"""What a run has used of its models, kept in its folder: its budget holds over interruptions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import attrs
import msgspec

from skillsandbox.runtime.journal import Journal, JournalError, open_journal
from skillsandbox.runtime.models.accounting import Accounts
from skillsandbox.runtime.models.budget import Budget
from skillsandbox.runtime.models.request import ModelFault, Role, Usage

FILE = "model-usage.jsonl"
_KIND = {"kind": "what the run has used of its models"}


@attrs.define(eq=False)
class Ledger:
    """Counts each request that a run uses once, whether it is sent or kept; several threads may share it."""

    accounts: Accounts
    budget: Budget
    _journal: Journal | None = None
    _counted: set[tuple[Role, str]] = attrs.field(factory=set, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def __contains__(self, entry: tuple[Role, str]) -> bool:
        return entry in self._counted

    def count(self, role: Role, key: str, usage: Usage) -> None:
        """Count a request's reply, unless it is counted."""
        with self._lock:
            if (role, key) in self._counted:
                return
            if self._journal is not None:
                self._journal.record((role.value, key), msgspec.to_builtins(usage))
            self._add(role, key, usage)

    def resume(self, journal: Journal) -> None:
        """Count what a journal has, and go on in it."""
        for role, key in journal:
            self._add(Role(role), key, msgspec.convert(journal[role, key], Usage))
        self._journal = journal

    def _add(self, role: Role, key: str, usage: Usage) -> None:
        self._counted.add((role, key))
        self.budget.use(usage)
        self.accounts.use(role, usage)


@contextmanager
def open_ledger(folder: Path | None, budget: Budget) -> Iterator[Ledger]:
    """Open a run's ledger, or start it; without a folder it lasts as long as the context."""
    ledger = Ledger(Accounts(), budget)
    with ExitStack() as stack:
        if folder is not None:
            try:
                ledger.resume(stack.enter_context(open_journal(folder / FILE, _KIND)))
            except JournalError as error:
                raise ModelFault(str(error)) from error
        yield ledger
