"""What can come of a try to ask an endpoint other than a reply."""

from __future__ import annotations

import attrs

from skillsandbox.runtime.models.request import Declined, Overloaded

_HINTS = {
    401: "Is the provider's key in the environment?",
    403: "May the key use this model?",
    404: "Is the model's name right, as litellm has it?",
}


@attrs.frozen
class Passing(Exception):  # noqa: N818
    """A fault that another try may not meet: a rate limit, a fault of the server, no answer in time.

    `status` is the HTTP status where there was an answer, `wait` the seconds that it asks to wait.
    """

    text: str
    status: int | None = None
    wait: float | None = None

    @property
    def limited(self) -> bool:
        """Say whether the endpoint gets more requests than it takes."""
        return self.status in (429, 529)


@attrs.frozen
class Lasting(Exception):  # noqa: N818
    """A fault that another try meets again, such as a wrong key; `status` is as above."""

    text: str
    status: int | None = None


def said(fault: Passing | Lasting, name: str) -> Declined | Overloaded:
    """Return what a fault at the end of all tries is for those who asked the model of a name."""
    text = f"{name}: {fault.text}"
    if isinstance(fault, Passing):
        return Overloaded(f"{text} Given up after several tries.")
    hint = _HINTS.get(fault.status or 0)
    return Declined(f"{text} {hint}" if hint else text)
