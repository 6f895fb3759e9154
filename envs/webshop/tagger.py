"""spaCy's tagger for one short text at a time: its tokens and its weights, and a network of our own.

The tags are those of spaCy. Its machinery takes several times as long for one text as the arithmetic, which
is in `tagging`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from skillsandbox.envs.webshop.tagging import Layer, Network

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

UNUSED = ("parser", "senter", "ner", "lemmatizer", "attribute_ruler")
"""The parts of the pipeline that have no part in the tags."""

_FEATURES = ("NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE")
_NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
_PRONOUNS = (
    *(f"{some}{one}" for some in ("every", "some", "any", "no") for one in ("thing", "body", "one")),
    "any1",
)
"""What the model's rules take for pronouns where the tag is `NN`; `no one` is two words."""


@attrs.frozen(eq=False)
class _Feature:
    """How spaCy hashes a feature of tokens: into four of so many buckets, the first of which has a number."""

    seed: int
    size: int
    first: int


@attrs.frozen(eq=False)
class Tagger:
    """spaCy's tagger: its rules for tokens, and its network."""

    language: Language
    hashed: Callable[[NDArray[np.uint64], int], NDArray[np.uint32]]
    features: tuple[_Feature, ...]
    network: Network
    is_noun: tuple[bool, ...]
    lock: threading.Lock = attrs.field(factory=threading.Lock)

    @classmethod
    def of(cls, language: Language) -> Tagger:
        embedding, encoder = language.get_pipe("tok2vec").model.layers  # type: ignore[attr-defined]
        tagger: Any = language.get_pipe("tagger")
        tables = [column.layers[1] for column in embedding.layers[2].layers[0].layers]
        maxout, norm, *_ = _flat(embedding.layers[3].layers[0])
        mixing = _layer(maxout, norm)
        parts = np.split(mixing.weights, len(tables))
        softmax = tagger.model.layers[1].layers[0]
        network = Network(
            np.vstack([one.get_param("E") @ part for one, part in zip(tables, parts, strict=True)]),
            mixing,
            tuple(_convolutions(encoder)),
            (np.ascontiguousarray(softmax.get_param("W").T), softmax.get_param("b")),
        )
        assert encoder.attrs["pad"] == len(network.convolutions), "texts are padded as far as they reach"
        assert len(mixing.scale) % 4 == 0, "inputs go by fours"
        return cls(
            language,
            encoder.ops.hash,
            tuple(_features(tables)),
            network,
            tuple(label in _NOUN_TAGS for label in tagger.labels),
        )

    def nouns(self, text: str) -> tuple[str, ...]:
        """Return the nouns of a text, lower-cased."""
        with self.lock:
            document = self.language.make_doc(text)
            return tuple(self._nouns(document)) if len(document) else ()

    def _nouns(self, document: Doc) -> Iterator[str]:
        tags = self.network.tags(self._buckets(document))
        for token, tag in zip(document, tags.tolist(), strict=True):
            word = token.lower_
            if self.is_noun[tag] and word not in _PRONOUNS and not token.is_space:
                yield word

    def _buckets(self, document: Doc) -> NDArray[np.int64]:
        """Return the buckets of each token's features, a row for each token."""
        values = np.asarray(document.to_array(list(_FEATURES)), dtype=np.uint64)
        return np.hstack(
            [
                self.hashed(np.ascontiguousarray(values[:, number]), one.seed) % one.size + one.first
                for number, one in enumerate(self.features)
            ],
            dtype=np.int64,
        )


def _features(tables: Iterable[Any]) -> Iterator[_Feature]:
    first = 0
    for table in tables:
        size = len(table.get_param("E"))
        yield _Feature(table.attrs["seed"], size, first)
        first += size


def _convolutions(encoder: Any) -> Iterator[Layer]:
    for residual in encoder.layers[0].layers:
        _, maxout, norm, *_ = _flat(residual.layers[0])
        yield _layer(maxout, norm)


def _layer(maxout: Any, norm: Any) -> Layer:
    outputs, pieces, inputs = maxout.get_param("W").shape
    weights = maxout.get_param("W").transpose(2, 1, 0).reshape(inputs, pieces * outputs)
    bias = maxout.get_param("b").T.reshape(pieces * outputs)
    return Layer(np.ascontiguousarray(weights), bias, norm.get_param("G"), norm.get_param("b"))


def _flat(model: Any) -> Iterator[Any]:
    """The layers of a chain of chains."""
    if ">>" not in model.name:
        yield model
        return
    for layer in model.layers:
        yield from _flat(layer)
