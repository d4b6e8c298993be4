"""A first table without any training: each token alone through the teachers, then PCA and frequency weights.

    python distill.py [--teachers arctic bge] [--out FILE]      writes CACHE/distilled.npy
"""

import argparse
from pathlib import Path

import numpy as np

import table
import teacher

DIMENSIONS = 256


def token_vectors(name):
    path = table.CACHE / f"tokens-{name}.npy"
    if not path.exists():
        np.save(path, teacher.Model(name).ids([[int(i)] for i in table.KEPT]))
    return np.load(path)


def principal(vectors):
    """Centre and axes of the directions with the most variance."""
    centre = vectors.mean(axis=0)
    _, _, axes = np.linalg.svd(vectors - centre, full_matrices=False)
    return centre, axes[:DIMENSIONS].T


def frequency_weights(a=1e-4):
    """SIF weights; BERT's vocabulary is ordered by frequency, so Zipf's law stands for the counts."""
    rank = np.arange(1, len(table.KEPT) + 1)
    share = 1 / (rank * np.log(len(rank)))
    return (a / (a + share)).astype(np.float32)


def distill(teachers):
    vectors = np.hstack([token_vectors(name) for name in teachers])
    centre, axes = principal(vectors)
    rows = np.zeros((table.VOCABULARY, DIMENSIONS), np.float32)
    rows[table.KEPT] = (vectors - centre) @ axes * frequency_weights()[:, None]
    return rows


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--teachers", nargs="+", default=["arctic", "bge"])
    arguments.add_argument("--out", type=Path, default=table.CACHE / "distilled.npy")
    chosen = arguments.parse_args()
    np.save(chosen.out, distill(chosen.teachers))


if __name__ == "__main__":
    main()
