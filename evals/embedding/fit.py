"""The GPU step: the table fitted to pairs of texts and to a sentence model's vectors.

    python fit.py FOLDER OUT     FOLDER: pairs.jsonl.xz, corpus.txt.xz and the teacher, arctic/; the asset is the start
                                 OUT: NAME.npz for each variant: its rows, and the words that the vocabulary gained

A text's vector is the mean of its tokens' rows at unit length. Three losses: among the other sides of a batch of one
source a text's own side is the nearest, both ways, for the first 64, 128 and 256 dimensions; the vector of a text is
the teacher's, centred and cut to 256 dimensions; and texts are as near to each other as the teacher finds them. Rows
stay near their start unless the texts say otherwise.
"""

import json
import lzma
import re
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

import table

ADDED, LEAST_COUNT = 12_000, 25
WIDTHS = (64, 128, 256)
MOST_TOKENS, TEACHER_TOKENS = 160, 192
BATCH, RATE, TEMPERATURE = 4096, 3e-3, 0.05
HELD = 2000  # pairs of each source that are only looked at
SPECIAL = torch.tensor([0, 100, 101, 102, 103])
INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
VARIANTS = {  # weight of the pairs, of the teacher's vectors, of its nearness; epochs; pull to the start
    "both": (1.0, 1.0, 1.0, 6, 1e-4),
    "teacher": (0.0, 1.0, 1.0, 6, 1e-4),
    "pairs": (1.0, 0.0, 0.0, 6, 1e-4),
    "mostly-teacher": (0.3, 1.0, 1.0, 10, 1e-5),
}
ASSET = Path(__file__).parents[2] / "crates" / "throughline-inference" / "assets" / "embedding.bin"
started = time.time()
device = "cuda"


def log(*words):
    print(f"{time.time() - started:6.0f} s", *words, flush=True)


def lines(path):
    with lzma.open(path, "rt") as file:
        return file.read().splitlines()


def teacher(folder):
    """The model's weights out of its eight-bit graph, as a GPU wants them."""
    graph = onnx.load(folder / "onnx" / "model.onnx").graph
    held = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}

    def plain(name):
        zero, scale = held[f"{name}_zero_point"], held[f"{name}_scale"]
        return (held[f"{name}_quantized"].astype(np.float32) - zero.astype(np.float32)) * scale

    weights = {name: value for name, value in held.items() if value.dtype == np.float32 and re.match(r"(embeddings|encoder)\..*(weight|bias)$", name)}
    for part in ("word", "position", "token_type"):
        weights[f"embeddings.{part}_embeddings.weight"] = plain(f"embeddings.{part}_embeddings.weight")
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.name.endswith("/MatMul_quant") and "onnx::" in node.input[1]:
            place = node.name.strip("/").removesuffix("/MatMul_quant").replace("/", ".")
            weights[f"{place}.weight"] = plain(node.input[1].removesuffix("_quantized")).T
    model = BertModel(BertConfig(**json.loads((folder / "config.json").read_text())), add_pooling_layer=False)
    missing, unexpected = model.load_state_dict({k: torch.tensor(np.ascontiguousarray(v)) for k, v in weights.items()}, strict=False)
    assert not unexpected and not [name for name in missing if "position_ids" not in name], (missing, unexpected)
    return model.to(device, torch.bfloat16).eval()


