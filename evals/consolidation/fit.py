"""Fits the weights by which pairs of statements are told apart before they are read, and gathers what the reader learns from.

    python -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python fit.py gather PROGRAM EXAMPLES         PROGRAM: throughline, built from these sources; minutes
    venv/bin/python fit.py fit PROGRAM EXAMPLES [FOLDER]   a linear judge of 32 numbers and their products; half an hour on two cores

PROGRAM tells what texts are made of and what pairs are weighed by (`eval weigh`), so it has to be built anew when that changes, and again afterwards.
The weights go to `weights.bin` of FOLDER, which is where the program takes them from unless given. Then come teach.py and
read.py.
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import torch

import pairs as material
import sentences
from pairs import REPORTED

ROOT = Path(__file__).parents[2]
WEIGH = ROOT / "crates/throughline-engine/src/remember/consolidate/weigh"
TABLE = ROOT / "crates/throughline-inference/assets/embedding.bin"
PIECES, NUMBERS, KINDS = 48, 32, 5
BATCH, EPOCHS, RATE = 2048, 40, 6e-3
# How much a label counts beside what the teachers say.
LABELS = 0.4
# Of one source no more are shown: it would not count for much more.
MOST = 200_000
CASES = {"unrelated": 0, "same": 1, "refined": 1, "opposite": 2, "apart": 3, "asked": 4}
UPPER = torch.triu_indices(NUMBERS, NUMBERS)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Table:
    """The rows of the program's embedding table, and where the words are that are one row."""

    def __init__(self, path):
        data = path.read_bytes()
        dimensions, rows, longest = np.frombuffer(data, "<u4", 3, 12)
        counts, at = np.frombuffer(data, "<u4", longest, 64), 64 + 4 * longest
        self.index = {}
        for length, count in enumerate(counts, 1):
            for _ in range(count):
                self.index[data[at : at + length].decode()] = len(self.index)
                at += length
        scales = np.frombuffer(data, "<f4", rows, at)
        values = np.frombuffer(data, "i1", rows * dimensions, at + 4 * rows)
        self.rows = values.reshape(rows, dimensions) * scales[:, None]


def gather(program, path):
    pairs, said = fewer(material.gathered(Table(TABLE))), sentences.gathered()
    print(len(pairs), "pairs", dict(Counter((pair["label"], pair["held"]) for pair in pairs)), flush=True)
    print(len(said), "sentences", dict(Counter((one["kind"], one["held"]) for one in said)), flush=True)
    every = [text for pair in pairs for text in (pair["known"], pair["new"])] + [one["text"] for one in said]
    texts = {text: at for at, text in enumerate(dict.fromkeys(every))}
    Path(f"{path}.texts.json").write_text(json.dumps(list(texts)), encoding="utf-8")
    # A set with many pairs counts for more, but not in proportion.
    groups = [(pair["source"], CASES[pair["label"]]) for pair in pairs]
    sizes, blind = Counter(groups), [f"blind {name}" for name in REPORTED]
    np.savez_compressed(
        path,
        pieces=np.stack([padded(row["known"]) for row in weighed(program, [(text, text) for text in texts])]),
        places=np.array([[texts[pair["known"]], texts[pair["new"]]] for pair in pairs], np.int32),
        case=np.array([CASES[pair["label"]] for pair in pairs], np.int8),
        held=np.array([pair["held"] for pair in pairs]),
        weight=np.array([10 / np.sqrt(sizes[group]) for group in groups], np.float32),
        across=np.array(["across" in pair["source"] for pair in pairs]),
        blind=np.array([blind.index(pair["source"]) + 1 if pair["source"] in blind else 0 for pair in pairs], np.int8),
        said=np.array([texts[one["text"]] for one in said], np.int32),
        kind=np.array([one["kind"] for one in said], np.int8),
        kind_held=np.array([one["held"] for one in said]),
    )


def fewer(pairs):
    of_source, chance = {}, random.Random(11)
    for pair in pairs:
        of_source.setdefault((pair["source"], pair["held"]), []).append(pair)
    return [pair for some in of_source.values() for pair in chance.sample(some, min(MOST, len(some)))]


