"""Teachers of the reader: whole sentence models, fitted to the labelled pairs and sentences.

    venv/bin/python teach.py prepare FOLDER EXAMPLES   the models, and the examples' texts as they read them
    venv/bin/python teach.py teach FOLDER EXAMPLES     on a GPU, a minute for the sentences and some five for each teacher; interrupted, it keeps what whole teachers have said: what they say, to EXAMPLES.taught.npy and .kinds.npy

They have twice the layers of the reader, all numbers in full, and there are two of them.
"""

import json
import random
import sys
import time
from pathlib import Path

import numpy as np
import torch

from bert import LAYERS, MODELS, Bert, prepare
from fit import DEVICE, KINDS, Examples, miss, report, report_kinds
from steps import Steps, of_like_length, warmth

TOKENS, BEGIN, END = 48, 101, 102
EPOCHS, BATCH, RATE = 2, 512, 1e-4
KIND_EPOCHS, KIND_BATCH, KIND_RATE = 4, 64, 5e-5


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


def fitted(model, batches, rate, off):
    """Steps down for each batch; `off` says how far off it is."""
    start, steps = time.monotonic(), Steps(model, off)
    for at, (some, width) in enumerate(batches):
        steps.step(rate * warmth(at / len(batches)), width, some)
    print(f"  {steps.told(len(batches)):.4f}, {time.monotonic() - start:.0f} s", flush=True)
    return model.eval()


def kinds(path, told, examples):
    """What kind each sentence is, said by a model that was fitted to the labelled ones."""
    model = Bert(path, KINDS, LAYERS, 0.1).to(DEVICE)
    known = torch.where(~examples.kind_held & (examples.kind < KINDS))[0]
    parts = lambda: known[torch.randperm(len(known), device=DEVICE)[: len(known) // KIND_BATCH * KIND_BATCH]].split(KIND_BATCH)
    batches = [(some, TOKENS + 2) for _ in range(KIND_EPOCHS) for some in parts()]

    def off(_, some):
        with torch.autocast(DEVICE, torch.bfloat16):
            said = model(*told.alone(examples.said[some]))
        return torch.nn.functional.cross_entropy(said.float(), examples.kind[some], label_smoothing=0.05)

    fitted(model, batches, KIND_RATE, off)
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
        return torch.cat([model(*told.alone(some)).float().log_softmax(-1) for some in examples.said.split(4096)])


def relations(path, told, examples):
    model = Bert(path, 3, LAYERS, 0.1).to(DEVICE)
    known = torch.where((examples.case < 4) & ~examples.held)[0]
    batches = []
    for _ in range(EPOCHS):
        parts = of_like_length(known, told.length, BATCH, 6)
        random.shuffle(parts)
        batches += parts

    def off(width, some):
        with torch.autocast(DEVICE, torch.bfloat16):
            said = model(*told.pairs(some, width))
        return miss(said.float(), examples.case[some], examples.weight[some])

    fitted(model, batches, RATE, off)
    logs = torch.zeros(len(examples.case), 3, device=DEVICE)
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
        for some, width in of_like_length(torch.arange(len(logs), device=DEVICE), told.length, 4096, 0):
            logs[some] = model(*told.pairs(some, width)).float().log_softmax(-1)
    return logs


def teach(folder, path):
    torch.manual_seed(0)
    random.seed(0)
    examples = Examples(path)
    told, held = Told(folder, examples.places), torch.where(examples.held)[0]
    for what, said, tell in (("kinds", kinds, report_kinds), ("taught", relations, lambda *of: report(*of, held))):
        together = torch.stack([once(f"{path}.{model}.{what}.npy", lambda: said(folder / f"{model}.npz", told, examples)) for model in MODELS])
        together = together.mean(0).log_softmax(-1)
        tell("teachers", together, examples)
        np.save(f"{path}.{what}.npy", together.half().cpu().numpy())


def once(path, said):
    """What was said before, where it was: who is interrupted goes on there."""
    if not Path(path).exists():
        np.save(path, said().cpu().numpy())
    return torch.tensor(np.load(path), device=DEVICE)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["prepare", folder, examples]:
            prepare(Path(folder))
            tokens(Path(folder), examples)
        case ["teach", folder, examples]:
            teach(Path(folder), examples)
        case _:
            sys.exit(__doc__)
