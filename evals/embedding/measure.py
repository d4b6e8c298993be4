"""Measures a token table on LoCoMo and LongMemEval: alone, and mixed with BM25.

    python measure.py TABLE.npy|embedding.bin ...

The evaluation texts are read from DATA, never written; nothing here is used for training.
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import Stemmer
from scipy import sparse

import table
import teacher

DATA = Path(os.environ["EVAL_DATA"])  # the folder with locomo_part.json and longmemeval_oracle_part.json
LEXICAL_SHARE = 0.6
STOP = set(
    "a an and are as at be but by did do does for from had has have he her his how i in is it its me my of on or "
    "our she so that the their them they this to was we were what when where which who whom why will with would you "
    "your about been can could if not than then there these those up us".split()
)


@dataclass
class Haystack:
    """Documents of one search space, each in a group (its session), and the questions asked of it."""

    documents: list
    groups: list
    questions: list  # (text, gold document numbers, gold groups)


def locomo():
    for conversation in json.loads((DATA / "locomo_part.json").read_text()):
        yield one_conversation(conversation)


def one_conversation(conversation):
    documents, groups, number = [], [], {}
    for name, turns in conversation["conversation"].items():
        if not re.fullmatch(r"session_\d+", name):
            continue
        for turn in turns:
            number[turn["dia_id"]] = len(documents)
            caption = f" [shares image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            documents.append(f"{turn['speaker']}: {turn.get('text', '')}{caption}")
            groups.append(name)
    questions = []
    for qa in conversation["qa"]:
        # Some labels are malformed: "D8:6; D9:17", "D30:05", "D:11:26".
        labels = [f"D{int(s)}:{int(t)}" for s, t in re.findall(r"D:?(\d+):(\d+)", " ".join(qa.get("evidence", [])))]
        gold = {number[label] for label in labels if label in number}
        if gold and qa["category"] in (1, 2, 3, 4):
            questions.append((qa["question"], gold, {groups[g] for g in gold}))
    return Haystack(documents, groups, questions)


def longmemeval():
    """All sessions of the file are the haystack of every question."""
    documents, groups, seen, questions = [], [], set(), []
    for entry in json.loads((DATA / "longmemeval_oracle_part.json").read_text()):
        for name, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"]):
            if name not in seen:
                seen.add(name)
                documents += [turn["content"] for turn in turns]
                groups += [name] * len(turns)
        questions.append((entry["question"], set(), set(entry["answer_session_ids"])))
    questions = [q for q in questions if q[2] & seen]
    return Haystack(documents, groups, questions)


def eval_texts():
    for haystack in [*locomo(), longmemeval()]:
        yield from haystack.documents
        yield from (question[0] for question in haystack.questions)


stem = Stemmer.Stemmer("english").stemWords


def terms(text):
    return stem([word for word in re.findall(r"\w+", text.lower()) if word not in STOP])


def bm25(haystack, k1=1.2, b=0.75):
    vocabulary = {}
    counts = to_counts([terms(text) for text in haystack.documents], vocabulary)
    length = np.asarray(counts.sum(axis=1)).ravel()
    present = np.asarray((counts > 0).sum(axis=0)).ravel()
    idf = np.log1p((len(length) - present + 0.5) / (present + 0.5))
    counts = counts.tocoo()
    norm = k1 * (1 - b + b * length[counts.row] / length.mean())
    weights = idf[counts.col] * counts.data * (k1 + 1) / (counts.data + norm)
    documents = sparse.csr_matrix((weights, (counts.row, counts.col)), shape=counts.shape)
    asked = [[t for t in dict.fromkeys(terms(q[0])) if t in vocabulary] for q in haystack.questions]
    queries = to_counts(asked, vocabulary)
    return np.asarray((queries @ documents.T).todense())


def to_counts(rows, vocabulary):
    row, column = [], []
    for number, words in enumerate(rows):
        for word in words:
            row.append(number)
            column.append(vocabulary.setdefault(word, len(vocabulary)))
    ones = np.ones(len(row), dtype=np.float32)
    return sparse.csr_matrix((ones, (row, column)), shape=(len(rows), len(vocabulary)))


def score(haystack, scores):
    """Means of turn recall@10, session recall@10 and session any@5."""
    groups = np.array(haystack.groups)
    turn, session, any5 = [], [], []
    for (_, gold, gold_groups), row in zip(haystack.questions, scores):
        order = np.argsort(-row, kind="stable")
        if gold:
            turn.append(len(gold & set(order[:10].tolist())) / len(gold))
        ranked = list(dict.fromkeys(groups[order[:2000]].tolist()))
        session.append(len(gold_groups & set(ranked[:10])) / len(gold_groups))
        any5.append(bool(gold_groups & set(ranked[:5])))
    return turn, session, any5


class Measure:
    """The haystacks with what does not depend on a table: token ids and BM25."""

    def __init__(self, tokenizer):
        self.locomo, self.longmemeval = list(locomo()), longmemeval()
        self.sets = []
        for haystack in [*self.locomo, self.longmemeval]:
            lexical = bm25(haystack)
            lexical = lexical / np.maximum(lexical.max(axis=1, keepdims=True), 1e-9)
            documents = table.token_counts(tokenizer, haystack.documents)
            queries = table.token_counts(tokenizer, [q[0] for q in haystack.questions])
            self.sets.append((haystack, lexical, documents, queries))

    def table(self, rows):
        return self.vectors(lambda counts: table.unit(counts @ rows))

    def vectors(self, embed):
        dense = [embed(queries) @ embed(documents).T for _, _, documents, queries in self.sets]
        return self.figures(dense)

    def figures(self, dense):
        out = {}
        for name, share in (("dense", 0.0), ("mix", LEXICAL_SHARE)):
            turn, session, any5 = [], [], []
            for (haystack, lexical, _, _), cosine in zip(self.sets, dense):
                t, s, a = score(haystack, share * lexical + (1 - share) * cosine)
                if haystack is self.longmemeval:
                    any5 = a
                else:
                    turn, session = turn + t, session + s
            out |= {f"{name} turn@10": turn, f"{name} session@10": session, f"{name} LME any@5": any5}
        return {name: 100 * float(np.mean(values)) for name, values in out.items()}

    def lexical(self):
        return self.figures([lexical for _, lexical, _, _ in self.sets])


def show(name, figures):
    print(f"{name:34}", " ".join(f"{figures[key]:6.1f}" for key in figures), flush=True)


def main():
    reader = teacher.reader()
    measure = Measure(reader)
    show("BM25", measure.lexical())
    for path in sys.argv[1:]:
        show(path, measure.table(table.load(path, reader)))


if __name__ == "__main__":
    main()
