"""Measures a token table on LoCoMo and LongMemEval: alone, and mixed with BM25.

    python measure.py TABLE.npy|embedding.bin ...

The evaluation texts are read from DATA, never written; nothing here is used for training.
"""

import json
import os
import re
import subprocess
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


def cosqa():
    """What people ask a search engine, and the Python functions that answer: CoSQA's test questions (Jun-jie-Huang/CoCLR, MIT)."""

    def of(path):
        shown = ["git", "--git-dir", os.environ["COSQA"], "show", f"HEAD:data/search/{path}"]
        return json.loads(subprocess.run(shown, capture_output=True, check=True).stdout)

    documents = list(of("code_idx_map.txt"))
    asked = of("cosqa-retrieval-test-500.json")
    questions = [(entry["doc"], {entry["retrieval_idx"]}, {entry["retrieval_idx"]}) for entry in asked]
    return Haystack(documents, list(range(len(documents))), questions)


def friends():
    """Questions about scenes and the lines that answer them (emorynlp/FriendsQA, Apache-2.0): thirty scenes at a time.

    No evaluation set: tables are chosen by it.
    """
    shown = ["git", "--git-dir", os.environ["FRIENDS"], "show"]
    for part in ("dev", "tst"):
        scenes = json.loads(subprocess.run([*shown, f"HEAD:dat/friendsqa_{part}.json"], capture_output=True, check=True).stdout)["data"]
        for at in range(0, len(scenes), 30):
            documents, groups, questions = [], [], []
            for scene in scenes[at : at + 30]:
                for told in scene["paragraphs"]:
                    first = len(documents)
                    for line in told["utterances:"]:
                        documents.append(f"{' '.join(line['speakers'])}: {line['utterance']}")
                        groups.append(scene["title"])
                    for asked in told["qas"]:
                        gold = {first + int(answer["utterance_id"]) for answer in asked["answers"]}
                        questions.append((asked["question"], gold, {scene["title"]}))
            yield Haystack(documents, groups, questions)


def eval_texts():
    for haystack in [*locomo(), longmemeval(), cosqa()]:
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
    """Of each question turn recall@10, session recall@10, session any@5 and one by the rank of the first gold turn."""
    groups = np.array(haystack.groups)
    turn, session, any5, rank = [], [], [], []
    for (_, gold, gold_groups), row in zip(haystack.questions, scores):
        order = np.argsort(-row, kind="stable")
        if gold:
            turn.append(len(gold & set(order[:10].tolist())) / len(gold))
            rank.append(1 / (1 + int(np.flatnonzero(np.isin(order, list(gold)))[0])))
        ranked = list(dict.fromkeys(groups[order[:2000]].tolist()))
        session.append(len(gold_groups & set(ranked[:10])) / len(gold_groups))
        any5.append(bool(gold_groups & set(ranked[:5])))
    return turn, session, any5, rank


def documented():
    """Comments and the code below them, of repositories that nothing was learned from: one haystack each."""
    import pairs

    for place in os.environ.get("DOCUMENTED", "").split():
        found, seen = [], set()
        for path, text in pairs.files(Path(place), pairs.CODE):
            for said, code in pairs.python(text) if path.endswith(".py") else pairs.documented(text):
                said, code = pairs.clean(said, 24), pairs.clean(code, 24)
                if said and code and said not in seen and code not in seen:
                    seen |= {said, code}
                    found.append((said, code))
        found = found[:3000]
        questions = [(said, {number}, {number}) for number, (said, _) in enumerate(found)]
        yield Haystack([code for _, code in found], list(range(len(found))), questions[:600])


@dataclass
class Set:
    """One search space with what does not depend on a table: token counts and BM25."""

    name: str
    haystack: Haystack
    lexical: np.ndarray
    documents: object
    queries: object


class Measure:
    """Everything that a table is measured on."""

    def __init__(self, reader):
        self.sets = []
        named = [("locomo", locomo()), ("LME", [longmemeval()]), ("cosqa", [cosqa()]), ("code", documented()), ("friends", friends())]
        for name, haystacks in named:
            for haystack in haystacks:
                lexical = bm25(haystack)
                lexical = lexical / np.maximum(lexical.max(axis=1, keepdims=True), 1e-9)
                documents = table.token_counts(reader, haystack.documents)
                queries = table.token_counts(reader, [q[0] for q in haystack.questions])
                self.sets.append(Set(name, haystack, lexical, documents, queries))

    def table(self, rows):
        return self.figures([table.unit(s.queries @ rows) @ table.unit(s.documents @ rows).T for s in self.sets])

    def lexical(self):
        return self.figures([s.lexical for s in self.sets])

    def figures(self, dense):
        out = {}
        for name, share in (("dense", 0.0), ("mix", LEXICAL_SHARE)):
            found = {}
            for s, cosine in zip(self.sets, dense):
                turn, session, any5, rank = score(s.haystack, share * s.lexical + (1 - share) * cosine)
                told = {"locomo": {"turn@10": turn, "session@10": session}, "LME": {"any@5": any5}, "friends": {"turn@10": turn}}
                for measured, values in told.get(s.name, {"@10": turn, "MRR": rank}).items():
                    found.setdefault(f"{name} {s.name} {measured}", []).extend(values)
            out |= found
        return {name: 100 * float(np.mean(values)) for name, values in out.items()}


def main():
    plain = teacher.reader()
    measures = {}
    for path in ["BM25", *sys.argv[1:]]:
        rows, reader = (None, plain) if path == "BM25" else table.opened(path, plain)
        words = len(reader.get_vocab()), reader.id_to_token(len(reader.get_vocab()) - 1)
        if words not in measures:
            measures[words] = Measure(reader)
        figures = measures[words].lexical() if rows is None else measures[words].table(rows)
        if path == "BM25":
            print(" " * 24, " ".join(f"{name.replace('dense ', 'd ').replace('mix ', 'm '):>18}" for name in figures))
        print(f"{Path(path).name:24}", " ".join(f"{value:18.1f}" for value in figures.values()), flush=True)


if __name__ == "__main__":
    main()
