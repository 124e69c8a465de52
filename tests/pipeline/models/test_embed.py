from __future__ import annotations

import pickle

import numpy as np

from pipeline.models.embed import Embedder


def test_vectors_have_unit_length_and_are_the_same_each_time() -> None:
    embedder = Embedder()
    texts = ["Add a bill", "添加账单", "Add a bill"]

    vectors = embedder.vectors(texts)

    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(vectors, pickle.loads(pickle.dumps(embedder)).vectors(texts))  # noqa: S301
    assert embedder.vectors([]).shape == (0, 384)


def test_a_question_and_a_passage_are_embedded_differently() -> None:
    embedder = Embedder()

    assert not np.array_equal(embedder.vectors(["bill"]), embedder.vectors(["bill"], query=True))


def test_the_passage_that_means_the_same_ranks_first_in_any_language() -> None:
    passages = ["Open the settings page", "Delete a participant", "Add a new bill"]

    for question in ("Please create a bill for dinner", "请添加一笔账单"):
        order = Embedder().rank(question, passages)
        assert order[0][0] == 2
        assert order[0][1] > order[1][1] > order[2][1]
