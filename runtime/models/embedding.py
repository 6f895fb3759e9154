"""Models of texts as vectors: one that comes as a package, and any that litellm reaches."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.metadata import version

import attrs

from skillsandbox.runtime.matching import Encoder, word_encoder
from skillsandbox.runtime.models.cache import Data, cache_key
from skillsandbox.runtime.models.memory import Memory, Recall, to_data
from skillsandbox.runtime.models.request import Role, Usage
from skillsandbox.runtime.models.sender import Sender

Vector = tuple[float, ...]


@attrs.define(frozen=True, slots=False, eq=False)
class PackagedEmbedder:
    """Word embeddings of 256 dimensions that their package ships; nothing is sent or kept."""

    @property
    def identity(self) -> str:
        """Return the package and its version."""
        return f"wordllama {version('wordllama')}"

    def embed(self, texts: tuple[str, ...]) -> tuple[Vector, ...]:
        """Return one vector of length 1 for each text; that of a text without known words is 0."""
        return tuple(tuple(map(float, vector)) for vector in self._encoder(texts)) if texts else ()

    @cached_property
    def _encoder(self) -> Encoder:
        return word_encoder()


@attrs.frozen(eq=False)
class EndpointEmbedder:
    """An embedding model at an endpoint; each text is a request of its own, so that each is kept."""

    sender: Sender
    memory: Memory

    @property
    def identity(self) -> str:
        """Return the model's name and its server's address, where that is not the provider's own."""
        return self.sender.endpoint.identity

    def embed(self, texts: tuple[str, ...]) -> tuple[Vector, ...]:
        """Return one vector of length 1 for each text. Raises `ModelFault`."""
        with ThreadPoolExecutor(self.sender.limiter.most) as pool:
            return tuple(pool.map(lambda text: self._vector(text, self.memory.recall), texts))

    def renewed(self, text: str) -> Vector:
        """Return a vector that is asked for now, and keep it in place of an earlier one."""
        return self._vector(text, self.memory.replace)

    def _vector(self, text: str, recall: Recall) -> Vector:
        key = cache_key(identity=self.identity, embedded=text)
        most = Usage(len(text.encode()), 0)
        data = recall(Role.RETRIEVER, key, most, lambda: self._sent(text))
        return _unit(data["vector"])

    def _sent(self, text: str) -> Data:
        vector, usage = self.sender.embed(Role.RETRIEVER, text)
        return {"vector": vector, "usage": to_data(usage)}


def _unit(vector: list[float]) -> Vector:
    """Return a vector's direction; providers differ in whether lengths are 1."""
    length = math.sqrt(math.fsum(one * one for one in vector))
    return tuple(one / length for one in vector) if length else tuple(vector)
