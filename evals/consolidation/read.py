"""Fits the reader that the program is built with: the first layers of a sentence model, on what its teacher says.

    venv/bin/python read.py FOLDER EXAMPLES SECONDS [OUT]

FOLDER and EXAMPLES as teach.py left them. OUT is where the program takes it from unless given. The rate falls with the time,
so SECONDS decides how good it gets. An H200 takes 15 ms for a step of 512 pairs.
"""

import random
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from bert import HEADS, Bert, plain
from fit import DEVICE, KINDS, PIECES, ROOT, TABLE, Examples, Table, miss, misses, off_teachers, report, report_kinds
from models import SMALL, whole
from steps import Again, Steps, of_like_length, shuffled
from teach import by_themselves, side_by_side

READER = ROOT / "crates/throughline-inference/assets/reader.bin"
LAYERS, GLANCE, POSITIONS = 6, 2, 2 * PIECES + 3
BATCH, SENTENCES, RATE, DROPPED = 512, 64, 3e-4, 0.1
# Columns that lie together in the file, and numbers of each of them, as the program multiplies them.
TOGETHER, DEEP = 32, 4
KIND_SHARE, GLANCE_SHARE = 0.15, 0.15
GLANCES = (0.9, 0.95, 0.97, 0.98, 0.99, 0.995)


def words(folder):
    """The model's words in the order of the table's rows; nothing first, what begins and ends last."""
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    ids = {word: at for at, word in enumerate(vocabulary)}
    order = [ids["[PAD]"], *(ids[word] for word in Table(TABLE).index), ids["[CLS]"], ids["[SEP]"]]
    return whole(np.load(folder / f"{SMALL}.npz"), "embeddings.word_embeddings.weight")[order]


def halved(rows):
    """As they are kept: four bits each, with a scale for each row."""
    scale = np.abs(rows).max(1, keepdims=True).clip(1e-9) / 7
    return np.round(rows / scale).clip(-7, 7).astype(np.int8), scale.astype(np.float32)


class Reader(torch.nn.Module):
    """`path` has the numbers of a model that it begins as, `rows` those of its words."""

    def __init__(self, path, rows):
        super().__init__()
        self.bert = Bert(path, 3, LAYERS, DROPPED)
        self.bits, self.scale = halved(rows)
        # They stay as they are: most words are in no example.
        self.bert.named["word"] = torch.nn.Parameter(torch.tensor(self.bits * self.scale), requires_grad=False)
        self.bert.named["position"] = torch.nn.Parameter(self.bert.named["position"][:POSITIONS].detach().clone())
        self.kinds = torch.nn.Linear(self.bert.width, KINDS)
        # After a few layers, whether the two are about different things: most pairs are, and need no more.
        self.glance = torch.nn.Linear(self.bert.width, 1)
        self.ends = len(self.bits) - 2, len(self.bits) - 1

    def pairs(self, pieces, places, width=POSITIONS):
        states = self.bert.states(*side_by_side(pieces, places, *self.ends, width))
        return self.bert.out(states[-1]), self.glance(states[GLANCE - 1])[:, 0]

    def sentences(self, pieces):
        return self.kinds(self.bert.whole(*by_themselves(pieces, *self.ends)))


def random_part(of, count):
    return of[torch.randperm(len(of), device=of.device)[:count]]


def fitted(reader, examples, missed, seconds, rate):
    known, length = torch.where(~examples.held)[0], (examples.pieces > 0).sum(1)[examples.places].sum(1) + 3
    examples.weight /= examples.weight[known].mean()
    again = Again(known, missed)

    def parts():
        for width, some in shuffled(of_like_length(again.chosen(), length, BATCH, 5)):
            few = torch.randint(len(examples.known_sentences), (SENTENCES,), device=DEVICE)
            yield min(width, POSITIONS), some, examples.known_sentences[few]

    Steps(reader, lambda *of: off(reader, examples, again, *of)).for_seconds(seconds, rate, parts)
    return reader.eval()


