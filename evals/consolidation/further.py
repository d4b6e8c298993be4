"""Fits the reader that is there further, to what was added since it was fitted: in minutes.

    python3 further.py EXAMPLES SECONDS [OUT]

EXAMPLES as fit.py gathered them, and as teach.py left them where a teacher was asked. Without one, what the reader says now is its
own teacher, but for what labels say otherwise, so that it keeps what it knows. OUT is where the program takes it from unless given.
"""

import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import read
from bert import HEADS, PARTS
from fit import DEVICE, KINDS, Examples
from read import DEEP, LAYERS, POSITIONS, READER, TOGETHER, Reader, fitted, told, written
from steps import of_like_length

WIDTH = 384
RATE = 2.5e-4
# How much of what a pair or a sentence is its label says, where the reader says something else.
CORRECTED = 0.8
# What was added are mostly sentences.
KIND_SHARE, SENTENCES = 0.5, 128


class Kept:
    """The file that the program reads, from its beginning."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, shape, kind="<f4"):
        values = np.frombuffer(self.data, kind, int(np.prod(shape)), self.at).reshape(shape)
        self.at += values.nbytes
        return values

    def linear(self, rows, columns):
        bias, scale = self.take((columns,)), self.take((columns,))
        whole = self.take((columns // TOGETHER, rows // DEEP, TOGETHER, DEEP), np.int8)
        return whole.transpose(1, 3, 0, 2).reshape(rows, columns) * scale, bias


def unpacked(data):
    """What `written` wrote: the rows of the words, the rest of the model in the naming of models, and the sums of its heads."""
    kept, model = Kept(data), {}
    count = rows_of_words(len(data))
    scale, packed = kept.take((count, 1)), kept.take((count, WIDTH // 2), np.uint8)
    words = (np.stack([packed & 15, packed >> 4], -1).reshape(count, WIDTH).astype(np.float32) - 8) * scale
    first, second = kept.take((POSITIONS, WIDTH)), kept.take((POSITIONS, WIDTH))
    put = lambda name, weight, bias: model.update({f"{name}.weight": weight, f"{name}.bias": bias})
    norm = lambda name: put(f"{name}.LayerNorm", kept.take((WIDTH,)), kept.take((WIDTH,)))
    model["embeddings.word_embeddings.weight"], model["embeddings.position_embeddings.weight"] = words, first
    model["embeddings.token_type_embeddings.weight"] = np.stack([np.zeros(WIDTH, np.float32), (second - first).mean(0)])
    norm("embeddings")
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}."
        for name, weight, bias in zip(PARTS[:3], *(np.split(of, 3, -1) for of in kept.linear(WIDTH, 3 * WIDTH)), strict=True):
            scale = (WIDTH // HEADS) ** 0.5 if name == PARTS[0] else 1.0
            put(layer + name, weight * scale, bias * scale)
        put(layer + PARTS[3], *kept.linear(WIDTH, WIDTH))
        norm(layer + "attention.output")
        put(layer + PARTS[4], *kept.linear(WIDTH, 4 * WIDTH))
        put(layer + PARTS[5], *kept.linear(4 * WIDTH, WIDTH))
        norm(layer + "output")
    heads = [(kept.take((cases, WIDTH)), kept.take((cases,))) for cases in (3, KINDS, 1)]
    assert kept.at == len(data)
    return words, model, heads


def rows_of_words(length):
    """Each takes a scale and half a byte for each number; the rest of the file has always one length."""
    layer = 4 * WIDTH * (3 + 1 + 4 + 1) * 2 + 12 * WIDTH * WIDTH + 4 * WIDTH * 4
    rest = 4 * (2 * POSITIONS * WIDTH + 2 * WIDTH + (3 + KINDS + 1) * (WIDTH + 1)) + LAYERS * layer
    count, left = divmod(length - rest, 4 + WIDTH // 2)
    assert left == 0
    return count


@torch.no_grad()
def as_it_is(data):
    words, model, heads = unpacked(data)
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, **model)
        file.flush()
        reader = Reader(file.name, words)
    for head, (weight, bias) in zip((reader.bert.out, reader.kinds, reader.glance), heads, strict=True):
        head.weight.copy_(torch.tensor(weight))
        head.bias.copy_(torch.tensor(bias))
    return reader.to(DEVICE).eval()


@torch.no_grad()
def teach_itself(reader, examples):
    length = (examples.pieces > 0).sum(1)[examples.places].sum(1) + 3
    said = torch.zeros(len(examples.case), 3, device=DEVICE)
    with torch.autocast(DEVICE, torch.bfloat16):
        for width, some in of_like_length(torch.arange(len(said), device=DEVICE), length, 8192, 0):
            said[some] = reader.pairs(examples.pieces, examples.places[some], min(width, POSITIONS))[0].float().softmax(-1)
        kinds = torch.cat([reader.sentences(examples.pieces[some]).float().softmax(-1) for some in examples.said.split(8192)])
    examples.taught = corrected(said, examples.case, examples.case < 3)
    examples.taught_kinds = corrected(kinds, examples.kind, examples.kind < KINDS)
    examples.known_sentences = torch.where(~examples.kind_held)[0]


def corrected(said, label, is_labelled):
    """What the reader says, drawn towards the labels that it does not say."""
    named = F.one_hot(label.clamp(max=said.shape[1] - 1), said.shape[1]).float()
    is_wrong = is_labelled & (said.argmax(1) != label)
    print(f"  {int(is_wrong.sum())} of {int(is_labelled.sum())} labelled are something else to it", flush=True)
    share = CORRECTED * is_wrong[:, None].float()
    return (share * named + (1 - share) * said).clamp(min=1e-6).log()


def main(path, seconds, out):
    torch.manual_seed(0)
    random.seed(0)
    read.KIND_SHARE, read.SENTENCES = KIND_SHARE, SENTENCES
    examples, reader = Examples(path), as_it_is(READER.read_bytes())
    if examples.taught is None:
        teach_itself(reader, examples)
    else:
        examples.taught_kinds = corrected(examples.taught_kinds.exp(), examples.kind, examples.kind < KINDS)
    missed = torch.ones(len(examples.case), device=DEVICE)
    fitted(reader.train(), examples, missed, seconds, RATE)
    Path(out).write_bytes(b"".join(written(reader)))
    told(reader, examples)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [path, seconds, *out]:
            main(path, float(seconds), *out or [READER])
        case _:
            sys.exit(__doc__)
