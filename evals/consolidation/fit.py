"""Fits the weights that tell what two statements are to each other, which the program is built with.

    python -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python fit.py PROGRAM     PROGRAM: throughline, built from these sources

PROGRAM tells what pairs are weighed by (`eval weigh`), so it has to be built anew when that changes, and again afterwards.
Two judges are fitted, who count alike: a linear one for 32 numbers and their products, and a network that looks at the
statements word by word, to `WEIGH/weights.bin` and `WEIGH/words.bin`. About ten minutes on two cores.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

import pairs as material

ROOT = Path(__file__).parents[2]
WEIGH = ROOT / "crates/throughline-engine/src/remember/consolidate/weigh"
TABLE = ROOT / "crates/throughline-inference/assets/embedding.bin"
WIDTH, PIECES, NUMBERS, BATCH = 32, 32, 32, 1024
CASES = {"unrelated": 0, "same": 1, "refined": 1, "opposite": 2, "apart": 3}
UPPER = np.triu_indices(NUMBERS)


class Table:
    """The rows of the program's embedding table, and where the words are that are one row."""

    def __init__(self, path):
        data = path.read_bytes()
        dimensions, rows, longest = np.frombuffer(data, "<u4", 3, 12)
        counts, at = np.frombuffer(data, "<u4", longest, 64), 64 + 4 * longest
        self.index = {}
        for length, count in enumerate(counts, 1):
            for _ in range(count):
                self.index[data[at : at + length].decode()] = len(self.index)
                at += length
        scales = np.frombuffer(data, "<f4", rows, at)
        values = np.frombuffer(data, "i1", rows * dimensions, at + 4 * rows)
        self.rows = values.reshape(rows, dimensions) * scales[:, None]


class Examples:
    """Pairs in numbers; rows of the table are counted from one, and none is nothing."""

    def __init__(self, pairs, program):
        with tempfile.TemporaryDirectory() as folder:
            told, weighed = Path(folder, "pairs.jsonl"), Path(folder, "weighed.jsonl")
            told.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
            subprocess.run([program, "eval", "weigh", told, "--out", weighed], check=True)
            rows = [json.loads(line) for line in open(weighed, encoding="utf-8")]
        self.numbers = np.array([row["numbers"] for row in rows], np.float32)
        self.known = np.stack([padded(row["known"]) for row in rows])
        self.new = np.stack([padded(row["new"]) for row in rows])
        self.case = np.array([CASES[pair["label"]] for pair in pairs])
        self.held = np.array([pair["held"] for pair in pairs])
        # A set with many pairs counts for more, but not in proportion.
        groups = [(pair["source"], CASES[pair["label"]]) for pair in pairs]
        sizes = Counter(groups)
        self.weight = np.array([10 / np.sqrt(sizes[group]) for group in groups], np.float32)


def padded(rows):
    return np.array([row + 1 for row in rows] + [0] * (PIECES - len(rows)), np.int32)


def expanded(numbers):
    return jnp.concatenate([numbers, numbers[:, UPPER[0]] * numbers[:, UPPER[1]]], 1)


def miss(logits, case, weight):
    shares = jax.nn.log_softmax(logits)
    named = -jnp.take_along_axis(shares, jnp.minimum(case, 2)[:, None], 1)[:, 0]
    not_the_same = -jnp.log1p(-jnp.minimum(jnp.exp(shares[:, 1]), 0.9999))
    return (jnp.where(case == 3, not_the_same, named) * weight).mean()