@torch.inference_mode()
def vectors(model, reader, texts):
    reader.enable_truncation(TEACHER_TOKENS)
    encoded = [e.ids for e in reader.encode_batch_fast(texts)]
    reader.no_truncation()
    order = np.argsort([len(ids) for ids in encoded], kind="stable")
    out = torch.zeros(len(texts), 384, dtype=torch.float16)
    at = 0
    while at < len(order):
        width = len(encoded[order[min(at + 255, len(order) - 1)]])
        batch = order[at : at + max(64, 262_144 // max(width, 1))]
        width = max(len(encoded[i]) for i in batch)
        ids = torch.zeros(len(batch), width, dtype=torch.long)
        for row, i in enumerate(batch):
            ids[row, : len(encoded[i])] = torch.tensor(encoded[i])
        ids = ids.to(device)
        hidden = model(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state[:, 0]
        out[batch] = F.normalize(hidden.float(), dim=1).half().cpu()
        at += len(batch)
    return out


def grown(reader_file, texts):
    """The vocabulary with the words of the pairs that it had only in pieces; the words, and their pieces."""
    plain = Tokenizer.from_file(str(reader_file))
    known = plain.get_vocab()
    counts = Counter()
    for text in texts:
        counts.update(set(re.findall(r"[a-z][a-z0-9]{2,19}", INNER_CAPITAL.sub(" ", text).lower())))
    words = [word for word, count in counts.most_common() if word not in known and count >= LEAST_COUNT][:ADDED]
    described = json.loads(Path(reader_file).read_text())
    described["truncation"] = described["padding"] = None
    for number, word in enumerate(words):
        described["model"]["vocab"][word] = len(known) + number
    pieces = [e.ids for e in plain.encode_batch_fast(words, add_special_tokens=False)]
    return Tokenizer.from_str(json.dumps(described)), words, pieces


def bags(reader, texts):
    """Token ids of all texts behind each other, and where each begins."""
    vocabulary = reader.get_vocab()

    def split(match):
        word = match.group()
        return word if word.lower() in vocabulary else INNER_CAPITAL.sub(" ", word)

    texts = [re.sub(r"[A-Za-z0-9]+", split, text) for text in texts]
    special = set(SPECIAL.tolist())
    rows = [[i for i in e.ids[:MOST_TOKENS] if i not in special] or [1] for e in reader.encode_batch_fast(texts, add_special_tokens=False)]
    starts = np.cumsum([0] + [len(row) for row in rows])
    return torch.tensor(np.concatenate(rows), device=device), torch.tensor(starts, device=device)


def pooled(rows, bag, chosen):
    ids, starts = bag
    lengths = starts[chosen + 1] - starts[chosen]
    offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)[:-1]])
    places = torch.repeat_interleave(starts[chosen] - offsets, lengths) + torch.arange(int(lengths.sum()), device=device)
    return F.embedding_bag(ids[places], rows, offsets, mode="mean")


def contrast(a, b):
    loss, labels = 0, torch.arange(len(a), device=device)
    for width in WIDTHS:
        scores = F.normalize(a[:, :width], dim=1) @ F.normalize(b[:, :width], dim=1).T / TEMPERATURE
        loss = loss + (F.cross_entropy(scores, labels) + F.cross_entropy(scores.T, labels)) / 2
    return loss / len(WIDTHS)


def nearness(student, told, temperature=0.05):
    s, t = F.normalize(student, dim=1), told
    mask = torch.eye(len(s), device=device, dtype=torch.bool)
    want = ((t @ t.T) / temperature).masked_fill(mask, -1e4).softmax(1)
    have = ((s @ s.T) / temperature).masked_fill(mask, -1e4).log_softmax(1)
    return -(want * have).sum(1).mean() + (want * want.clamp_min(1e-9).log()).sum(1).mean()


