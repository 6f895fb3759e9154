"""The arithmetic of spaCy's small tagger for one short text, compiled.

The compiled code is cached on disk. Arrays are float32 unless said otherwise.
"""

from typing import Any, Final

import attrs
import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float32]

EPSILON: Final = np.float32(1e-8)


@attrs.frozen(eq=False)
class Layer:
    """Maxout and layer normalization.

    `weights` has a row for each input, and for each piece of the maxout a column for each output.
    """

    weights: Array
    bias: Array
    scale: Array
    shift: Array


@attrs.frozen(eq=False)
class Network:
    """From the hashed features of tokens to tags.

    Attributes:
        embedding: a row for each bucket of each feature: what it adds to the products of `mixing`, whose own
            weights are in there.
        mixing: makes a vector of a token's features.
        convolutions: over windows of three tokens; each adds its outputs to what it had in the middle.
        classifier: the weights, with a column for each tag, and the bias.
    """

    embedding: Array
    mixing: Layer
    convolutions: tuple[Layer, ...]
    classifier: tuple[Array, Array]

    def tags(self, buckets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of the tags, given the buckets of each token's features."""
        mixing, padding = self.mixing, len(self.convolutions)
        states = _padded(buckets, self.embedding, mixing.bias, mixing.scale, mixing.shift, padding)
        for one in self.convolutions:
            states = _convolved(states, one.weights, one.bias, one.scale, one.shift)
        found: NDArray[np.int64] = _classified(states, *self.classifier)
        return found


@njit(cache=True, nogil=True)
def _padded(buckets: Any, embedding: Any, bias: Any, scale: Any, shift: Any, padding: int) -> Any:
    """Return the vectors of tokens, and of nothing before the first and after the last."""
    vectors = np.zeros((len(buckets) + 2 * padding, len(scale)), np.float32)
    products = np.empty(embedding.shape[1], np.float32)
    for token in range(len(buckets)):
        products[:] = 0
        for bucket in buckets[token]:
            for column in range(len(products)):
                products[column] += embedding[bucket, column]
        _normalize(products, bias, scale, shift, vectors[token + padding])
    return vectors


@njit(cache=True, nogil=True)
def _convolved(states: Any, weights: Any, bias: Any, scale: Any, shift: Any) -> Any:
    """Return the states with the outputs added, without the first and the last, which have no neighbour."""
    width = states.shape[1]
    rows = len(states) - 2
    products = _windowed(states.ravel(), width, rows, weights)
    after = np.empty((rows, width), np.float32)
    for row in range(rows):
        _normalize(products[row], bias, scale, shift, after[row])
        for column in range(width):
            after[row, column] += states[row + 1, column]
    return after


@njit(cache=True, nogil=True)
def _windowed(flat: Any, step: int, rows: int, weights: Any) -> Any:
    """Return the products of windows, each `step` further on, with the weights; inputs go by fours.

    The weights are read once, while a text's products stay in the processor's cache.
    """
    inputs, outputs = weights.shape
    products = np.zeros((rows, outputs), np.float32)
    for one in range(0, inputs, 4):
        for row in range(rows):
            here = row * step + one
            first, second, third, fourth = flat[here], flat[here + 1], flat[here + 2], flat[here + 3]
            for column in range(outputs):
                products[row, column] += (
                    first * weights[one, column]
                    + second * weights[one + 1, column]
                    + third * weights[one + 2, column]
                    + fourth * weights[one + 3, column]
                )
    return products


@njit(cache=True, nogil=True)
def _normalize(products: Any, bias: Any, scale: Any, shift: Any, outputs: Any) -> None:
    width = len(scale)
    mean = np.float32(0)
    for column in range(width):
        best = products[column] + bias[column]
        for piece in range(width + column, len(products), width):
            best = max(best, products[piece] + bias[piece])
        outputs[column] = best
        mean += best
    mean /= np.float32(width)
    variance = np.float32(0)
    for column in range(width):
        outputs[column] -= mean
        variance += outputs[column] * outputs[column]
    spread = np.sqrt(variance / np.float32(width) + EPSILON)
    for column in range(width):
        outputs[column] = outputs[column] / spread * scale[column] + shift[column]


@njit(cache=True, nogil=True)
def _classified(states: Any, weights: Any, bias: Any) -> Any:
    width = states.shape[1]
    scores = _windowed(states.ravel(), width, len(states), weights)
    tags = np.empty(len(states), np.int64)
    for row in range(len(states)):
        tags[row] = np.argmax(scores[row] + bias)
    return tags