def descended(start, judge, chosen, examples, epochs, rate, decay):
    steps = epochs * (len(chosen) // BATCH)
    plan = optax.adamw(optax.cosine_onecycle_schedule(steps + 1, rate), weight_decay=decay)
    state, params, key = plan.init(start), start, jax.random.PRNGKey(0)

    @jax.jit
    def step(params, state, key, known, new, numbers, case, weight):
        loss = lambda params: miss(judge(params, known, new, numbers, key), case, weight)
        value, slope = jax.value_and_grad(loss)(params)
        change, state = plan.update(slope, state, params)
        return optax.apply_updates(params, change), state, value

    order = np.random.default_rng(0)
    for epoch in range(epochs):
        mixed, total = order.permutation(chosen), 0.0
        for at in range(0, len(mixed) - BATCH + 1, BATCH):
            some = mixed[at : at + BATCH]
            key, own = jax.random.split(key)
            params, state, value = step(
                params, state, own, examples.known[some], examples.new[some], examples.numbers[some],
                examples.case[some], examples.weight[some],
            )
            total += float(value)
        print(f"  {epoch + 1} of {epochs}: {total / (len(mixed) // BATCH):.4f}", flush=True)
    return params


def linear(params, _known, _new, numbers, _key=None):
    return expanded(numbers) @ params["weights"] + params["bias"]


def random_layer(key, inputs, outputs):
    return jax.random.uniform(key, (inputs, outputs), minval=-1, maxval=1) / np.sqrt(inputs)


def network_start(dimensions):
    keys = iter(jax.random.split(jax.random.PRNGKey(1), 8))
    return {
        "project": random_layer(next(keys), dimensions, WIDTH),
        "around": random_layer(next(keys), 3 * WIDTH, WIDTH),
        "around_bias": jnp.zeros(WIDTH),
        "sharpness": jnp.array(2.0),
        "compare": random_layer(next(keys), 4 * WIDTH + 1, WIDTH),
        "compare_bias": jnp.zeros(WIDTH),
        "mix": random_layer(next(keys), 4 * WIDTH, WIDTH),
        "mix_bias": jnp.zeros(WIDTH),
        "numbers": random_layer(next(keys), NUMBERS, WIDTH),
        "out": random_layer(next(keys), WIDTH, 3),
        "out_bias": jnp.zeros(3),
    }


def network(table):
    rows = jnp.concatenate([jnp.zeros((1, table.rows.shape[1])), table.rows])

    def judge(params, known, new, numbers, key=None):
        keys = [None] * 7 if key is None else list(jax.random.split(key, 7))
        # What is left out while fitting must not be needed to be right.
        known, new = known * kept(keys[0], known.shape, 0.1), new * kept(keys[1], new.shape, 0.1)
        numbers = numbers * kept(keys[2], (len(numbers), 1), 0.3)
        one, other = meanings(params, rows, known, keys[3]), meanings(params, rows, new, keys[4])
        first, second = beside(params, (known, *one), (new, *other)), beside(params, (new, *other), (known, *one))
        seen = scaled(jnp.concatenate([*first, *second], -1), keys[5])
        hidden = jax.nn.relu(seen @ params["mix"] + numbers @ params["numbers"] + params["mix_bias"])
        return scaled(hidden, keys[6]) @ params["out"] + params["out_bias"]

    return judge


def kept(key, shape, left_out):
    return 1 if key is None else jax.random.bernoulli(key, 1 - left_out, shape)


def scaled(values, key):
    return values if key is None else values * kept(key, values.shape, 0.2) / 0.8


def meanings(params, rows, pieces, key):
    there = (pieces > 0)[..., None]
    alone = scaled(rows[pieces], key) @ params["project"] * there
    before = jnp.pad(alone, ((0, 0), (1, 0), (0, 0)))[:, :-1]
    after = jnp.pad(alone, ((0, 0), (0, 1), (0, 0)))[:, 1:]
    around = jnp.concatenate([before, alone, after], -1) @ params["around"] + params["around_bias"]
    meaning = (alone + jax.nn.relu(around)) * there
    return meaning, meaning / jnp.sqrt((meaning**2).sum(-1, keepdims=True) + 1e-12)


def beside(params, one, other):
    (mine, meaning, direction), (theirs, other_meaning, other_direction) = one, other
    near = jnp.einsum("nid,njd->nij", direction, other_direction) * jnp.exp(params["sharpness"])
    share = jax.nn.softmax(jnp.where((theirs > 0)[:, None, :], near, -1e9), -1)
    counterpart = jnp.einsum("nij,njd->nid", share, other_meaning)
    there = ((mine[:, :, None] == theirs[:, None, :]) & (mine > 0)[:, :, None]).any(2)[..., None]
    seen = [meaning, counterpart, jnp.abs(meaning - counterpart), meaning * counterpart, there]
    compared = jax.nn.relu(jnp.concatenate(seen, -1) @ params["compare"] + params["compare_bias"])
    compared = compared * (mine > 0)[..., None]
    return compared.sum(1) / 8, compared.max(1)


def shares(judge, params, examples, chosen):
    ask = jax.jit(lambda known, new, numbers: jax.nn.log_softmax(judge(params, known, new, numbers)))
    parts = [
        np.array(ask(examples.known[some], examples.new[some], examples.numbers[some]))
        for some in np.array_split(chosen, max(1, len(chosen) // 2048))
    ]
    return np.concatenate(parts)


def report(name, logs, case):
    found = np.exp(logs) / np.exp(logs).sum(1, keepdims=True)
    for number, what in ((1, "same"), (2, "opposite")):
        judged = case != 3 if number == 2 else np.full(len(case), True)
        for sure in (0.5, 0.7, 0.9):
            taken = judged & (found[:, number] >= sure)
            right = (case[taken] == number).sum()
            precision, recall = right / max(1, taken.sum()), right / (case == number).sum()
            print(f"{name}: {what} from {sure}: precision {precision:.3f}, recall {recall:.3f}")


def written(path, arrays):
    path.write_bytes(b"".join(np.asarray(array, "<f4").tobytes() for array in arrays))


def main(program):
    table = Table(TABLE)
    pairs = material.gathered(table)
    print(len(pairs), "pairs", dict(Counter((pair["label"], pair["held"]) for pair in pairs)), flush=True)
    examples = Examples(pairs, program)
    known, held = np.where(~examples.held)[0], np.where(examples.held)[0]

    print("the linear judge")
    width = NUMBERS + len(UPPER[0])
    start = {"weights": jnp.zeros((width, 3)), "bias": jnp.zeros(3)}
    labelled = known[examples.case[known] != 3]
    whole = descended(start, linear, labelled, examples, 20, 6e-3, 1e-3)
    print("the network")
    judge = network(table)
    words = descended(network_start(table.rows.shape[1]), judge, known, examples, 14, 2e-3, 1e-2)

    logs = [shares(linear, whole, examples, held), shares(judge, words, examples, held)]
    for name, log in (("linear", logs[0]), ("network", logs[1]), ("both", (logs[0] + logs[1]) / 2)):
        report(name, log, examples.case[held])
    written(WEIGH / "weights.bin", [whole["bias"], whole["weights"].T])
    words["sharpness"] = jnp.exp(words["sharpness"])
    written(WEIGH / "words.bin", [words[name] for name in network_start(table.rows.shape[1])])


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
