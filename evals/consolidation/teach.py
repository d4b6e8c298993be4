"""The teacher of the reader: a whole sentence model, fitted to the labelled pairs and sentences.

    venv/bin/python teach.py prepare FOLDER EXAMPLES   the models, and the examples' texts as they read them
    venv/bin/python teach.py teach FOLDER EXAMPLES SECONDS   on a GPU: what it says, to EXAMPLES.kinds.npy and .taught.npy; interrupted, it keeps the former

To say it takes two minutes more than to learn it. It has twice the layers of the reader, each four times as large, and all numbers in full.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
import torch

from bert import LAYERS, Bert
from fit import DEVICE, KINDS, Examples, misses, report, report_kinds
from models import LARGE, prepare
from steps import Again, Steps, of_like_length, shuffled

TOKENS, BEGIN, END = 48, 101, 102
BATCH, RATE = 512, 5e-5
KIND_BATCH, KIND_RATE = 64, 3e-5
# How much of the time is for the kinds of sentences, and how many teachers say them: their mean is surer than each.
KIND_SHARE, KIND_TEACHERS = 0.3, 3


def tokens(folder, examples):
    import tokenizers

    reader = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    reader.no_padding()
    reader.no_truncation()
    texts = json.loads(Path(f"{examples}.texts.json").read_text(encoding="utf-8"))
    read = [of.ids[:TOKENS] for of in reader.encode_batch(texts, add_special_tokens=False)]
    np.savez_compressed(folder / "tokens.npz", tokens=np.array([ids + [0] * (TOKENS - len(ids)) for ids in read], np.uint16))


class Told:
    """Texts as a teacher reads them."""

    def __init__(self, folder, places):
        self.tokens = torch.tensor(np.load(folder / "tokens.npz")["tokens"].astype(np.int32), device=DEVICE)
        self.places = places
        self.length = (self.tokens > 0).sum(1)[places].sum(1) + 3

    def pairs(self, chosen, width):
        return side_by_side(self.tokens, self.places[chosen], BEGIN, END, width)

    def alone(self, texts):
        return by_themselves(self.tokens[texts].long(), BEGIN, END)


def side_by_side(tokens, places, begin, end, width):
    """Both texts of each pair in a row of a width, and which of it is the second."""
    one, other = tokens[places[:, 0]].long(), tokens[places[:, 1]].long()
    first, second = (one > 0).sum(1), (other > 0).sum(1)
    row = torch.zeros(len(one), width, dtype=torch.long, device=one.device)
    at = torch.arange(one.shape[1], device=one.device)[None]
    for side, start, length in ((one, torch.ones_like(first), first), (other, first + 2, second)):
        row.scatter_add_(1, (start[:, None] + at).clamp(max=width - 1), side * (at < length[:, None]))
    row[:, 0] = begin
    row.scatter_(1, torch.stack([first + 1, first + second + 2], 1), end)
    is_second = (torch.arange(width, device=one.device)[None] > (first + 1)[:, None]) & (row > 0)
    return row, is_second.long()


def by_themselves(tokens, begin, end):
    length = (tokens > 0).sum(1)
    row = torch.nn.functional.pad(tokens, (1, 1))
    row[:, 0] = begin
    row.scatter_(1, (length + 1)[:, None], end)
    return row, torch.zeros_like(row)


def kinds(path, told, examples, seconds):
    """What kind each sentence is, said by models that were fitted to the labelled ones."""
    said = [of_one(path, told, examples, seconds / KIND_TEACHERS) for _ in range(KIND_TEACHERS)]
    return torch.stack(said).mean(0).clamp(min=1e-6).log()


def of_one(path, told, examples, seconds):
    model = Bert(path, KINDS, LAYERS, 0.1).to(DEVICE)
    known = torch.where(~examples.kind_held & (examples.kind < KINDS))[0]
    parts = lambda: [(TOKENS + 2, some) for some in known[torch.randperm(len(known), device=DEVICE)[: len(known) // KIND_BATCH * KIND_BATCH]].split(KIND_BATCH)]

    def off(_, some):
        with torch.autocast(DEVICE, torch.bfloat16):
            said = model(*told.alone(examples.said[some]))
        return torch.nn.functional.cross_entropy(said.float(), examples.kind[some], label_smoothing=0.05)

    Steps(model, off).for_seconds(seconds, KIND_RATE, parts)
    model.eval()
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
        said = torch.cat([model(*told.alone(some)).float().softmax(-1) for some in examples.said.split(4096)])
    report_kinds("one teacher", said.log(), examples)
    return said


def relations(path, told, examples, seconds):
    model = Bert(path, 3, LAYERS, 0.1).to(DEVICE)
    known = torch.where((examples.case < 4) & ~examples.held)[0]
    again = Again(known, torch.ones(len(examples.case), device=DEVICE))

    def off(width, some):
        with torch.autocast(DEVICE, torch.bfloat16):
            said = model(*told.pairs(some, width))
        each = misses(said.float(), examples.case[some])
        again.note(some, each)
        return (each * examples.weight[some] * again.counts[some]).mean()

    parts = lambda: shuffled(of_like_length(again.chosen(), told.length, BATCH, 6))
    Steps(model, off).for_seconds(seconds, RATE, parts)
    model.eval()
    logs = torch.zeros(len(examples.case), 3, device=DEVICE)
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
        for width, some in of_like_length(torch.arange(len(logs), device=DEVICE), told.length, 4096, 0):
            logs[some] = model(*told.pairs(some, width)).float().log_softmax(-1)
    return logs


def teach(folder, path, seconds):
    torch.manual_seed(0)
    random.seed(0)
    examples, model = Examples(path), folder / f"{LARGE}.npz"
    told, held = Told(folder, examples.places), torch.where(examples.held)[0]
    report_kinds("teacher", once(f"{path}.kinds.npy", lambda: kinds(model, told, examples, KIND_SHARE * seconds)), examples)
    report("teacher", once(f"{path}.taught.npy", lambda: relations(model, told, examples, (1 - KIND_SHARE) * seconds)), examples, held)


def once(path, said):
    """What was said before, where it was: who is interrupted goes on there."""
    if not Path(path).exists():
        np.save(path, said().half().cpu().numpy())
    return torch.tensor(np.load(path), dtype=torch.float, device=DEVICE)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["prepare", folder, examples]:
            prepare(Path(folder))
            tokens(Path(folder), examples)
        case ["teach", folder, examples, seconds]:
            teach(Path(folder), examples, float(seconds))
        case _:
            sys.exit(__doc__)
