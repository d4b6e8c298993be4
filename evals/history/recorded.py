"""Makes recordings for `throughline eval history` of projects in evals/extraction/weeks.jsonl, whose lines say what each is about.

    python3 recorded.py FOLDER [PROJECT…]     those that are kept back (weeks.py) unless named

A fact is what is said last of a thing; who says it is found by half of a line that says so. Every line that lasts is of a fact, so what is
no line of one is junk.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "consolidation"))

from weeks import WEEKS_HELD  # noqa: E402: it stands beside

# Prompts of one session, so that two weeks have some fourteen.
SESSIONS, DAYS, SHORT = 14, 14, 6


def rows():
    for line in open(HERE.parent / "extraction/weeks.jsonl", encoding="utf-8"):
        row = json.loads(line)
        if "prompt" in row:
            yield row


def wordings(row):
    text = row["text"].lower().strip().rstrip(".!?,;: ")
    words = text.split()
    half = len(words) // 2
    return [[text]] if len(words) <= SHORT else [[" ".join(words[1 : half + 1])], [" ".join(words[half:])]]


def typed(some):
    ended = lambda row: row["text"] if row["text"].rstrip()[-1:] in ".!?:;," or row is some[-1] else row["text"] + "."
    return " ".join(ended(row) for row in some)


def sessions(of_project):
    prompts = {}
    for row in of_project:
        prompts.setdefault(row["prompt"], []).append(row)
    prompts = list(prompts.values())
    each = len(prompts) // SESSIONS + 1
    for number, first in enumerate(range(0, len(prompts), each)):
        steps = [step for some in prompts[first : first + each] for step in ({"user": typed(some)}, {"agent": "Done."})]
        yield {"day": min(DAYS - 1, number), "client": "claude-code", "steps": steps}


def facts(of_project):
    things = {}
    for row in of_project:
        if row["kind"] != "none":
            things.setdefault(row["about"], []).append(row)
    for thing, said in things.items():
        told = lambda is_now: [words for row in said if (row["value"] == said[-1]["value"]) == is_now for words in wordings(row)]
        yield {"name": thing, "ask": thing.replace("-", " "), "now": told(True), "past": told(False)}


def main(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        of_project = [row for row in rows() if row["project"] == name]
        if of_project:
            recording = {"name": name, "boot": [], "sessions": list(sessions(of_project)), "facts": list(facts(of_project)), "fine": []}
            (folder / f"{name}.json").write_text(json.dumps(recording, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder, *names]:
            main(Path(folder), names or WEEKS_HELD)
        case _:
            sys.exit(__doc__)
