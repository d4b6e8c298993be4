"""Fits anew what the reader tells the kind of a sentence by: one sum for each kind, of what it makes of the whole.

    venv/bin/python kinds.py PROGRAM

PROGRAM is a build of the program with the reader as it is. All else of the reader stays, so no GPU is needed: a few minutes.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from sentences import ASKED, KINDS, gathered, rows

READER = Path(__file__).parents[2] / "crates/throughline-inference/assets/reader.bin"
WIDTH, GLANCE = 384, 385
# Of what histories tell and of what only the reader says, more would outweigh the rest.
MOST = {1: 7_000, ASKED: 5_000}
PROMPTS, ASKED_COUNTS = 3.0, 0.5


def chosen():
    chance = random.Random(3)
    every = gathered()
    chance.shuffle(every)
    left, some = dict(MOST), []
    prompts = {row["text"] for row in rows("extraction/prompts.jsonl")}
    for row in every:
        is_prompt = row["text"] in prompts
        if not row["held"] and not is_prompt and row["kind"] in left:
            if left[row["kind"]] == 0:
                continue
            left[row["kind"]] -= 1
        some.append({**row, "counts": PROMPTS if is_prompt else ASKED_COUNTS if row["kind"] == ASKED else 1.0})
    return some


def wholes(program, texts):
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder, "texts.jsonl"), Path(folder, "wholes.jsonl")
        given.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
        subprocess.run([program, "eval", "weigh", given, "--out", out], check=True, stdout=subprocess.DEVNULL)
        return np.array([json.loads(line)["whole"] for line in open(out, encoding="utf-8")], "<f4")


def head():
    """The bytes of the sums in the reader, and where they stand: before those of the glance, which come last."""
    reader = bytearray(READER.read_bytes())
    end = len(reader) - 4 * GLANCE
    return reader, slice(end - 4 * len(KINDS) * (WIDTH + 1), end)


def report(name, lasting, is_lasting):
    for level in (0.4, 0.7, 0.9, 0.97):
        given = lasting >= level
        print(f"{name} {level}: {is_lasting[given].mean():.3f} right, {is_lasting[given].sum() / is_lasting.sum():.3f} found")
    print(f"{name}: area {roc_auc_score(is_lasting, lasting):.3f}")


def main(program):
    some = chosen()
    whole = wholes(program, [row["text"] for row in some])
    kind, held = np.array([row["kind"] for row in some]), np.array([row["held"] for row in some])
    reader, place = head()
    before = np.frombuffer(bytes(reader[place]), "<f4")
    sums = whole @ before[: len(KINDS) * WIDTH].reshape(len(KINDS), WIDTH).T + before[len(KINDS) * WIDTH :]
    asked = kind == ASKED
    kind[asked] = sums[asked].argmax(1)
    fit = LogisticRegression(C=1, max_iter=1000)
    fit.fit(whole[~held], kind[~held], sample_weight=np.array([row["counts"] for row in some])[~held])
    shares = np.exp(sums - sums.max(1, keepdims=True))
    report("before", 1 - (shares / shares.sum(1, keepdims=True))[held][:, 0], kind[held] > 0)
    report("now", 1 - fit.predict_proba(whole[held])[:, 0], kind[held] > 0)
    reader[place] = fit.coef_.astype("<f4").tobytes() + fit.intercept_.astype("<f4").tobytes()
    READER.write_bytes(reader)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [program]:
            main(program)
        case _:
            sys.exit(__doc__)
