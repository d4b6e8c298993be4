"""The table itself: how a text is split and pooled, and the file that the Rust crate reads.

The file, little-endian: magic (8 bytes), format version, dimensions, rows, bytes of the longest token (u32 each),
model name (40 bytes, filled with zeros), then for each length from 1 to the longest how many tokens have it (u32),
the tokens ordered by length and bytes without anything between them, a scale for each row (f32), the rows (i8).
A token's place in that order is its row, so a look-up is a binary search among tokens of its length.
"""

import json
import os
import re
import struct
from pathlib import Path

import numpy as np
from scipy import sparse
from tokenizers import Tokenizer

CACHE = Path(os.environ.get("EMBEDDING_CACHE", Path(__file__).parent / "cache"))
VOCABULARY = 30522
SPECIAL = {0, 100, 101, 102, 103}  # [PAD] [UNK] [CLS] [SEP] [MASK]
UNUSED = set(range(1, 100)) | set(range(104, 999))  # [unusedN]
KEPT = np.array([i for i in range(VOCABULARY) if i not in SPECIAL and i not in UNUSED])
MAGIC, VERSION, NAME_BYTES = b"TLSTATIC", 1, 40
HEADER = struct.Struct(f"<8sIIII{NAME_BYTES}s")
INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def tokenizer(path):
    """BERT's uncased vocabulary, the same for every teacher here."""
    reader = Tokenizer.from_file(str(path))
    reader.no_truncation()
    reader.no_padding()
    return reader


def split_identifiers(text, vocabulary):
    """parseHttpRequest becomes three words; YouTube, a word of the vocabulary, stays one."""

    def split(match):
        word = match.group()
        return word if word.lower() in vocabulary else INNER_CAPITAL.sub(" ", word)

    return re.sub(r"[A-Za-z0-9]+", split, text)


def token_counts(reader, texts):
    """One row for each text, one column for each token: how often it occurs. Without special tokens."""
    vocabulary = reader.get_vocab()
    texts = [split_identifiers(text, vocabulary) for text in texts]
    encoded = reader.encode_batch_fast(texts, add_special_tokens=False)
    ids = [np.array([i for i in e.ids if i not in SPECIAL], dtype=np.int32) for e in encoded]
    ends = np.cumsum([0] + [len(i) for i in ids])
    columns = np.concatenate(ids) if ids else np.zeros(0, np.int32)
    counts = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(ids), len(vocabulary)))
    counts.sum_duplicates()
    return counts


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def quantize(rows):
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-9).astype(np.float32) / 127
    return np.rint(rows / scale[:, None]).astype(np.int8), scale


def with_words(reader, words):
    """The same reader, which has these words as tokens of their own."""
    described = json.loads(reader.to_str())
    described["model"]["vocab"] |= {word: VOCABULARY + number for number, word in enumerate(words)}
    return Tokenizer.from_str(json.dumps(described))


def save(path, rows, name, reader):
    kept = np.concatenate([KEPT, np.arange(VOCABULARY, len(rows))])
    tokens = {i: reader.id_to_token(int(i)).encode() for i in kept}
    order = np.array(sorted(kept, key=lambda i: (len(tokens[i]), tokens[i])))
    longest = len(tokens[order[-1]])
    counts = np.bincount([len(tokens[i]) for i in order], minlength=longest + 1)[1:].astype("<u4")
    quantized, scale = quantize(rows[order])
    parts = [
        HEADER.pack(MAGIC, VERSION, rows.shape[1], len(order), longest, name.encode()),
        counts.tobytes(),
        b"".join(tokens[i] for i in order),
        scale.astype("<f4").tobytes(),
        quantized.tobytes(),
    ]
    path.write_bytes(b"".join(parts))


def load(path, reader):
    """The rows in the order of BERT's vocabulary, from an asset or from a saved array."""
    return opened(path, reader)[0]


def opened(path, reader):
    """The rows, those of words that BERT's vocabulary lacks behind it, and the reader that has them."""
    if str(path).endswith(".npy"):
        return np.load(path), reader
    if str(path).endswith(".npz"):
        saved = np.load(path)
        rows = saved["rows"].astype(np.float32) * saved["scale"][:, None]
        rows[list(SPECIAL | UNUSED)] = 0
        return rows, with_words(reader, saved["words"].tolist())
    raw = Path(path).read_bytes()
    _, _, dimensions, count, longest, _ = HEADER.unpack_from(raw)
    counts = np.frombuffer(raw, "<u4", longest, HEADER.size)
    at, tokens, known = HEADER.size + 4 * longest, [], reader.get_vocab()
    for length, number in enumerate(counts, 1):
        for _ in range(number):
            tokens.append(raw[at : at + length].decode())
            at += length
    reader = with_words(reader, [token for token in tokens if token not in known])
    vocabulary = reader.get_vocab()
    scale = np.frombuffer(raw, "<f4", count, at)
    quantized = np.frombuffer(raw, np.int8, count * dimensions, at + 4 * count).reshape(count, dimensions)
    rows = np.zeros((len(vocabulary), dimensions), np.float32)
    rows[[vocabulary[token] for token in tokens]] = quantized * scale[:, None]
    return rows, reader
