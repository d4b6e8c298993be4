"""The GPU step: a table fitted to pairs of texts and to what two sentence models make of them.

    python fit.py read FOLDER WORK      FOLDER: what pack.py put together; WORK: the texts as tokens, the teachers' vectors
    python fit.py fit WORK OUT NAME...  OUT: NAME.npz for each of VARIANTS: its rows, and the words that the vocabulary gained

A text's vector is the mean of its tokens' rows at unit length. The losses: among the other sides of a batch of one source
a text's own side is the nearest, both ways, for the first 64, 128 and all dimensions; for a question (or a comment, a
message) the other sides are as near as the teachers find them, who are told that it is a question; the vector of a text is
the teachers', centred and cut to the dimensions; and texts are as near to each other as the teachers find them. Every second
epoch a batch holds pairs of the same conversations, articles or repositories. The rows that are kept are the mean over
the last steps, and mixed with those of the start.
"""

import json
import lzma
import os
import re
import shutil
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

os.environ["TOKENIZERS_PARALLELISM"] = "false"
LEAST_COUNT = 25
MOST_BYTES = 11_990_000
TABLE_TOKENS, TEACHER_TOKENS = 160, 112
BATCH, RATE, TEMPERATURE, TEACHER_TEMPERATURE = 4096, 3e-3, 0.05, 0.03
HELD = 2000  # pairs of each source that are only looked at, of groups of their own
SPECIAL = [0, 100, 101, 102, 103]
CLS, SEP, VOCABULARY = 101, 102, 30522
PREFIX = "Represent this sentence for searching relevant passages: "
INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SOURCES = {  # how often an epoch sees a source; how much of the target is the teachers' opinion rather than the pair itself
    "documented": (1, 0.2),
    "commit": (1, 0.2),
    "section": (1, 0.5),
    "dialogue": (0.5, 0.7),
    "sense": (0.5, 0.5),
    "question": (3, 0.5),
    "asked": (1, 0.6),
}
BASE = {
    "dimensions": 256, "pairs": 1.0, "vectors": 1.0, "nearness": 1.0, "epochs": 16, "keep": 1e-5, "seed": 7, "sources": {}, "rate": RATE,
    "temperature": TEMPERATURE, "told": TEACHER_TEMPERATURE, "grow": True, "batch": BATCH, "grouped": 2, "share": 0.7,
}
VARIANTS = json.loads((Path(__file__).parent / "variants.json").read_text())
started = time.time()


def log(*words):
    print(f"{time.time() - started:6.0f} s", *words, flush=True)


def lines(path):
    with lzma.open(path, "rt") as file:
        return file.read().splitlines()


# Reading: texts to tokens on all cores, then the teachers.

READERS = {}


def split_identifiers(text, vocabulary):
    def split(match):
        word = match.group()
        return word if word.lower() in vocabulary else INNER_CAPITAL.sub(" ", word)

    return re.sub(r"[A-Za-z0-9]+", split, text)


def tokens(job):
    """Of some texts the ids, behind each other, and how many each has; as the table splits them, or as they stand."""
    from tokenizers import Tokenizer

    described, texts, split, most = job
    reader = READERS.get(described)
    if not reader:
        reader = READERS[described] = Tokenizer.from_file(described)
        reader.no_truncation()
        reader.no_padding()
    if split:
        vocabulary = reader.get_vocab()
        texts = [split_identifiers(text, vocabulary) for text in texts]
    special = set(SPECIAL)
    ids = [[i for i in e.ids if i not in special][:most] or [1] for e in reader.encode_batch_fast(texts, add_special_tokens=False)]
    return np.concatenate([np.array(i, np.int32) for i in ids]), np.array([len(i) for i in ids], np.int64)


def bag(pool, described, texts, split, most):
    parts = list(pool.map(tokens, [(str(described), texts[at : at + 4000], split, most) for at in range(0, len(texts), 4000)]))
    starts = np.concatenate([[0], np.cumsum(np.concatenate([p[1] for p in parts]))])
    return np.concatenate([p[0] for p in parts]), starts


