"""The BERT that the numbers of a published model are numbers of."""

import math

import numpy as np
import torch
from torch.nn import functional as F

from models import whole

LAYERS, HEADS = 12, 12
PARTS = [
    "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.output.dense", "intermediate.dense", "output.dense",
]
# How far apart two places are is told in so many steps each way, half of them one place each, the rest up to the farthest.
STEPS, FARTHEST = 16, 128


class Bert(torch.nn.Module):
    """The first layers of a model, and what the place before the text says of each class."""

    def __init__(self, path, classes, layers, left_out):
        super().__init__()
        kept = np.load(path)
        own = lambda name: torch.nn.Parameter(torch.tensor(whole(kept, name)))
        self.named, self.norms, self.linears = (torch.nn.ParameterDict() for _ in range(3))
        for part in ("word", "position", "token_type"):
            self.named[part] = own(f"embeddings.{part}_embeddings.weight")
        # Some are told how far apart places are.
        if "embeddings.relative.weight" in kept:
            self.named["relative"] = own("embeddings.relative.weight")
        keep = lambda where, name: where.update({plain(f"{name}.{kind}"): own(f"{name}.{kind}") for kind in ("weight", "bias")})
        keep(self.norms, "embeddings.LayerNorm")
        for n in range(layers):
            for at in ("attention.output", "output"):
                keep(self.norms, f"encoder.layer.{n}.{at}.LayerNorm")
            for part in PARTS:
                keep(self.linears, f"encoder.layer.{n}.{part}")
        self.layers, self.left_out, self.width = layers, left_out, self.named["word"].shape[1]
        self.out = torch.nn.Linear(self.width, classes)

    def norm(self, x, name):
        at = plain(f"{name}.LayerNorm")
        return F.layer_norm(x, (self.width,), self.norms[at + "_weight"], self.norms[at + "_bias"], 1e-12)

    def linear(self, x, name):
        return F.linear(x, self.linears[plain(name + ".weight")].T, self.linears[plain(name + ".bias")])

    def forward(self, ids, second):
        return self.out(self.whole(ids, second))

    def whole(self, ids, second):
        """What stands for all of it."""
        return self.states(ids, second)[-1]

    def states(self, ids, second):
        """What stands for all of it after each layer."""
        there = (ids > 0)[:, None, None, :]
        drop = lambda x: F.dropout(x, self.left_out, self.training)
        segments = self.named["token_type"]
        segment = segments[0] + second[..., None] * (segments[1] - segments[0])
        x = F.embedding(ids, self.named["word"], padding_idx=0) + self.named["position"][: ids.shape[1]] + segment
        x, states, apart = drop(self.norm(x, "embeddings")), [], self.apart(ids.shape[1])
        for n in range(self.layers):
            layer = f"encoder.layer.{n}."
            q, k, v = (self.linear(x, layer + part).unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in PARTS[:3])
            # Rows are so short that this is quicker than the attention that is made for long ones.
            scores = (q @ k.mT * q.shape[-1] ** -0.5 + apart).masked_fill(~there, -1e4)
            seen = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
            x = self.norm(x + drop(self.linear(seen, layer + PARTS[3])), layer + "attention.output")
            x = self.norm(x + drop(self.linear(F.gelu(self.linear(x, layer + PARTS[4])), layer + PARTS[5])), layer + "output")
            states.append(drop(x[:, 0]))
        return states

    def apart(self, width):
        """What each head makes of it how far apart two places are."""
        if "relative" not in self.named:
            return 0
        relative = self.named["relative"]
        return F.embedding(steps_apart(width, relative.device), relative).permute(2, 0, 1)


def steps_apart(width, device):
    at = torch.arange(width, device=device)
    behind = at[:, None] - at[None]
    far, near = behind.abs(), STEPS // 2
    beyond = near + (torch.log(far.clamp(min=1) / near) / math.log(FARTHEST / near) * (STEPS - near)).long()
    return torch.where(far < near, far, beyond.clamp(max=STEPS - 1)) + STEPS * (behind < 0)


def plain(name):
    """As torch wants them."""
    return name.replace(".", "_")