def fit(start, data, weights):
    of_pairs, of_vectors, of_nearness, epochs, keep = weights
    rows = start.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([rows], lr=RATE)
    steps = epochs * sum(len(c) // BATCH + 1 for c in data["groups"].values())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1, pct_start=0.1)
    generator = torch.Generator(device=device).manual_seed(7)
    for epoch in range(epochs):
        batches = []
        for group in data["groups"].values():
            shuffled = group[torch.randperm(len(group), generator=generator, device=device)]
            batches += list(shuffled.split(BATCH))
        for number in torch.randperm(len(batches), generator=generator, device=device).tolist():
            chosen = batches[number]
            loss = keep * (rows - start).square().sum() / 1000
            if of_pairs:
                loss = loss + of_pairs * contrast(pooled(rows, data["a"], chosen), pooled(rows, data["b"], chosen))
            if of_vectors or of_nearness:
                texts = torch.randint(data["texts"], (BATCH,), generator=generator, device=device)
                mine, told = pooled(rows, data["all"], texts), data["teacher"][texts].float()
                cosine = F.cosine_similarity(mine, told @ data["axes"] - data["shift"], dim=1)
                loss = loss + of_vectors * (1 - cosine).mean() * 4 + of_nearness * nearness(mine, told)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
        log(f"epoch {epoch}: {loss.item():.4f}", found(rows.detach(), data))
    return rows.detach()


@torch.inference_mode()
def found(rows, data):
    """Of held-out pairs of each source, how many find their other side first among two thousand."""
    told = []
    for name, chosen in data["held"].items():
        a, b = (F.normalize(pooled(rows, data[side], chosen), dim=1) for side in "ab")
        first = (a @ b.T).argmax(1)
        told.append(f"{name} {(first == torch.arange(len(first), device=device)).float().mean().item():.3f}")
    return " ".join(told)


def main(folder, out):
    torch.manual_seed(7)
    pairs = [json.loads(line) for line in lines(folder / "pairs.jsonl.xz")]
    corpus = lines(folder / "corpus.txt.xz")
    one, other = [p["a"] for p in pairs], [p["b"] for p in pairs]
    log(f"{len(pairs)} pairs, {len(corpus)} texts")
    reader, words, pieces = grown(folder / "arctic" / "tokenizer.json", one + other)
    log(f"{len(words)} words added, the first {words[:12]}")
    texts = corpus + one + other
    model = teacher(folder / "arctic")
    told = vectors(model, Tokenizer.from_file(str(folder / "arctic" / "tokenizer.json")), texts).to(device)
    log("the teacher has read them")
    alike = told[:4] .float() @ told[:4].float().T
    log("nearness of the first four", [round(x, 3) for x in alike.flatten().tolist()])
    data = {"a": bags(reader, one), "b": bags(reader, other), "all": bags(reader, texts), "texts": len(texts), "teacher": told}
    log("texts are split")
    sample = told[torch.randperm(len(told), device=device)[:100_000]].float()
    centre = sample.mean(0)
    _, _, axes = torch.linalg.svd(sample - centre, full_matrices=False)
    data["axes"] = axes[:256].T.contiguous()
    data["shift"] = centre @ data["axes"]
    sources = np.array([p["of"] for p in pairs])
    data["groups"], data["held"] = {}, {}
    for name in sorted(set(sources)):
        places = torch.tensor(np.flatnonzero(sources == name), device=device)
        data["held"][name], data["groups"][name] = places[:HELD], places[HELD:]
    plain = Tokenizer.from_file(str(folder / "arctic" / "tokenizer.json"))
    begun = torch.tensor(table.load(ASSET, plain), device=device)
    # The table that is there has axes of its own: turned so that its texts lie where the teacher's do.
    new = torch.stack([begun[torch.tensor(p, device=device)].mean(0) for p in pieces]) if pieces else begun[:0]
    begun = torch.cat([begun, new])
    some = torch.randperm(len(texts), device=device)[:50_000]
    mine = F.normalize(pooled(begun, data["all"], some), dim=1)
    want = F.normalize(told[some].float() @ data["axes"] - data["shift"], dim=1)
    u, _, v = torch.linalg.svd(mine.T @ want)
    begun = begun @ (u @ v)
    log("before", found(begun, data))
    for name, weights in VARIANTS.items():
        log(f"variant {name}: {weights}")
        rows = fit(begun, data, weights)
        scale = rows.abs().amax(1, keepdim=True).clamp_min(1e-9) / 127
        np.savez_compressed(out / f"{name}.npz", rows=(rows / scale).round().to(torch.int8).cpu().numpy(), scale=scale.squeeze(1).cpu().numpy(), words=np.array(words))
        log(f"{name} written")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
