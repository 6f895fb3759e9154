"""The chosen models, opened: the layer's parts put together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

import attrs
import msgspec

from skillsandbox.runtime.models.accounting import Accounts, Price
from skillsandbox.runtime.models.budget import Budget, Limits
from skillsandbox.runtime.models.cache import cache_key, open_cache
from skillsandbox.runtime.models.embedding import EndpointEmbedder, PackagedEmbedder
from skillsandbox.runtime.models.endpoint import Endpoint, known_price
from skillsandbox.runtime.models.grammars import require_readable
from skillsandbox.runtime.models.ledger import open_ledger
from skillsandbox.runtime.models.limiter import Limiter
from skillsandbox.runtime.models.local import TIMEOUT as LOCAL_TIMEOUT
from skillsandbox.runtime.models.local import local_endpoint
from skillsandbox.runtime.models.loop import Loop, background_loop
from skillsandbox.runtime.models.memory import Memory, Recall, to_data
from skillsandbox.runtime.models.options import LOCAL, ModelOptions
from skillsandbox.runtime.models.redaction import redactor
from skillsandbox.runtime.models.request import Embedder, GrammarReply, ModelFault, Reply, Request
from skillsandbox.runtime.models.sender import Pace, Sender
from skillsandbox.runtime.models.support import Prober
from skillsandbox.runtime.models.wire import Completion, constraint_fields, most_tokens, wire


@attrs.frozen(eq=False)
class Client:
    """A language model at an endpoint, as `LanguageModel` says."""

    sender: Sender
    memory: Memory
    prober: Prober

    @property
    def identity(self) -> str:
        """Return the model's name and its server's address, where that is not the provider's own."""
        return self.sender.endpoint.identity

    def ask(self, request: Request) -> Reply:
        """Return the reply: the kept one, or one that is asked for now. Raises `ModelFault`."""
        return self._reply(request, self.memory.recall)

    def renewed(self, request: Request) -> Reply:
        """Return a reply that is asked for now, and keep it in place of an earlier one."""
        return self._reply(request, self.memory.replace)

    def _reply(self, request: Request, recall: Recall) -> Reply:
        support = self.prober.support(request.constraint)
        if isinstance(request.constraint, GrammarReply):
            require_readable(request.constraint, support)
        sent = wire(self.sender.endpoint.name, request, support)
        key = cache_key(identity=self.identity, attempt=request.attempt, sent=sent)
        data = recall(
            request.role,
            key,
            most_tokens(sent),
            lambda: to_data(self.sender.complete(request.role, sent)),
        )
        completion = msgspec.convert(data, Completion)
        constrained = bool(constraint_fields(request.constraint, support))
        return Reply(completion.text, completion.finish, self.memory.usage(data), constrained)


@attrs.define(frozen=True, slots=False, eq=False)
class OpenModel:
    """The open models of a run, and what it takes of them."""

    model: Client
    accounts: Accounts
    embedding: EndpointEmbedder | None
    _options: ModelOptions

    @cached_property
    def embedder(self) -> Embedder:
        """Return the chosen model of texts as vectors, or the one that comes as a package."""
        return self.embedding or PackagedEmbedder()

    @cached_property
    def price(self) -> Price | None:
        """Return the price of the model's tokens, None where neither the options nor litellm say it."""
        return price(self._options)


def price(options: ModelOptions) -> Price | None:
    """Return the price of the chosen model's tokens, None where it is not known."""
    if options.model == LOCAL:
        return Price.free()
    return options.price or known_price(options.model or "")


@contextmanager
def opened(options: ModelOptions, folder: Path | None, pace: Pace | None = None) -> Iterator[OpenModel]:
    """Open the chosen models; see `open_model`."""
    if options.model == LOCAL:
        options = _for_local(options)
    ceiling = _ceiling(options)
    budget = Budget(Limits(options.budget_tokens, options.budget_dollars))
    with ExitStack() as stack:
        cache = stack.enter_context(open_cache(options.cache_folder))
        ledger = stack.enter_context(open_ledger(folder, budget))
        memory = Memory(cache, ledger, options.replay, options.price, ceiling)
        endpoint = stack.enter_context(_endpoint(options))
        parts = _Parts(options, pace or Pace(), memory, stack.enter_context(background_loop()))
        sender = parts.sender(endpoint)
        client = Client(sender, memory, Prober(sender, memory))
        yield OpenModel(client, ledger.accounts, parts.embedding(), options)


@attrs.frozen(eq=False)
class _Parts:
    """What the models of a run share."""

    options: ModelOptions
    pace: Pace
    memory: Memory
    loop: Loop

    def sender(self, endpoint: Endpoint) -> Sender:
        """Return what sends to an endpoint; each has a window of open requests of its own."""
        limiter = Limiter(self.options.concurrency, self.pace.clock)
        accounts = self.memory.ledger.accounts
        return Sender(endpoint, self.loop, limiter, self.pace, self.options.timeout, accounts)

    def embedding(self) -> EndpointEmbedder | None:
        """Return the chosen embedding model, whose price is litellm's."""
        name = self.options.embedding_model
        if name is None:
            return None
        endpoint = _remote(name, self.options.embedding_api_base, None)
        ceiling = None if self.options.budget_dollars is None else known_price(name)
        memory = attrs.evolve(self.memory, price=None, ceiling=ceiling)
        return EndpointEmbedder(self.sender(endpoint), memory)


def _for_local(options: ModelOptions) -> ModelOptions:
    """Return the options of a server on this machine, which answers one request at a time and slowly."""
    return attrs.evolve(options, concurrency=1, timeout=max(options.timeout, LOCAL_TIMEOUT))


def _ceiling(options: ModelOptions) -> Price | None:
    """Return the price by which money is reserved: where there is a budget in money, it must be known."""
    if options.budget_dollars is None or options.model is None:
        return options.price
    known = price(options)
    if known is None:
        raise ModelFault(
            f"--budget-dollars needs the price of {options.model}, which litellm does not know: "
            "give it with --price PROMPT COMPLETION, in US dollars for a million tokens"
        )
    return known


@contextmanager
def _endpoint(options: ModelOptions) -> Iterator[Endpoint]:
    if options.model == LOCAL:
        with local_endpoint(serve=not options.replay) as endpoint:
            yield endpoint
    else:
        yield _remote(options.model or "", options.api_base, options.price)


def _remote(name: str, address: str | None, price: Price | None) -> Endpoint:
    identity = name if address is None else f"{name} at {address}"
    return Endpoint(name, identity, redactor(os.environ), address, _placeholder(name, address), price)


def _placeholder(name: str, address: str | None) -> str | None:
    """Return a key for a server of one's own that needs none, since litellm asks for one."""
    provider = name.partition("/")[0]
    needed = address is not None and f"{provider.upper()}_API_KEY" not in os.environ
    return "none" if needed else None