def words_in(texts):
    counts = Counter()
    for text in texts:
        counts.update(set(re.findall(r"[a-z][a-z0-9]{2,19}", INNER_CAPITAL.sub(" ", text).lower())))
    return counts


def grown(pool, reader_file, texts, out):
    """The vocabulary with the words that it had only in pieces; the words, and their pieces."""
    from tokenizers import Tokenizer

    plain = Tokenizer.from_file(str(reader_file))
    known = plain.get_vocab()
    counts = sum(pool.map(words_in, [texts[at : at + 50_000] for at in range(0, len(texts), 50_000)]), Counter())
    room = MOST_BYTES - 7_870_000
    words = []
    for word, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        if word not in known and count >= LEAST_COUNT:
            room -= 256 + 4 + len(word)
            if room < 0:
                break
            words.append(word)
    described = json.loads(Path(reader_file).read_text())
    described["truncation"] = described["padding"] = None
    for number, word in enumerate(words):
        described["model"]["vocab"][word] = VOCABULARY + number
    out.write_text(json.dumps(described))
    pieces = [e.ids for e in plain.encode_batch_fast(words, add_special_tokens=False)]
    return words, pieces


def teacher(folder):
    """The model's weights out of its eight-bit graph, as a GPU wants them."""
    import onnx
    import torch
    from onnx import numpy_helper
    from transformers import BertConfig, BertModel

    path = next(folder.rglob("model.onnx"))
    graph = onnx.load(path).graph
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
    return model.to("cuda", torch.bfloat16).eval()


