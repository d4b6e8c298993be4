"""Fits the weights that tell what two statements are to each other, which the program is built with.

    python -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python fit.py gather PROGRAM EXAMPLES     PROGRAM: throughline, built from these sources
    venv/bin/python fit.py fit EXAMPLES [FOLDER]       minutes on a GPU, hours on two cores
    venv/bin/python fit.py on EXAMPLES [FOLDER]        the network alone, from the weights that are there: half an hour on two cores

PROGRAM tells what pairs are weighed by (`eval weigh`), so it has to be built anew when that changes, and again afterwards.
Two judges are fitted: a linear one for 32 numbers and their products, which tells what is surely something else, and a
network that reads the rest word by word; to `weights.bin` and `words.bin` of FOLDER, which is where the program takes them
from unless given.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

ROOT = Path(__file__).parents[2]
WEIGH = ROOT / "crates/throughline-engine/src/remember/consolidate/weigh"
TABLE = ROOT / "crates/throughline-inference/assets/embedding.bin"
WIDTH, LOOKS, PIECES, NUMBERS = 64, 4, 32, 32
BLOCK, BLOCKS, SPREAD = 128, 8, 12
CASES = {"unrelated": 0, "same": 1, "refined": 1, "opposite": 2, "apart": 3}
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
    import pairs as material

    pairs = material.gathered(Table(TABLE))
    print(len(pairs), "pairs", dict(Counter((pair["label"], pair["held"]) for pair in pairs)), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        told, weighed = Path(folder, "pairs.jsonl"), Path(folder, "weighed.jsonl")
        told.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
        subprocess.run([program, "eval", "weigh", told, "--out", weighed], check=True)
        pieces, places, numbers = {}, [], []
        for line in open(weighed, encoding="utf-8"):
            row = json.loads(line)
            numbers.append(np.array(row["numbers"], np.float32))
            places.append([pieces.setdefault(tuple(row[side]), len(pieces)) for side in ("known", "new")])
    # A set with many pairs counts for more, but not in proportion.
    groups = [(pair["source"], CASES[pair["label"]]) for pair in pairs]
    sizes = Counter(groups)
    np.savez_compressed(
        path,
        pieces=np.stack([padded(rows) for rows in pieces]),
        places=np.array(places, np.int32),
        numbers=np.stack(numbers).astype(np.float16),
        case=np.array([CASES[pair["label"]] for pair in pairs], np.int8),
        held=np.array([pair["held"] for pair in pairs]),
        weight=np.array([10 / np.sqrt(sizes[group]) for group in groups], np.float32),
        across=np.array(["across" in pair["source"] for pair in pairs]),
    )


def padded(rows):
    """Rows of the table are counted from one, and none is nothing."""
    return np.array([row + 1 for row in rows] + [0] * (PIECES - len(rows)), np.int32)


class Examples:
    """Pairs in numbers."""

    def __init__(self, path):
        data = np.load(path)
        given = lambda name, kind: torch.tensor(data[name], dtype=kind, device=DEVICE)
        self.pieces, self.places = given("pieces", torch.long), given("places", torch.long)
        self.numbers, self.weight = given("numbers", torch.float), given("weight", torch.float)
        self.case, self.held = given("case", torch.long), given("held", torch.bool)
        self.across = given("across", torch.bool)

    def some(self, chosen):
        """Statements, each once; which of them the pairs are of; and the pairs' numbers."""
        own, places = self.places[chosen].unique(return_inverse=True)
        pieces = self.pieces[own]
        return pieces[:, : int((pieces > 0).sum(1).amax())], places, self.numbers[chosen]

    def batches(self, chosen):
        """Pairs of a fact lie together, so that its statements are read once for many of them."""
        near = self.places[chosen].amin(1) + torch.rand(len(chosen), device=DEVICE) * SPREAD
        blocks = list(chosen[near.argsort()].split(BLOCK)[:-1])
        random.shuffle(blocks)
        return [torch.cat(blocks[at : at + BLOCKS]) for at in range(0, len(blocks), BLOCKS)]


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        width = NUMBERS + UPPER.shape[1]
        self.weights = torch.nn.Parameter(torch.zeros(width, 3))
        self.bias = torch.nn.Parameter(torch.zeros(3))

    def forward(self, _pieces, _places, numbers):
        products = numbers[:, UPPER[0]] * numbers[:, UPPER[1]]
        return torch.cat([numbers, products], 1) @ self.weights + self.bias

    def written(self):
        return [self.bias, self.weights.T]