def off(reader, examples, again, width, some, few):
    """How far off the teachers and the labels it is, for some pairs and a few sentences."""
    with torch.autocast(DEVICE, torch.bfloat16):
        pairs, glance = reader.pairs(examples.pieces, examples.places[some], width)
        sentences = reader.sentences(examples.pieces[examples.said[few]])
    said, taught, weight = pairs.float(), examples.taught[some], examples.weight[some] * again.counts[some]
    # What a teacher is in doubt of is not hard for that.
    unlike = off_teachers(said, taught) - off_teachers(taught, taught)
    again.note(some, torch.where(examples.case[some] < 4, misses(said, examples.case[some]), unlike))
    kinds = off_teachers(sentences.float(), examples.taught_kinds[few]).mean()
    at_a_glance = F.binary_cross_entropy_with_logits(glance.float(), taught[:, 0].exp().clamp(0, 1), weight)
    return miss(said, examples.case[some], weight, taught) + KIND_SHARE * kinds + GLANCE_SHARE * at_a_glance


def written(reader):
    """As the program reads it (crates/throughline-inference/src/read.rs)."""
    bert = reader.bert
    number = lambda part: np.ascontiguousarray(part.detach().float().cpu().numpy().astype("<f4")).tobytes()
    low, high = ((reader.bits[:, half::2] + 8).astype(np.uint8) for half in (0, 1))
    yield reader.scale.astype("<f4").tobytes()
    yield (low | high << 4).tobytes()
    for segment in (0, 1):
        yield number(bert.named["position"] + bert.named["token_type"][segment])
    norm = lambda name: [number(bert.norms[plain(f"{name}.LayerNorm.{kind}")]) for kind in ("weight", "bias")]
    yield from norm("embeddings")
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}."
        part = lambda name: [bert.linears[plain(f"{layer}{name}.{kind}")].detach().cpu() for kind in ("weight", "bias")]
        yield from linear(*asking(part, (bert.width // HEADS) ** -0.5))
        yield from linear(*part("attention.output.dense"))
        yield from norm(layer + "attention.output")
        yield from linear(*part("intermediate.dense"))
        yield from linear(*part("output.dense"))
        yield from norm(layer + "output")
    for head in (bert.out, reader.kinds, reader.glance):
        yield number(head.weight)
        yield number(head.bias)


def asking(part, scale):
    """Queries, keys and values in one. The scores are divided by the scale; to divide the queries once comes to the same."""
    parts = [part(f"attention.self.{name}") for name in ("query", "key", "value")]
    parts[0] = [values * scale for values in parts[0]]
    return [torch.cat(values, -1) for values in zip(*parts)]


def linear(weights, bias):
    weights = weights.numpy()
    scale = np.abs(weights).max(0).clip(1e-9) / 127
    yield bias.numpy().astype("<f4").tobytes()
    yield scale.astype("<f4").tobytes()
    whole = np.round(weights / scale).astype(np.int8).reshape(-1, DEEP, weights.shape[1] // TOGETHER, TOGETHER)
    yield np.ascontiguousarray(whole.transpose(2, 0, 3, 1)).tobytes()


@torch.no_grad()
def told(reader, examples):
    held = torch.where(examples.held)[0]
    held = torch.cat([held[examples.blind[held] > 0], random_part(held[examples.blind[held] == 0], 10_000)])
    pairs, glances = torch.zeros(len(examples.case), 3, device=DEVICE), torch.zeros(len(examples.case), device=DEVICE)
    for some in held.split(512):
        said, glances[some] = reader.pairs(examples.pieces, examples.places[some])
        pairs[some] = said.log_softmax(-1)
    report("reader", pairs, examples, held)
    report_glance(glances[held].sigmoid(), pairs[held].exp())
    kinds = torch.zeros(len(examples.said), KINDS, device=DEVICE)
    for some in torch.where(examples.kind_held)[0].split(512):
        kinds[some] = reader.sentences(examples.pieces[examples.said[some]]).log_softmax(-1)
    report_kinds("reader", kinds, examples)


def report_glance(glances, pairs):
    """Of what the whole reader says something of and of what it does not, how much needs no more than a glance."""
    is_about = pairs[:, 0] < 0.6
    line = [f"{sure}: {(glances[is_about] >= sure).float().mean():.4f} {(glances[~is_about] >= sure).float().mean():.3f}" for sure in GLANCES]
    print("glance: " + "; ".join(line), flush=True)


def main(folder, path, seconds, out):
    torch.manual_seed(0)
    random.seed(0)
    examples = Examples(path)
    reader = Reader(folder / f"{SMALL}.npz", words(folder)).to(DEVICE)
    reader = fitted(reader, examples, torch.ones(len(examples.case), device=DEVICE), seconds, RATE)
    Path(out).write_bytes(b"".join(written(reader)))
    told(reader, examples)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder, path, seconds, *out]:
            main(Path(folder), path, float(seconds), *out or [READER])
        case _:
            sys.exit(__doc__)