def weighed(program, pairs):
    """What the program sees in each pair: the rows of the table that its texts are, and the numbers that it is weighed by."""
    with tempfile.TemporaryDirectory() as folder:
        told, answered = Path(folder, "pairs.jsonl"), Path(folder, "weighed.jsonl")
        with open(told, "w", encoding="utf-8") as out:
            out.writelines(json.dumps({"known": known, "new": new}) + "\n" for known, new in pairs)
        subprocess.run([program, "eval", "weigh", told, "--out", answered], check=True)
        with open(answered, encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def numbered(program, path, chosen):
    """The numbers of the chosen pairs, and of the others none."""
    texts, places = json.loads(Path(f"{path}.texts.json").read_text(encoding="utf-8")), np.load(path)["places"]
    numbers = np.zeros((len(places), NUMBERS), np.float16)
    for at, row in zip(chosen, weighed(program, [[texts[side] for side in places[at]] for at in chosen]), strict=True):
        numbers[at] = row["numbers"]
    return torch.tensor(numbers, dtype=torch.float, device=DEVICE)


def padded(rows):
    """Rows of the table are counted from one, and none is nothing."""
    return np.array([row + 1 for row in rows] + [0] * (PIECES - len(rows)), np.int32)


class Examples:
    """Pairs in numbers."""

    def __init__(self, path):
        data = np.load(path)
        given = lambda name, kind: torch.tensor(data[name], dtype=kind, device=DEVICE)
        self.pieces, self.places = given("pieces", torch.long), given("places", torch.long)
        self.weight = given("weight", torch.float)
        self.case, self.held = given("case", torch.long), given("held", torch.bool)
        self.across, self.blind = given("across", torch.bool), given("blind", torch.long)
        self.said, self.kind, self.kind_held = given("said", torch.long), given("kind", torch.long), given("kind_held", torch.bool)
        taught = lambda what: torch.tensor(np.load(f"{path}.{what}.npy"), dtype=torch.float, device=DEVICE)
        is_taught = Path(f"{path}.taught.npy").exists()
        self.known_sentences = torch.where(~self.kind_held & ((self.kind < KINDS) | is_taught))[0]
        self.taught, self.taught_kinds = (taught("taught"), taught("kinds")) if is_taught else (None, None)


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        width = NUMBERS + UPPER.shape[1]
        self.weights = torch.nn.Parameter(torch.zeros(width, 3))
        self.bias = torch.nn.Parameter(torch.zeros(3))

    def forward(self, numbers):
        products = numbers[:, UPPER[0]] * numbers[:, UPPER[1]]
        return torch.cat([numbers, products], 1) @ self.weights + self.bias


def miss(logits, case, weight, taught=None):
    return (misses(logits, case, taught) * weight).mean()


def misses(logits, case, taught=None):
    """How far off the labels each is, and the teachers where there are any."""
    shares = logits.log_softmax(-1)
    named = -shares.gather(1, case.clamp(max=2)[:, None])[:, 0]
    not_the_same = -torch.log1p(-shares[:, 1].exp().clamp(max=0.9999))
    off = torch.where(case == 3, not_the_same, named) * (case < 4)
    if taught is not None:
        off = LABELS * off + (1 - LABELS * (case < 4)) * off_teachers(logits, taught)
    return off


def off_teachers(logits, taught):
    return -(taught.exp() * logits.log_softmax(-1)).sum(-1)


def descended(judge, chosen, examples, numbers, weight):
    judge.to(DEVICE)
    plan = torch.optim.AdamW(judge.parameters(), RATE, weight_decay=1e-3)
    course = torch.optim.lr_scheduler.OneCycleLR(plan, RATE, EPOCHS * math.ceil(len(chosen) / BATCH))
    for _ in range(EPOCHS):
        for some in chosen[torch.randperm(len(chosen), device=DEVICE)].split(BATCH):
            loss = miss(judge(numbers[some]), examples.case[some], weight[some])
            plan.zero_grad()
            loss.backward()
            plan.step()
            course.step()
    return judge


def report(name, logs, examples, chosen):
    for at, source in enumerate(["kept back", *REPORTED]):
        of = chosen[examples.blind[chosen] == at]
        told(f"{name}, {source}", logs[of].softmax(-1), examples.case[of])


def report_kinds(name, logs, examples):
    held = examples.kind_held
    lasting, is_kept = 1 - logs[held].softmax(-1)[:, 0], examples.kind[held] > 0
    line = [f"{name}, sentences, {len(is_kept)}:"]
    for sure in (0.5, 0.7, 0.8, 0.9, 0.95):
        taken = lasting >= sure
        line.append(f"{sure}: {is_kept[taken].float().mean():.3f} {taken[is_kept].float().mean():.3f}")
    print("; ".join(line), flush=True)


def told(name, found, case):
    line = [f"{name}, {len(case)}:"]
    for number, what, levels in ((1, "same", (0.35, 0.5)), (2, "opposite", (0.5, 0.75))):
        judged = case != 3 if number == 2 else torch.ones_like(case, dtype=torch.bool)
        for sure in levels:
            taken = judged & (found[:, number] >= sure)
            right = int((case[taken] == number).sum())
            precision, recall = right / max(1, int(taken.sum())), right / max(1, int((case == number).sum()))
            line.append(f"{what} {sure}: {precision:.3f} {recall:.3f}")
    about = 1 - found[:, 0]
    line.append(f"about {(about[case == 1] >= 0.8).float().mean():.3f} {(about[case == 2] >= 0.8).float().mean():.3f}")
    line.append(f"not about {(about[case == 0] < 0.8).float().mean():.3f}")
    print("; ".join(line), flush=True)


def fit(program, path, folder):
    torch.manual_seed(0)
    examples = Examples(path)
    labelled = torch.where(~examples.held & (examples.case < 3))[0]
    # It has to tell what is about something else from all that a store has, before the reader reads.
    weight = examples.weight * (1 + 2 * examples.across)
    held, logs = torch.where(examples.held)[0], torch.zeros(len(examples.case), 3, device=DEVICE)
    numbers = numbered(program, path, torch.cat([labelled, held]).tolist())
    judge = descended(Linear(), labelled, examples, numbers, weight)
    with torch.no_grad():
        for some in held.split(BATCH):
            logs[some] = judge(numbers[some]).log_softmax(-1)
    report("numbers", logs, examples, held)
    parts = [part.detach().cpu().numpy().astype("<f4") for part in (judge.bias, judge.weights.T)]
    Path(folder, "weights.bin").write_bytes(b"".join(np.ascontiguousarray(part).tobytes() for part in parts))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["gather", program, path]:
            gather(Path(program).resolve(), path)
        case ["fit", program, path, *folder]:
            fit(Path(program).resolve(), path, *folder or [WEIGH])
        case _:
            sys.exit(__doc__)
