"""Sentences with what they are, from the labelled sets of extraction, and others that only a teacher says it of.

A sentence has `text`, `kind` (a place in KINDS; `ASKED`: only the teacher says which) and `held`: whether it is kept back.
"""

import json
import random
import re
from pathlib import Path

from pairs import HISTORIES, SETTLED
from weeks import WEEKS_HELD

EVALS = Path(__file__).parents[1]
KINDS = ["none", "fact", "rule", "preference", "decision"]
ASKED = len(KINDS)
PROMPTS_COUNT = 2
# Of the facts of histories and topics, and of what only the teacher says, more would outweigh the rest.
FACTS, ONLY_ASKED = 7_000, 10_000
SETS = ["lines", "engineers", "trades", "changes", "passing", "messages", "chats", "fleeting"]


def rows(path):
    return [json.loads(line) for line in open(EVALS / path, encoding="utf-8")]


def kind(expect):
    if expect is None:
        return 0
    first = expect["kind"].split("|")[0]
    return KINDS.index(first) if first in KINDS else 1


def labelled():
    for name in SETS:
        for row in rows(f"extraction/{name}.jsonl"):
            # What a person did not say, or what only makes sense after something else, is not told by the sentence.
            if row["role"] == "user" and not row.get("context") and "\n" not in row["text"]:
                yield row["text"], kind(row["expect"]), row["split"] == "held"


def prompts():
    """As people type them, which is what the reader is for: they count more than what was made up line by line."""
    for row in [*rows("extraction/prompts.jsonl"), *rows("extraction/weeks.jsonl")] * PROMPTS_COUNT:
        yield row["text"], KINDS.index(row["kind"]), row.get("project") in WEEKS_HELD


def varied(chance):
    """The same as others would type it, which only a teacher labels: what it says by itself may be another thing then."""
    for text, _, held in prompts():
        if not held:
            yield chance.choice([plainer, tidier, mistyped, cut])(text, chance)


def plainer(text, _):
    return text.lower().rstrip(".!")


def tidier(text, _):
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?:" else ".")


def mistyped(text, chance):
    at = chance.randrange(max(1, len(text) - 1))
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def cut(text, chance):
    """One of its clauses."""
    return max(re.split(r"(?:, | - |; |\bso\b|\bbut\b|\band\b)", text), key=lambda clause: (len(clause) > 12) * chance.random()).strip() or text


def told(topic):
    values = topic["values"]
    for at, text in enumerate(topic["first"] + topic["again"] + topic["change"]):
        value, old = values[(at + 1) % len(values)], values[at % len(values)]
        yield text.replace("{v}", value).replace("{old}", old), 1, False


def histories():
    for name in HISTORIES:
        history = json.load(open(EVALS / "history" / f"{name}.json", encoding="utf-8"))
        for topic in history["topics"]:
            yield from told(topic)
        for why, texts in history["traps"].items():
            if why not in ("tool", "assistant"):
                yield from ((text, 0, False) for text in texts)


def topics():
    for topic in rows("consolidation/topics.jsonl"):
        # All of them would outweigh the rest.
        yield from list(told(topic))[::3]


def asked(chance):
    for row in (row for name in ("stated", "rules", *SETTLED) for row in rows(f"consolidation/{name}.jsonl")):
        yield from ((text, ASKED, False) for text in chance.sample(row["same"] + row["opposite"] + row["other"], 6))
    for family in rows("consolidation/families.jsonl"):
        for fact in family["facts"]:
            yield from ((text, ASKED, False) for text in chance.sample(fact["same"] + fact["opposite"], 3))
    texts = sorted((EVALS.parent / "docs").rglob("*.md"))
    for path in texts:
        for sentence in re.split(r"(?<=[.!?])\s+|\n+", path.read_text(encoding="utf-8")):
            sentence = sentence.strip(" -*#|`")
            if 20 < len(sentence) < 160 and sentence[0].isalpha():
                yield sentence, ASKED, False


def gathered():
    chance = random.Random(7)
    told, only_asked = [*histories(), *topics()], list(asked(chance))
    facts = [row for row in told if row[1]]
    told = [row for row in told if not row[1]] + chance.sample(facts, min(FACTS, len(facts)))
    every = [*labelled(), *prompts(), *told, *chance.sample(only_asked, min(ONLY_ASKED, len(only_asked)))]
    every += [(text, ASKED, False) for text in varied(chance)]
    return [{"text": text, "kind": what, "held": held} for text, what, held in every]
