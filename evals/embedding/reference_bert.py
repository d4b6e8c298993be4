"""The reference for throughline-inference's BERT: the same forward pass in a few lines of numpy.

    reference_bert.py golden            the vectors that the tests of embed/local expect of their tiny random model
    reference_bert.py vectors DIR       the vectors of the texts on standard input, one a line, with the safetensors
                                        model in DIR, one JSON array a line (needs the package `tokenizers`)
"""

import json
import math
import struct
import sys

import numpy as np

DTYPES = {"F32": np.float32, "F16": np.float16}
erf = np.vectorize(math.erf)


def read(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] in DTYPES:
            start, end = entry["data_offsets"]
            tensor = np.frombuffer(data[start:end], DTYPES[entry["dtype"]])
            tensors[name] = tensor.astype(np.float64).reshape(entry["shape"])
    return tensors


def forward(tensors, config, ids):
    """The hidden states of one text's tokens."""

    def linear(x, name):
        return x @ tensors[name + ".weight"].T + tensors[name + ".bias"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + config["layer_norm_eps"])
        return scaled * tensors[name + ".weight"] + tensors[name + ".bias"]

    def heads(x):
        return x.reshape(len(ids), config["num_attention_heads"], -1).transpose(1, 0, 2)

    x = tensors["embeddings.word_embeddings.weight"][ids]
    x = x + tensors["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}."
        q, k, v = (heads(linear(x, f"{layer}attention.self.{part}")) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        context = (scores / scores.sum(-1, keepdims=True)) @ v
        context = context.transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(context, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
        wide = linear(x, layer + "intermediate.dense")
        wide = 0.5 * wide * (1 + erf(wide / math.sqrt(2)))
        x = norm(x + linear(wide, layer + "output.dense"), layer + "output.LayerNorm")
    return x


def unit(vector):
    return vector / np.linalg.norm(vector)


TINY = {"num_hidden_layers": 2, "num_attention_heads": 4, "layer_norm_eps": 1e-12}
WIDTH, WIDE, VOCABULARY, POSITIONS = 32, 48, 12, 16


def tiny():
    """The model of the tests: its numbers come from a generator that the tests repeat, in this order."""
    shapes = [
        ("embeddings.word_embeddings.weight", [VOCABULARY, WIDTH]),
        ("embeddings.position_embeddings.weight", [POSITIONS, WIDTH]),
        ("embeddings.token_type_embeddings.weight", [2, WIDTH]),
        ("embeddings.LayerNorm.weight", [WIDTH]),
        ("embeddings.LayerNorm.bias", [WIDTH]),
    ]
    for number in range(TINY["num_hidden_layers"]):
        for name, rows, columns in [
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("attention.output.LayerNorm", WIDTH, None),
            ("intermediate.dense", WIDE, WIDTH),
            ("output.dense", WIDTH, WIDE),
            ("output.LayerNorm", WIDTH, None),
        ]:
            shape = [rows, columns] if columns else [rows]
            shapes += [(f"encoder.layer.{number}.{name}.weight", shape)]
            shapes += [(f"encoder.layer.{number}.{name}.bias", [rows])]
    state, tensors = 1, {}
    for name, shape in shapes:
        values = []
        for _ in range(math.prod(shape)):
            state = (state * 1664525 + 1013904223) % 2**32
            # Whole 256ths between -0.5 and 0.5: the same in half precision and in eight bits.
            values.append(((state >> 24) - 128) / 256)
        tensors[name] = np.array(values).reshape(shape)
    return tensors


def golden():
    tensors = tiny()
    # [CLS] alpha be ##ta [SEP] and [CLS] gamma [UNK] delta alpha gamma [SEP], by the tests' vocabulary.
    for ids in ([2, 5, 6, 7, 3], [2, 8, 1, 9, 5, 8, 3]):
        states = forward(tensors, TINY, ids)
        for pooled in (states.mean(0), states[0]):
            print("[" + ", ".join(f"{value:.6f}" for value in unit(pooled)) + "],")


def vectors(directory):
    from tokenizers import Tokenizer

    tensors = read(f"{directory}/model.safetensors")
    with open(f"{directory}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    tokenizer = Tokenizer.from_file(f"{directory}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    for line in sys.stdin:
        states = forward(tensors, config, tokenizer.encode(line.rstrip("\n")).ids)
        print(json.dumps(unit(states.mean(0)).tolist()))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["golden"]:
            golden()
        case ["vectors", directory]:
            vectors(directory)
        case _:
            sys.exit(__doc__)
