"""Puts together what the GPU step reads.

    python pack.py FOLDER     pairs.N.xz, corpus.txt.xz, friends.json.xz, start.bin, arctic.tar.xz, bge.tar.xz in FOLDER
"""

import json
import lzma
import shutil
import sys
import tarfile
from pathlib import Path

import numpy as np

import corpus
import measure
import table
import teacher

TEXTS = 120_000
PARTS = 2


def packed(path, text):
    with lzma.open(path, "wt", preset=6) as file:
        file.write(text)


def main(folder):
    folder.mkdir(exist_ok=True)
    pairs = (table.CACHE / "pairs.jsonl").read_text().splitlines()
    for part in range(PARTS):
        packed(folder / f"pairs.{part}.xz", "\n".join(pairs[part::PARTS]))
    packed(folder / "corpus.txt.xz", "\n".join(corpus.build().read_text().splitlines()[:TEXTS]))
    scenes = []
    for haystack in measure.friends():
        lexical = measure.bm25(haystack)
        lexical = lexical / np.maximum(lexical.max(axis=1, keepdims=True), 1e-9)
        scenes.append({
            "documents": haystack.documents,
            "questions": [q[0] for q in haystack.questions],
            "gold": [sorted(q[1]) for q in haystack.questions],
            "lexical": np.round(lexical, 3).tolist(),
        })
    packed(folder / "friends.json.xz", json.dumps(scenes))
    shutil.copy(table.CACHE / "start.bin", folder)
    for name in teacher.TEACHERS:
        with tarfile.open(folder / f"{name}.tar.xz", "w:xz") as archive:
            archive.add(teacher.files(teacher.TEACHERS[name]), name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