def vectors(model, bag, before):
    """Unit vectors of all texts, each after the tokens `before`."""
    import torch
    import torch.nn.functional as F

    ids, starts = torch.tensor(bag[0], device="cuda").long(), torch.tensor(bag[1], device="cuda")
    lengths = (starts[1:] - starts[:-1]).clamp_max(TEACHER_TOKENS)
    order = lengths.argsort()
    ordered = lengths[order].cpu().numpy()
    out = torch.zeros(len(lengths), 384, dtype=torch.float16, device="cuda")
    head = torch.tensor([CLS, *before], device="cuda")
    at = 0
    with torch.inference_mode():
        while at < len(order):
            many = max(64, 400_000 // int(ordered[min(at + 2000, len(order) - 1)] + len(head) + 1))
            chosen = order[at : at + many]
            width = int(ordered[min(at + many, len(order)) - 1])
            place = torch.arange(width, device="cuda")[None]
            inside = place < lengths[chosen, None]
            row = torch.where(inside, ids[(starts[chosen, None] + place).clamp_max(len(ids) - 1)], 0)
            row = torch.cat([head.expand(len(chosen), -1), row, torch.zeros_like(row[:, :1])], 1)
            row[torch.arange(len(chosen), device="cuda"), len(head) + lengths[chosen]] = SEP
            mask = torch.arange(row.shape[1], device="cuda")[None] <= len(head) + lengths[chosen, None]
            hidden = model(input_ids=row, attention_mask=mask.long()).last_hidden_state[:, 0]
            out[chosen] = F.normalize(hidden.float(), dim=1).half()
            at += many
    return out


def read(folder, work):
    import torch
    from tokenizers import Tokenizer

    work.mkdir(exist_ok=True)
    shutil.copy(folder / "start.bin", work)
    shutil.copy(folder / "arctic" / "tokenizer.json", work / "reader.json")
    pairs = [json.loads(line) for path in sorted(folder.glob("pairs.*.xz")) for line in lines(path)]
    corpus = lines(folder / "corpus.txt.xz")
    friends = json.loads(lzma.open(folder / "friends.json.xz", "rt").read())
    one, other = [p["a"] for p in pairs], [p["b"] for p in pairs]
    # All texts in one row: the corpus, the sides, then the questions and lines that tables are chosen by.
    ask, said = [q for h in friends for q in h["questions"]], [d for h in friends for d in h["documents"]]
    texts = corpus + other + one + ask + said
    log(f"{len(pairs)} pairs, {len(corpus)} texts")
    plain = folder / "arctic" / "tokenizer.json"
    with ProcessPoolExecutor(16) as pool:
        words, pieces = grown(pool, plain, corpus + one + other, work / "grown.json")
        log(f"{len(words)} words added, the first {words[:12]}, the last {words[-5:]}")
        bags = {"grown": bag(pool, work / "grown.json", texts, True, TABLE_TOKENS), "plain": bag(pool, plain, texts, True, TABLE_TOKENS)}
        raw = bag(pool, plain, texts, False, TEACHER_TOKENS)
    log("texts are split")
    before = Tokenizer.from_file(str(plain)).encode(PREFIX, add_special_tokens=False).ids

    def part(first, last):
        return raw[0][raw[1][first] : raw[1][last]], raw[1][first : last + 1] - raw[1][first]

    statements, asks = len(corpus) + len(other), len(one) + len(ask)
    told = {}
    for name in ("arctic", "bge"):
        model = teacher(folder / name)
        check(model, folder / name, texts[:6])
        documents = vectors(model, part(0, statements), [])
        questions = vectors(model, part(statements, statements + asks), before)
        lines_ = vectors(model, part(statements + asks, len(texts)), [])
        told[name] = torch.cat([documents, questions, lines_]).cpu()
        log(f"{name} has read them")
    numbers = {name: (number, *SOURCES[name]) for number, name in enumerate(SOURCES)}
    torch.save({
        "told": told, "bags": {k: (torch.tensor(v[0]), torch.tensor(v[1])) for k, v in bags.items()}, "words": words, "pieces": pieces,
        "corpus": len(corpus), "pairs": len(pairs), "of": torch.tensor([numbers[p["of"]][0] for p in pairs]), "group": torch.tensor([p["g"] for p in pairs]),
        "friends": [(len(h["questions"]), len(h["documents"]), h["gold"]) for h in friends],
        "lexical": [torch.tensor(h["lexical"], dtype=torch.float32) for h in friends],
    }, work / "data.pt")
    log("written")


def check(model, folder, texts):
    """The model here against the graph as it ships."""
    import onnxruntime
    import torch
    from tokenizers import Tokenizer

    reader = Tokenizer.from_file(str(folder.parent / "arctic" / "tokenizer.json"))
    reader.no_truncation()
    reader.no_padding()
    session = onnxruntime.InferenceSession(str(next(folder.rglob("model.onnx"))), providers=["CPUExecutionProvider"])
    near = []
    for text in texts:
        ids = np.array([reader.encode(text).ids[:64]])
        theirs = torch.tensor(session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)})[0][0, 0])
        with torch.inference_mode():
            mine = model(input_ids=torch.tensor(ids, device="cuda")).last_hidden_state[0, 0].float().cpu()
        near.append(torch.cosine_similarity(mine, theirs, dim=0).item())
    log("as the graph says, cosine", [round(x, 3) for x in near])
    assert min(near) > 0.95


# Fitting.


def fit_all(work, out, names):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = True
    data = torch.load(work / "data.pt", weights_only=False)
    data["work"] = work
    data["bags"] = {k: tuple(x.cuda().long() for x in v) for k, v in data["bags"].items()}
    both = torch.cat([data["told"][name].cuda() for name in ("arctic", "bge")], 1) / 2**0.5
    data["told"] = both
    corpus, pairs = data["corpus"], data["pairs"]
    data["a"], data["b"] = corpus + pairs, corpus  # where the sides begin
    data["ask"] = corpus + 2 * pairs
    data["said"] = data["ask"] + sum(f[0] for f in data["friends"])
    data["groups"], data["held"] = {}, {}
    of, group = data["of"].cuda(), data["group"].cuda()
    order = torch.randperm(int(group.max()) + 1, generator=torch.Generator().manual_seed(1)).cuda()
    for number, name in enumerate(SOURCES):
        places = (of == number).nonzero().squeeze(1)
        places = places[order[group[places]].argsort(stable=True)]
        # Whole groups are held, of which some are looked at.
        mine, counts = group[places].unique_consecutive(return_counts=True)
        taken = counts.clamp_max(HELD // 5).cumsum(0)
        last = int((taken < HELD).sum()) + 1
        begins = counts.cumsum(0) - counts
        rank = torch.arange(len(places), device="cuda") - torch.repeat_interleave(begins, counts)
        whole = int(counts[:last].sum())
        data["held"][name] = places[:whole][rank[:whole] < HELD // 5][:HELD]
        data["groups"][name] = places[whole:]
    data["group"] = group
    statements = both[: corpus + pairs]
    sample = statements[torch.randperm(len(statements), device="cuda")[:100_000]].float()
    data["centre"] = sample.mean(0)
    _, _, axes = torch.linalg.svd(sample - data["centre"], full_matrices=False)
    data["all_axes"] = axes
    log("ready;", {name: len(g) for name, g in data["groups"].items()})
    log("the teachers", judged(None, data, "plain"))
    for name in names:
        chosen = BASE | VARIANTS[name]
        log(f"variant {name}: {VARIANTS[name]}")
        fit(name, chosen, data, out)


def pooled(rows, bag, chosen):
    import torch
    import torch.nn.functional as F

    ids, starts = bag
    lengths = starts[chosen + 1] - starts[chosen]
    offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)[:-1]])
    places = torch.repeat_interleave(starts[chosen] - offsets, lengths) + torch.arange(int(lengths.sum()), device="cuda")
    return F.embedding_bag(ids[places], rows, offsets, mode="mean")


