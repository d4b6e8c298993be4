"""Fits the reader that is there further: to labels that were corrected or are new, in minutes and without teachers.

    venv/bin/python further.py FOLDER EXAMPLES SECONDS [OUT]

FOLDER as teach.py left it, EXAMPLES as fit.py gathered them. Where nobody labelled what two statements are, what the reader says of
them now stands for it. OUT is where the program takes it from unless given.
"""

import random
import sys
from pathlib import Path

import numpy as np
import torch

import fit
import read
from bert import HEADS, PARTS, plain
from fit import DEVICE, KINDS, Examples
from read import DEEP, LAYERS, POSITIONS, READER, TOGETHER, Reader, fitted, told, written
from steps import of_like_length

RATE = 1.5e-4
# How much of what kind a labelled sentence is its label says.
LABELLED = 0.7
# So far towards the labels: all the way it forgets of what else it knew more than they are worth.
PART_OF_THE_WAY = 0.5


class Kept:
    """The file that the program reads, from its beginning."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, shape, kind="<f4"):
        values = np.frombuffer(self.data, kind, int(np.prod(shape)), self.at).reshape(shape)
        self.at += values.nbytes
        return values

    def numbers(self, *shape):
        return torch.tensor(self.take(shape).astype(np.float32))

    def linear(self, rows, columns):
        bias, scale = self.numbers(columns), self.take((columns,))
        whole = self.take((columns // TOGETHER, rows // DEEP, TOGETHER, DEEP), np.int8)
        return torch.tensor(whole.transpose(1, 3, 0, 2).reshape(rows, columns) * scale), bias


@torch.no_grad()
def taken_up(reader, data):
    """A reader with the numbers of a file that `written` made."""
    kept, bert = Kept(data), reader.bert
    words, width, wide = len(reader.bits), bert.width, 4 * bert.width
    reader.scale = kept.take((words, 1)).astype(np.float32)
    packed = kept.take((words, width // 2), np.uint8)
    reader.bits = np.stack([packed & 15, packed >> 4], -1).reshape(words, width).astype(np.int8) - 8
    bert.named["word"].copy_(torch.tensor(reader.bits * reader.scale))
    first, second = kept.numbers(POSITIONS, width), kept.numbers(POSITIONS, width)
    bert.named["position"].copy_(first)
    bert.named["token_type"].copy_(torch.stack([torch.zeros(width), (second - first).mean(0)]))
    norm = lambda name: [bert.norms[plain(f"{name}.LayerNorm.{kind}")].copy_(kept.numbers(width)) for kind in ("weight", "bias")]
    norm("embeddings")
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}."
        put = lambda name, weight, bias: [bert.linears[plain(f"{layer}{name}.{kind}")].copy_(of) for kind, of in (("weight", weight), ("bias", bias))]
        parts = zip(PARTS[:3], *(of.split(width, -1) for of in kept.linear(width, 3 * width)))
        for name, weight, bias in parts:
            scale = (width // HEADS) ** 0.5 if name == PARTS[0] else 1
            put(name, weight * scale, bias * scale)
        put(PARTS[3], *kept.linear(width, width))
        norm(layer + "attention.output")
        put(PARTS[4], *kept.linear(width, wide))
        put(PARTS[5], *kept.linear(wide, width))
        norm(layer + "output")
    for head in (bert.out, reader.kinds, reader.glance):
        head.weight.copy_(kept.numbers(*head.weight.shape))
        head.bias.copy_(kept.numbers(*head.bias.shape))
    assert kept.at == len(data)
    return reader


@torch.no_grad()
def teach_itself(reader, examples):
    """What the reader says now, where no label says it."""
    reader.eval()
    length = (examples.pieces > 0).sum(1)[examples.places].sum(1) + 3
    examples.taught = torch.zeros(len(examples.case), 3, device=DEVICE)
    with torch.autocast(DEVICE, torch.bfloat16):
        for some, width in of_like_length(torch.where(examples.case == 4)[0], length, 4096, 0):
            examples.taught[some] = reader.pairs(examples.pieces, examples.places[some], min(width, POSITIONS))[0].float().log_softmax(-1)
        said = torch.cat([reader.sentences(examples.pieces[some]).float().softmax(-1) for some in examples.said.split(4096)])
    is_labelled = (examples.kind < KINDS)[:, None]
    label = torch.nn.functional.one_hot(examples.kind.clamp(max=KINDS - 1), KINDS).float()
    examples.taught_kinds = torch.where(is_labelled, LABELLED * label + (1 - LABELLED) * said, said).clamp(min=1e-6).log()
    examples.known_sentences = torch.where(~examples.kind_held)[0]
    reader.train()


def off(reader, examples, width, some, few):
    """As in read.py, but whether a glance is enough the reader itself says: nobody else has."""
    with torch.autocast(DEVICE, torch.bfloat16):
        pairs, glance = reader.pairs(examples.pieces, examples.places[some], width)
        sentences = reader.sentences(examples.pieces[examples.said[few]])
    weight, apart = examples.weight[some], pairs.detach().float().softmax(-1)[:, 0]
    kinds = fit.off_teachers(sentences.float(), examples.taught_kinds[few]).mean()
    at_a_glance = torch.nn.functional.binary_cross_entropy_with_logits(glance.float(), apart, weight)
    said = fit.miss(pairs.float(), examples.case[some], weight, examples.taught[some])
    return said + read.KIND_SHARE * kinds + read.GLANCE_SHARE * at_a_glance


@torch.no_grad()
def part_of_the_way(reader, before):
    for here, there in zip(reader.parameters(), before.parameters(), strict=True):
        here.lerp_(there, 1 - PART_OF_THE_WAY)


def main(folder, path, seconds, out):
    torch.manual_seed(0)
    random.seed(0)
    # A label is worth all where there is one.
    fit.LABELS, read.RATE, read.off = 1.0, RATE, off
    examples = Examples(path)
    before, reader = (taken_up(Reader(folder), READER.read_bytes()).to(DEVICE) for _ in range(2))
    teach_itself(reader, examples)
    fitted(reader, examples, seconds)
    part_of_the_way(reader, before)
    Path(out).write_bytes(b"".join(written(reader)))
    told(reader, examples)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder, path, seconds, *out]:
            main(Path(folder), path, float(seconds), *out or [READER])
        case _:
            sys.exit(__doc__)