class Network(torch.nn.Module):
    """Each word, as its statement has it, beside those that the other has for it."""

    def __init__(self, table):
        super().__init__()
        rows = torch.tensor(table.rows, dtype=torch.float)
        self.register_buffer("rows", torch.cat([torch.zeros(1, rows.shape[1]), rows]))
        self.project = layer(rows.shape[1], WIDTH)
        self.places = torch.nn.Parameter(torch.randn(PIECES, WIDTH) * 0.1)
        self.around, self.around_bias = layer(3 * WIDTH, WIDTH), none(WIDTH)
        self.before_looking = torch.nn.LayerNorm(WIDTH)
        self.looks, self.looked = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.before_thinking = torch.nn.LayerNorm(WIDTH)
        self.think, self.thought = torch.nn.Linear(WIDTH, 2 * WIDTH), torch.nn.Linear(2 * WIDTH, WIDTH)
        self.sharpness = torch.nn.Parameter(torch.tensor(2.0))
        self.compare, self.compare_bias = layer(4 * WIDTH + 1, WIDTH), none(WIDTH)
        self.mix, self.mix_bias = layer(4 * WIDTH, WIDTH), none(WIDTH)
        self.numbers = layer(NUMBERS, WIDTH)
        self.out, self.out_bias = layer(WIDTH, 3), none(3)

    def forward(self, pieces, places, numbers):
        # What is left out while fitting must not be needed to be right.
        pieces = pieces * self.kept(pieces.shape, 0.1)
        numbers = numbers * self.kept((len(numbers), 1), 0.3)
        read = pieces, *self.meanings(pieces)
        one, other = ([part[places[:, side]] for part in read] for side in (0, 1))
        seen = self.scaled(torch.cat([*self.beside(one, other), *self.beside(other, one)], -1))
        hidden = torch.relu(seen @ self.mix + numbers @ self.numbers + self.mix_bias)
        return self.scaled(hidden) @ self.out + self.out_bias

    def kept(self, shape, left_out):
        return torch.rand(shape, device=self.rows.device) >= left_out if self.training else 1

    def scaled(self, values):
        return F.dropout(values, 0.3, self.training)

    def meanings(self, pieces):
        there = (pieces > 0)[..., None]
        alone = (self.scaled(self.rows[pieces]) @ self.project + self.places[: pieces.shape[1]]) * there
        before, after = F.pad(alone, (0, 0, 1, 0))[:, :-1], F.pad(alone, (0, 0, 0, 1))[:, 1:]
        around = torch.cat([before, alone, after], -1) @ self.around + self.around_bias
        meaning = (alone + torch.relu(around)) * there
        meaning = meaning + self.looked(self.seen_around(meaning, pieces > 0))
        meaning = (meaning + self.thought(torch.relu(self.think(self.before_thinking(meaning))))) * there
        return meaning, meaning / torch.sqrt((meaning**2).sum(-1, keepdim=True) + 1e-12)

    def seen_around(self, meaning, there):
        looks = self.looks(self.before_looking(meaning)).unflatten(-1, (3, LOOKS, WIDTH // LOOKS))
        asked, answered, told = looks.permute(2, 0, 3, 1, 4)
        # What is not there sees itself, lest it see nothing at all.
        visible = there[:, None, None, :] | torch.eye(there.shape[1], dtype=torch.bool, device=there.device)
        return F.scaled_dot_product_attention(asked, answered, told, attn_mask=visible).transpose(1, 2).flatten(2)

    def beside(self, one, other):
        (mine, meaning, direction), (theirs, other_meaning, other_direction) = one, other
        near = direction @ other_direction.transpose(1, 2) * self.sharpness.exp()
        share = near.masked_fill((theirs == 0)[:, None, :], -1e9).softmax(-1)
        counterpart = share @ other_meaning
        there = ((mine[:, :, None] == theirs[:, None, :]) & (mine > 0)[:, :, None]).any(2)[..., None]
        seen = [meaning, counterpart, (meaning - counterpart).abs(), meaning * counterpart, there]
        compared = torch.relu(torch.cat(seen, -1) @ self.compare + self.compare_bias) * (mine > 0)[..., None]
        return compared.sum(1) / 8, compared.amax(1)

    def written(self):
        linear = lambda part: [part.weight.T, part.bias]
        levels = lambda part: [part.weight, part.bias]
        return [
            self.project, self.places, self.around, self.around_bias,
            *levels(self.before_looking), *linear(self.looks), *linear(self.looked),
            *levels(self.before_thinking), *linear(self.think), *linear(self.thought),
            self.sharpness.exp(), self.compare, self.compare_bias, self.mix, self.mix_bias,
            self.numbers, self.out, self.out_bias,
        ]


def layer(inputs, outputs):
    return torch.nn.Parameter((torch.rand(inputs, outputs) * 2 - 1) / inputs**0.5)


def none(outputs):
    return torch.nn.Parameter(torch.zeros(outputs))


def miss(logits, case, weight):
    shares = logits.log_softmax(-1)
    named = -shares.gather(1, case.clamp(max=2)[:, None])[:, 0]
    not_the_same = -torch.log1p(-shares[:, 1].exp().clamp(max=0.9999))
    return (torch.where(case == 3, not_the_same, named) * weight).mean()


def descended(judge, chosen, examples, weight, epochs, rate, decay):
    judge.to(DEVICE).train()
    steps = epochs * (len(chosen) // (BLOCK * BLOCKS) + 1)
    plan = torch.optim.AdamW(judge.parameters(), rate, weight_decay=decay)
    course = torch.optim.lr_scheduler.OneCycleLR(plan, rate, steps + 1)
    for epoch in range(epochs):
        total = torch.zeros((), device=DEVICE)
        batches = examples.batches(chosen)
        for some in batches:
            loss = miss(judge(*examples.some(some)), examples.case[some], weight[some])
            plan.zero_grad()
            loss.backward()
            plan.step()
            course.step()
            total += loss.detach()
        print(f"  {epoch + 1} of {epochs}: {float(total) / len(batches):.4f}", flush=True)
    return judge.eval()


@torch.no_grad()
def shares(judge, examples, chosen):
    return torch.cat([judge(*examples.some(some)).log_softmax(-1) for some in chosen.split(2048)])


def report(name, logs, case):
    found = logs.softmax(-1)
    for number, what, levels in ((1, "same", (0.3, 0.45, 0.6)), (2, "opposite", (0.5, 0.7, 0.9))):
        judged = case != 3 if number == 2 else torch.ones_like(case, dtype=torch.bool)
        for sure in levels:
            taken = judged & (found[:, number] >= sure)
            right = int((case[taken] == number).sum())
            precision, recall = right / max(1, int(taken.sum())), right / int((case == number).sum())
            print(f"{name}: {what} from {sure}: precision {precision:.3f}, recall {recall:.3f}")


@torch.no_grad()
def taken_up(judge, path):
    """The judge as it was written."""
    values = torch.tensor(np.fromfile(path, "<f4"))
    for part in judge.written():
        own, values = values[: part.numel()].reshape(part.shape), values[part.numel() :]
        part.copy_(own)
        if part.ndim == 0:
            judge.sharpness.copy_(own.log())
    return judge


def fit(path, folder, goes_on):
    torch.manual_seed(0)
    random.seed(0)
    examples = Examples(path)
    known, held = torch.where(~examples.held)[0], torch.where(examples.held)[0]
    network, judges = Network(Table(TABLE)), {}
    if goes_on:
        judges["words.bin"] = descended(taken_up(network, WEIGH / "words.bin"), known, examples, examples.weight, 4, 8e-4, 1e-2)
    else:
        labelled = known[examples.case[known] != 3]
        # It has to tell what is about something else from all that a store has, before the network looks.
        weight = examples.weight * (1 + 2 * examples.across)
        judges["weights.bin"] = descended(Linear(), labelled, examples, weight, 20, 6e-3, 1e-3)
        judges["words.bin"] = descended(network, known, examples, examples.weight, 24, 1e-3, 1e-2)
    for name, judge in judges.items():
        report(name, shares(judge, examples, held), examples.case[held])
        parts = [part.detach().cpu().numpy().astype("<f4") for part in judge.written()]
        Path(folder, name).write_bytes(b"".join(np.ascontiguousarray(part).tobytes() for part in parts))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["gather", program, path]:
            gather(Path(program).resolve(), path)
        case ["fit" | "on" as way, path, *folder]:
            fit(path, *folder or [WEIGH], way == "on")
        case _:
            sys.exit(__doc__)
