"""Fits the distilled table to whole texts: the pooled vector of a text shall be the teacher's vector of it.

    python train.py [--texts N] [--out FILE]

The loss of a text is 1 - cosine to its teacher vector, plus a contrastive part: among the batch's teacher vectors
its own shall be the nearest. Rows stay near their distilled values unless the texts say otherwise, so that tokens
the corpus lacks keep a sensible vector.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy import sparse

import corpus
import distill
import table
import teacher

NAME = "throughline-static-1"


def targets(vectors):
    """The teacher's vectors, centred and cut to the table's dimensions; and the map itself."""
    vectors = vectors.astype(np.float32)
    centre, axes = distill.principal(vectors)
    return table.unit((vectors - centre) @ axes), centre, axes


def first_rows(name, centre, axes):
    """Each token alone through the teacher, seen from the texts' centre, weighted by frequency."""
    rows = np.zeros((table.VOCABULARY, distill.DIMENSIONS), np.float32)
    alone = distill.token_vectors(name)
    rows[table.KEPT] = table.unit((alone - alone.mean(axis=0)) @ axes) * distill.frequency_weights()[:, None]
    return rows


class Adagrad:
    """Touches only the rows of a batch's tokens: a tenth of the work of an update of the whole table."""

    def __init__(self, rows, rate, keep):
        self.rows, self.first, self.rate, self.keep = rows.copy(), rows, rate, keep
        self.square = np.full(rows.shape, 1e-8, np.float32)

    def update(self, touched, gradient, slower):
        self.square[touched] += gradient * gradient
        step = self.rate * slower * gradient / np.sqrt(self.square[touched])
        self.rows[touched] -= step + self.keep * slower * (self.rows[touched] - self.first[touched])


def loss_gradient(pooled, target, contrast, temperature):
    """Of the loss by the pooled vectors, and the mean cosine."""
    length = np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-6)
    student = pooled / length
    logits = student @ target.T / temperature
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    gradient = -target + contrast * (likely @ target - target)
    gradient -= (gradient * student).sum(axis=1, keepdims=True) * student
    return gradient / length / len(pooled), (student * target).sum(axis=1).mean()


def train(counts, target, rows, *, epochs=4, batch=256, rate=0.03, keep=1e-3, contrast=0.5, temperature=0.1, log=print):
    counts = mean_counts(counts)
    table_rows, numbers = Adagrad(rows, rate, keep), np.random.default_rng(7)
    for epoch in range(epochs):
        started, cosines, order = time.time(), [], numbers.permutation(counts.shape[0])
        for at in range(0, len(order) - batch + 1, batch):
            chosen = order[at : at + batch]
            part = counts[chosen]
            touched, columns = np.unique(part.indices, return_inverse=True)
            part = sparse.csr_matrix((part.data, columns, part.indptr), shape=(batch, len(touched)))
            pooled = part @ table_rows.rows[touched]
            gradient, cosine = loss_gradient(pooled, target[chosen], contrast, temperature)
            cosines.append(cosine)
            table_rows.update(touched, part.T @ gradient, 1 - epoch / epochs)
        log(f"epoch {epoch}: cosine {np.mean(cosines):.4f}, {time.time() - started:.0f} s")
    return table_rows.rows


def mean_counts(counts):
    length = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    return counts.multiply(1 / length[:, None]).tocsr().astype(np.float32)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--teacher", default="arctic")
    arguments.add_argument("--texts", type=int, default=20000)
    arguments.add_argument("--out", type=Path, default=table.CACHE / "start.bin")
    chosen = arguments.parse_args()
    texts = corpus.read(chosen.texts)
    target, centre, axes = targets(teacher.corpus_vectors(chosen.teacher, texts))
    reader = teacher.reader()
    counts = table.token_counts(reader, texts)
    rows = train(counts, target, first_rows(chosen.teacher, centre, axes))
    table.save(chosen.out, rows, NAME, reader)


if __name__ == "__main__":
    main()
