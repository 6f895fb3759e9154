"""One try to ask an endpoint, by litellm.

litellm is imported when an endpoint is made: that takes seconds. It is kept from the network but for the
request itself: its prices are those that it ships, and it tells nobody of its use.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any

import attrs

from skillsandbox.runtime.models.accounting import MILLION, Price
from skillsandbox.runtime.models.faults import Lasting, Passing
from skillsandbox.runtime.models.redaction import Redactor
from skillsandbox.runtime.models.request import Usage
from skillsandbox.runtime.models.wire import Completion, Wire, most_tokens

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_PREFIXES = re.compile(r"^(?:[\w.]*(?:Error|Exception)(?: -|:) *)+")
_SPENT_QUOTA = "insufficient_quota"
_DROPPABLE = {"drop_params": True}
_FINEST = Decimal("1e-12")


@attrs.frozen
class Endpoint:
    """A model at an address.

    `name` is the model as litellm names it, `address` the server's where it is not the provider's own, and
    `identity` names both for ever: it does not change with a port of the day. Without a `key` litellm finds
    it in the environment.
    """

    name: str
    identity: str
    redact: Redactor
    address: str | None = None
    key: str | None = None
    price: Price | None = None

    def prepare(self) -> None:
        """Import what sending takes, which is seconds of work that no time-out is to count.

        Raises `Lasting` where the environment has no key for the model.
        """
        missing = [] if self.key is not None else _missing_keys(self.name)
        if missing:
            raise Lasting(f"the environment has no {' or '.join(missing)}", 401)

    async def complete(self, sent: Wire, timeout: float) -> Completion:
        """Send a request once. Raises `Passing` or `Lasting`; texts are free of keys."""
        litellm = imported()
        try:
            answer = await litellm.acompletion(**sent, **self._settings(timeout), **_DROPPABLE)
        except Exception as error:  # litellm lets any error of a provider's code through
            if _is_filtered(error):
                return Completion("", "content_filter", Usage(0, 0, 0, Decimal(0)))
            raise self._fault(error) from None
        try:
            return self._completion(answer, sent)
        except (AttributeError, IndexError, TypeError) as error:
            raise Passing(f"the endpoint sent no completion: {self.redact.line(str(error))}") from None

    async def embed(self, text: str, timeout: float) -> tuple[list[float], Usage]:
        """Ask once for the vector of a text. Raises `Passing` or `Lasting`."""
        litellm = imported()
        try:
            answer = await litellm.aembedding(
                model=self.name, input=[text], encoding_format="float", **self._settings(timeout)
            )
            vector = [float(one) for one in answer.data[0]["embedding"]]
        except Exception as error:  # as above
            raise self._fault(error) from None
        tokens = (answer.usage.prompt_tokens if answer.usage else 0) or len(text.encode())
        return vector, Usage(tokens, 0, 0, self._cost(answer, tokens, 0))

    def _settings(self, timeout: float) -> Mapping[str, Any]:
        settings: dict[str, Any] = {"max_retries": 0, "timeout": timeout}
        if self.address is not None:
            settings["api_base"] = self.address
        if self.key is not None:
            settings["api_key"] = self.key
        return settings

    def _completion(self, answer: Any, sent: Wire) -> Completion:
        choice = answer.choices[0]
        message = choice.message
        text, finish = message.content or "", choice.finish_reason or "stop"
        refusal = getattr(message, "refusal", None)
        if refusal:
            text, finish = refusal, "content_filter"
        elif message.tool_calls and "tools" in sent:
            text, finish = _tool_input(message.tool_calls[0]), "stop"
        return Completion(self.redact(text), finish, self._usage(answer, sent))

    def _usage(self, answer: Any, sent: Wire) -> Usage:
        """Return what a reply took; where the endpoint does not say, the most that it can have taken."""
        usage = getattr(answer, "usage", None)
        prompt = usage.prompt_tokens if usage else 0
        completion = usage.completion_tokens if usage else 0
        if not prompt:
            most = most_tokens(sent)
            prompt, completion = most.prompt_tokens, most.completion_tokens
        details = getattr(usage, "prompt_tokens_details", None)
        cached = getattr(details, "cached_tokens", None) or 0
        return Usage(prompt, completion, cached, self._cost(answer, prompt, completion))

    def _cost(self, answer: Any, prompt: int, completion: int) -> Decimal | None:
        if self.price is not None:
            return self.price.of(prompt, completion)
        known = getattr(answer, "_hidden_params", {}).get("response_cost")
        return None if known is None else Decimal(known).quantize(_FINEST)

    def _fault(self, error: Exception) -> Passing | Lasting:
        status = getattr(error, "status_code", None)
        text = self.redact.line(_PREFIXES.sub("", str(error))) or type(error).__name__
        if _has_name(error, "ContextWindowExceededError"):
            return Lasting(f"the request is too long for the model: {text}", status)
        if status is None:
            return Passing(text)
        if status in _PASSING and _SPENT_QUOTA not in _told(error):
            return Passing(text, status, _retry_after(error))
        return Lasting(text, status)


def _tool_input(call: Any) -> str:
    """Return what a call of a custom tool was given."""
    data = call if isinstance(call, Mapping) else call.model_dump()
    given: str = data["custom"]["input"]
    return given


def _is_filtered(error: Exception) -> bool:
    return _has_name(error, "ContentPolicyViolationError") or (
        getattr(error, "code", None) == "content_policy_violation"
    )


def _has_name(error: Exception, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(error).__mro__)


def _told(error: BaseException) -> str:
    """Return all that an error and the one that it came of say."""
    came_of = error.__cause__ or error.__context__
    parts = (error, getattr(error, "body", ""), getattr(error, "code", ""))
    return " ".join(map(str, parts)) + (f" {_told(came_of)}" if came_of is not None else "")


def _retry_after(error: Exception) -> float | None:
    """Return the seconds that an answer asks to wait; a date is left to the waits that grow."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    with suppress(ValueError):
        return max(0.0, float(headers.get("retry-after", "")))
    return None


def _missing_keys(name: str) -> list[str]:
    """Return the variables that are to hold a model's key, if it takes one and none of them is set.

    What else a provider may be told by the environment, such as a profile of AWS, is left to it.
    """
    found = imported().validate_environment(model=name)
    missing = [] if found["keys_in_environment"] else found["missing_keys"]
    return missing if all(variable.endswith("_API_KEY") for variable in missing) else []


def known_price(name: str) -> Price | None:
    """Return the price of a model that litellm knows."""
    litellm = imported()
    try:
        info = litellm.get_model_info(name)
    except Exception:  # litellm raises a bare Exception for a model that it does not know
        return None
    prompt, completion = info.get("input_cost_per_token"), info.get("output_cost_per_token")
    if prompt is None or completion is None:
        return None
    return Price(Decimal(str(prompt)) * MILLION, Decimal(str(completion)) * MILLION)


def imported() -> Any:
    """Return litellm, set to keep to itself."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_LOG", "CRITICAL")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    for name in ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
