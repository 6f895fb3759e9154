"""The options by which a person chooses language models, and what opens the chosen ones for a run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import attrs
import click

from skillsandbox.grammar.cache import cache_folder
from skillsandbox.runtime.models.accounting import Price
from skillsandbox.runtime.models.request import ModelFault

if TYPE_CHECKING:
    from skillsandbox.runtime.models.client import OpenModel

CONCURRENCY = 8
TIMEOUT = 120.0
LOCAL = "local"


@attrs.frozen
class ModelOptions:
    """Which models are asked, and how.

    `model` is None where none was chosen. The time-out is in seconds for one try. Budgets are for the whole
    run, what an interrupted run has used before included. `price` takes the place of the one that litellm
    knows. With `replay` nothing is sent: all replies come from the cache folder.
    """

    model: str | None = None
    api_base: str | None = None
    concurrency: int = CONCURRENCY
    timeout: float = TIMEOUT
    budget_tokens: int | None = None
    budget_dollars: Decimal | None = None
    price: Price | None = None
    replay: bool = False
    cache: Path | None = None
    embedding_model: str | None = None
    embedding_api_base: str | None = None

    @property
    def cache_folder(self) -> Path:
        """Return the folder of the replies that are kept."""
        return self.cache or cache_folder() / "models"


class _Dollars(click.ParamType[Decimal]):
    name = "dollars"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        try:
            amount = Decimal(value)
        except InvalidOperation:
            amount = Decimal(-1)
        if not amount.is_finite() or amount < 0:
            self.fail(f"{value!r} is not an amount in US dollars, such as 2.50", param, ctx)
        return amount


def _address(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return an address without what may be a key: that would stand in reports."""
    if value is None:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise click.BadParameter(
            f"{value!r} is no address such as http://localhost:8000/v1", context, parameter
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise click.BadParameter(
            "an address may hold no user, password or query; keys come from the environment",
            context,
            parameter,
        )
    return value


_EMBEDDING_OPTIONS = (
    click.option(
        "--embedding-model",
        metavar="PROVIDER/NAME",
        help="The model of texts as vectors; by default one that comes as a package.",
    ),
    click.option(
        "--embedding-api-base",
        metavar="URL",
        callback=_address,
        help="The address of the embedding model's server, where it is not the provider's own.",
    ),
)
_OPTIONS = (
    click.option(
        "--model",
        metavar="PROVIDER/NAME",
        help="The language model, as litellm names it; `local` is a small one that comes as a package.",
    ),
    click.option(
        "--api-base",
        metavar="URL",
        callback=_address,
        help="The address of a server that speaks the OpenAI API, such as http://localhost:8000/v1.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=CONCURRENCY,
        show_default=True,
        help="How many requests to the model are open at once at most.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=TIMEOUT,
        show_default=True,
        metavar="SECONDS",
        help="How long a reply may take before the request is sent again.",
    ),
    click.option(
        "--budget-tokens",
        type=click.IntRange(min=1),
        metavar="N",
        help="Stop before the run has used more tokens; a larger budget continues it.",
    ),
    click.option(
        "--budget-dollars",
        type=_Dollars(),
        metavar="AMOUNT",
        help="Stop before the run has used more money.",
    ),
    click.option(
        "--price",
        type=(_Dollars(), _Dollars()),
        metavar="PROMPT COMPLETION",
        help="US dollars for a million tokens, where litellm does not know them.",
    ),
    click.option("--replay", is_flag=True, help="Send nothing: take every reply from the cache."),
    click.option(
        "--model-cache",
        "cache",
        type=click.Path(path_type=Path, file_okay=False),
        help="The folder that keeps replies; by default one in the user's cache.",
    ),
    *_EMBEDDING_OPTIONS,
)


def model_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of models; it gets them as `model_options`, a `ModelOptions`."""

    @functools.wraps(function)
    def wrapper(*args: Any, **given: Any) -> Any:
        chosen = {name: given.pop(name) for name in attrs.fields_dict(ModelOptions)}
        price = chosen.pop("price")
        options = ModelOptions(price=None if price is None else Price(*price), **chosen)
        return function(*args, model_options=options, **given)

    return _decorated(wrapper, _OPTIONS)


def embedding_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of the model of texts as vectors alone; it gets them by their names."""
    return _decorated(function, _EMBEDDING_OPTIONS)


def _decorated(
    function: Callable[..., Any], options: Sequence[Callable[..., Callable[..., Any]]]
) -> Callable[..., Any]:
    for option in reversed(options):
        function = option(function)
    return function


@contextmanager
def open_model(options: ModelOptions, folder: Path | None = None) -> Iterator[OpenModel]:
    """Open the chosen models for the run in a folder, and close them.

    The folder keeps what the run has used, so that an interrupted run goes on within its budget; without
    one the budget is for this time alone. Raises `ModelFault` where no model was chosen or it cannot be
    had; inside, an ask that is still open when the context ends raises `ModelFault` too.
    """
    from skillsandbox.runtime.models.client import opened

    if options.model is None:
        raise ModelFault(
            "no language model was chosen: give one with --model PROVIDER/NAME, or --model local"
        )
    with opened(options, folder) as model:
        yield model