def begin(data, chosen):
    """The rows of train.py, turned so that its texts lie where the teachers' do; new words are their pieces' sum."""
    import torch
    import torch.nn.functional as F
    from tokenizers import Tokenizer

    import table

    plain = Tokenizer.from_file(str(data["work"] / "reader.json"))
    rows = torch.tensor(table.load(data["work"] / "start.bin", plain), device="cuda")
    data["axes"] = data["all_axes"][: chosen["dimensions"]].T.contiguous()
    some = torch.randperm(data["corpus"] + data["pairs"], device="cuda")[:50_000]
    mine = F.normalize(pooled(rows, data["bags"]["plain"], some), dim=1)
    want = F.normalize((data["told"][some].float() - data["centre"]) @ data["axes"], dim=1)
    u, _, v = torch.linalg.svd(mine.T @ want, full_matrices=False)
    rows = rows @ (u @ v)
    if chosen["grow"]:
        rows = torch.cat([rows, torch.stack([rows[torch.tensor(p, device="cuda")].mean(0) for p in data["pieces"]])])
    return rows


def fit(name, chosen, data, out):
    import torch
    import torch.nn.functional as F

    bag = data["bags"]["grown" if chosen["grow"] else "plain"]
    which = "grown" if chosen["grow"] else "plain"
    start = begin(data, chosen)
    log("before", judged(start, data, which))
    rows = start.clone().requires_grad_(True)
    mean = start.clone()
    widths = (64, 128, chosen["dimensions"])
    optimizer = torch.optim.Adam([rows], lr=chosen["rate"])
    often = {source: chosen["sources"].get(source, SOURCES[source]) for source in SOURCES}

    def count(source):
        """How many batches of a source an epoch has."""
        return round(-(-len(data["groups"][source]) // chosen["batch"]) * often[source][0])

    steps = chosen["epochs"] * sum(map(count, SOURCES))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, chosen["rate"], total_steps=steps + 1, pct_start=0.1)
    generator = torch.Generator(device="cuda").manual_seed(chosen["seed"])
    eye = torch.eye(chosen["batch"], device="cuda", dtype=torch.bool)

    def shuffled(many):
        return torch.randperm(many, generator=generator, device="cuda")

    for epoch in range(chosen["epochs"]):
        batches = []
        for source, group in data["groups"].items():
            if epoch % chosen["grouped"]:
                order = shuffled(int(data["group"].max()) + 1)[data["group"][group]] * (1 << 24) + shuffled(len(group))
                group = group[order.argsort()]
            else:
                group = group[shuffled(len(group))]
            parts = list(group.split(chosen["batch"])) * (1 + int(often[source][0]))
            parts = [parts[i] for i in shuffled(len(parts))[: count(source)].tolist()]
            batches += [(often[source][1], part) for part in parts]
        for number in shuffled(len(batches)).tolist():
            teachers, places = batches[number]
            a, b = pooled(rows, bag, data["a"] + places), pooled(rows, bag, data["b"] + places)
            loss = chosen["keep"] * (rows - start).square().sum()
            if chosen["pairs"]:
                q, d = data["told"][data["a"] + places].float(), data["told"][data["b"] + places].float()
                opinion, own = q @ d.T / chosen["told"], eye[: len(q), : len(q)].float()
                there, back = ((1 - teachers) * own + teachers * x.softmax(1) for x in (opinion, opinion.T))
                one = 0
                for width in widths:
                    scores = F.normalize(a[:, :width], dim=1) @ F.normalize(b[:, :width], dim=1).T / chosen["temperature"]
                    one = one + (F.cross_entropy(scores, there) + 0.5 * F.cross_entropy(scores.T, back)) / 1.5
                loss = loss + chosen["pairs"] * one / len(widths)
            if chosen["vectors"] or chosen["nearness"]:
                texts = torch.randint(data["corpus"] + data["pairs"], (chosen["batch"],), generator=generator, device="cuda")
                mine, told = pooled(rows, bag, texts), data["told"][texts].float()
                cosine = F.cosine_similarity(mine, (told - data["centre"]) @ data["axes"], dim=1)
                s = F.normalize(mine, dim=1)
                want = (told @ told.T / chosen["told"]).masked_fill(eye, -1e4).softmax(1)
                have = (s @ s.T / chosen["temperature"]).masked_fill(eye, -1e4)
                loss = loss + chosen["vectors"] * (1 - cosine).mean() * 4 + chosen["nearness"] * F.cross_entropy(have, want)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            mean.lerp_(rows.detach(), 0.01)
        if epoch % 4 == 3 or epoch == chosen["epochs"] - 1:
            log(f"epoch {epoch}: {loss.item():.3f}", judged(mean, data, which))
    for share in (0.5, 0.7, 0.85):
        log(f"mixed, {share} of it", judged(start.lerp(mean, share), data, which))
    save(out / f"{name}.npz", start.lerp(mean, chosen["share"]), data["words"] if chosen["grow"] else [])


def save(path, rows, words):
    import torch

    def bytes_of(rows):
        scale = rows.abs().amax(1, keepdim=True).clamp_min(1e-9) / 127
        return (rows / scale).round().to(torch.int8).cpu().numpy(), scale.squeeze(1).cpu().numpy()

    kept, scale = bytes_of(rows)
    np.savez_compressed(path, rows=kept, scale=scale, words=np.array(words))
    log(f"{path.name} written")


def judged(rows, data, which):
    """Held-out pairs: how many find their other side first among two thousand; the scenes' questions: recall of lines among
    the first ten, by the table alone and mixed with words; and how like the teachers the held-out texts are."""
    import torch
    import torch.nn.functional as F

    bag = data["bags"][which]

    def vector(places):
        return F.normalize(data["told"][places].float() if rows is None else pooled(rows, bag, places), dim=1)

    told = []
    with torch.inference_mode():
        for name, chosen in data["held"].items():
            scores = vector(data["a"] + chosen) @ vector(data["b"] + chosen).T
            own = scores.diagonal()[:, None]
            told.append(f"{name} {100 * (1 / ((scores > own).sum(1) + 1).float()).mean().item():.1f}")
        dense, mixed, at, line = [], [], data["ask"], data["said"]
        for (questions, documents, gold), lexical in zip(data["friends"], data["lexical"]):
            cosine = vector(torch.arange(at, at + questions, device="cuda")) @ vector(torch.arange(line, line + documents, device="cuda")).T
            at, line = at + questions, line + documents
            for into, scores in ((dense, cosine), (mixed, 0.4 * cosine + 0.6 * lexical.cuda())):
                first = scores.topk(10, dim=1).indices.tolist()
                into += [len(set(f) & set(g)) / len(g) for f, g in zip(first, gold)]
        told.append(f"| friends {100 * np.mean(dense):.1f} mixed {100 * np.mean(mixed):.1f}")
    return " ".join(told)


if __name__ == "__main__":
    if sys.argv[1] == "read":
        read(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        fit_all(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
