"""Pairs of texts that belong together, from public material that lies outside this repository.

    python pairs.py MIRRORS...     writes CACHE/pairs.jsonl: {"a": …, "b": …, "of": source}, in a fixed random order

MIRRORS are git directories (bare or not) of the repositories in REPOSITORIES, and the folder of the crates that cargo
fetched. Nothing of the repositories that `throughline eval commits` is measured on is read, and a pair is left out if
an evaluation text holds one of its sides, or begins like it.
"""

import ast
import itertools
import json
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import asked
import corpus
import measure
import table
import teacher

MOST_CHARS = 320
CODE = re.compile(r"\.(rs|go|java|js|ts|tsx|jsx|c|h|cc|cpp|rb|py|php|kt)$")
MEASURED = {"flask", "jq", "gson", "sinatra", "got", "cobra", "ripgrep"}
COMMITS = 1500
MOST_OF_A_PLACE = 9000  # documented, of one repository
LANGUAGES = {
    "rs": "rust", "go": "go", "java": "java", "js": "javascript", "ts": "typescript", "tsx": "typescript", "jsx": "javascript", "c": "c",
    "h": "c", "cc": "c++", "cpp": "c++", "rb": "ruby", "py": "python", "php": "php", "kt": "kotlin",
}
BINDINGS = re.compile(r"/(windows|winapi|web-sys|js-sys|libc-|linux-raw|tree-sitter|aws-lc|icu_|unicode)")
MOST = {  # how many pairs of each source
    "documented": 150_000,
    "commit": 45_000,
    "section": 30_000,
    "dialogue": 60_000,
    "sense": 20_000,
    "question": 60_000,
    "asked": 150_000,
}


def git(repository, *arguments):
    """What git says; a snapshot may lack its largest files, at which git stops: what came before is good."""
    ran = subprocess.run(["git", "--git-dir", str(repository), *arguments], capture_output=True)
    return ran.stdout.decode("utf-8", "replace")


def files(repository, wanted, most=200_000):
    """Paths and texts of the newest commit; what the snapshot lists and lacks is left out."""
    listed = git(repository, "ls-tree", "-r", "-l", "HEAD").splitlines()
    entries = [line.split(None, 4) for line in listed]
    chosen = [(e[2], e[4]) for e in entries if wanted.search(e[4]) and e[3].isdigit() and int(e[3]) < most]
    asked = "\n".join(blob for blob, _ in chosen).encode()
    ran = subprocess.run(["git", "--git-dir", str(repository), "cat-file", "--batch"], input=asked, capture_output=True)
    at, out = 0, ran.stdout
    for _, path in chosen:
        end = out.index(b"\n", at)
        size = int(out[at:end].split()[-1])
        yield path, out[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + 2 + size


COMMENT = re.compile(r"^\s*(///?|//!|\*|/\*\*|#)\s?(.*?)(\*/)?$")


def documented(text):
    """A comment and the code right below it."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        said = []
        while at < len(lines) and (found := COMMENT.match(lines[at])) and not lines[at].lstrip().startswith(("#[", "#!", "#i", "#d", "#e")):
            said.append(found[2])
            at += 1
        code = "\n".join(lines[at : at + 12])
        if said and re.search(r"\b(fn|func|function|def|class|struct|enum|static|void|public|const|type|impl)\b", code[:120]):
            yield " ".join(said), code
        at += 1


def python(text):
    """A docstring and the function without it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        said = ast.get_docstring(node)
        if said and len(node.body) > 1:
            first = node.body[1].lineno - 1
            yield said.split("\n\n")[0], "\n".join([lines[node.lineno - 1], *lines[first : min(first + 12, node.end_lineno)]])


def sections(text):
    """A heading and what stands below it."""
    for part in re.split(r"\n(?=#{1,4} )", text)[1:]:
        heading, _, body = part.partition("\n")
        yield heading.lstrip("# "), re.sub(r"```.*?```", " ", body, flags=re.DOTALL)


def commits(repository):
    """What a commit says, and the paths and lines that it added."""
    log = git(repository, "log", "--no-merges", "-n", str(COMMITS), "-p", "-U0", "--no-color", "--format=%x1e%s%n%b%x1f", "--", ".")
    for entry in log.split("\x1e")[1:]:
        message, _, patch = entry.partition("\x1f")
        paths = re.findall(r"^\+\+\+ b/(.*)$", patch, re.MULTILINE)
        if not 1 <= len(paths) <= 8 or re.match(r"(bump|release|merge|v?\d+\.\d+)", message, re.IGNORECASE):
            continue
        added = re.findall(r"^\+(?!\+\+)(.*\S.*)$", patch, re.MULTILINE)[:12]
        message = re.sub(r"\n(Signed-off-by|Co-authored-by|Refs?|Fixes|Closes)\b.*", "", message)
        yield message, " ".join(paths) + "\n" + "\n".join(added)


def websearch(said, language, numbers):
    """A comment as somebody might search for it."""
    words = re.sub(r"[^a-z0-9 ]+", " ", re.split(r"[.:;(]", said.lower())[0]).split()[:12]
    words = [re.sub(r"^(get|return|check|create|find|set|convert|parse|read|write|add|remove|print|compute|generate)s$", r"\1", word) for word in words]
    if len(words) < 3:
        return said
    form = numbers.choice(("{0} {1}", "how to {1} in {0}", "{0} how to {1}", "{1} in {0}", "{1}", "{0} function to {1}", "how do i {1}"))
    return form.format(language, " ".join(words))


def dialogues(text):
    """The lines of each conversation, in whichever of the formats."""
    try:
        data = json.loads(text)
    except ValueError:
        return
    for dialogue in data.values() if isinstance(data, dict) else data:
        if not isinstance(dialogue, dict):
            continue
        said = dialogue.get("utterances") or dialogue.get("turns") or dialogue.get("content") or dialogue.get("meeting_transcripts") or []
        lines = [turn.get("text") or turn.get("utterance") or turn.get("message") or "" for turn in said if isinstance(turn, dict)]
        yield [line if isinstance(line, str) else " ".join(map(str, line)) for line in lines]


def turns(lines):
    """What one says and what the other answers; and a line and the conversation it is of."""
    yield from zip(lines, lines[1:])
    whole = " ".join(lines)
    yield from ((line, whole[:MOST_CHARS]) for line in lines[4::9])


def untokenized(text):
    text = text.replace("-lrb-", "(").replace("-rrb-", ")").replace("``", '"').replace("''", '"')
    return re.sub(r"\s+([.,;:?!%)'])|(?<=[(])\s+|\s+(n't\b)", lambda m: m[1] or m[2] or "", text)


def squad(repository):
    """Questions and the sentence that answers each; paragraphs follow each other, so twenty lines are a group."""
    for part in ("dev", "test"):
        said, asks = (git(repository, "show", f"HEAD:data/processed/{side}-{part}.txt").splitlines() for side in ("src", "tgt"))
        for number, pair in enumerate(zip(asks, said)):
            yield number // 40, *map(untokenized, pair)


def meetings(repository):
    """Questions about a meeting, and the turn of what answers it that shares most words with the written answer."""
    for number, (_, text) in enumerate(files(repository, re.compile(r"data/ALL/(train|val)/.*\.json$"), 3_000_000)):
        meeting = json.loads(text)
        lines = meeting["meeting_transcripts"]
        for query in meeting["specific_query_list"]:
            wanted = set(re.findall(r"[a-z]{4,}", (query["answer"] + query["query"]).lower()))
            places = [i for one, other in query["relevant_text_span"] for i in range(int(one), min(int(other), len(lines) - 1) + 1)]
            best = max(places, key=lambda i: len(wanted & set(re.findall(r"[a-z]{4,}", lines[i]["content"].lower()))), default=None)
            if best is not None:
                yield number, query["query"], f"{lines[best]['speaker']}: {untokenized(lines[best]['content'])}"


def senses():
    for text in corpus.wordnet():
        if ": " in text:
            words, _, meaning = text.partition(": ")
            yield words, meaning


def gathered(places):
    """Source, group, one side, other side; the sides of a group are hard to tell apart."""
    asker, group = asked.Asker(), itertools.count()
    for place in map(Path, places):
        print(place.name if place.name not in ("repo", ".git") else place.parts[place.parts.index(".mirror") + 1], flush=True)
        if (place / "HEAD").exists():
            if any(part.split("+")[-1] in MEASURED for part in place.parts):
                continue
            yield from repository(place, asker, group)
        else:
            for path in sorted(place.rglob("*")):
                if path.suffix in (".rs", ".md") and not BINDINGS.search(str(path)) and path.stat().st_size < 100_000:
                    text = path.read_text("utf-8", "replace")
                    kind, read = ("section", sections) if path.suffix == ".md" else ("documented", documented)
                    of = path.relative_to(place).parts[0]
                    yield from ((kind, of, *pair) for pair in searched(read(text), "rust", kind))
    for package, _ in corpus.DOCUMENTED:
        with zipfile.ZipFile(teacher.wheel(package)) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".py"):
                    pairs = python(archive.read(name).decode("utf-8", "replace"))
                    yield from (("documented", package, *pair) for pair in searched(pairs, "python", "documented"))
    for number, pair in enumerate(senses()):
        yield "sense", number // 50, *pair
    # What people said, of which each says "I": as if a conversation.
    own = [text for text in corpus.build().read_text().splitlines() if re.search(r"\b(I|my|we)\b", text) and len(text) < 300]
    for at in range(0, len(own), 12):
        number = next(group)
        yield from (("asked", number, *pair) for pair in asker.dialogue(own[at : at + 12]))


def searched(pairs, language, kind):
    for said, code in pairs:
        numbers = random.Random(said)
        yield (websearch(said, language, numbers) if kind == "documented" and numbers.random() < 0.35 else said), code


def repository(place, asker, group):
    name = "nqg" if "nqg" in str(place) else "QMSum" if "QMSum" in str(place) else ""
    if name:
        read = squad if name == "nqg" else meetings
        yield from (("question", f"{name} {number}", *pair) for number, *pair in read(place))
        return
    of, found = str(place), 0
    for path, text in files(place, CODE):
        pairs = python(text) if path.endswith(".py") else documented(text)
        for pair in searched(pairs, LANGUAGES[path.rsplit(".", 1)[-1]], "documented"):
            found += 1
            if found <= MOST_OF_A_PLACE:
                yield "documented", of, *pair
    for _, text in files(place, re.compile(r"\.md$")):
        yield from (("section", of, *pair) for pair in sections(text))
    # Of a folder with conversations.
    talks = list(files(place, re.compile(r"(dialogues_|data_|reward|conversations|self-dialogs).*\.json$"), 6_000_000))
    for _, text in talks:
        for lines in dialogues(text):
            number = next(group)
            yield from (("dialogue", number, *pair) for pair in turns(lines))
            yield from (("asked", number, *pair) for pair in asker.dialogue(lines))
    if not talks:
        yield from (("commit", of, *pair) for pair in commits(place))


def clean(text, least):
    text = re.sub(r"\s+", " ", text).strip()[:MOST_CHARS]
    return text if len(text) >= least and sum(map(str.isalpha, text)) >= 0.4 * len(text) else None


def shingles(text, words=8):
    """Every eight words in a row: what two texts share if one was copied from the other."""
    told = re.findall(r"[a-z0-9]+", text.lower())
    return {hash(tuple(told[at : at + words])) for at in range(len(told) - words + 1)}


def build(places):
    begins, copied = set(), set()
    for text in measure.eval_texts():
        begins.add(corpus.key(text)[:60])
        copied |= shingles(text)
    kept, seen, met, near = {name: [] for name in MOST}, set(), 0, 0
    for name, group, one, other in gathered(places):
        a, b = clean(one, 4 if name in ("section", "sense") else 16), clean(other, 24)
        if not a or not b:
            continue
        keys = corpus.key(a)[:60], corpus.key(b)[:60]
        if keys in seen or keys[0] == keys[1]:
            continue
        seen.add(keys)
        if keys[0] in begins or keys[1] in begins:
            met += 1
        elif not copied.isdisjoint(shingles(a) | shingles(b)):
            near += 1
        else:
            kept[name].append({"a": a, "b": b, "of": name, "g": f"{name} {group}"})
    chosen, number = [], {}
    for name, pairs in kept.items():
        random.Random(name).shuffle(pairs)
        print(f"{name}: {len(pairs)} pairs, {min(len(pairs), MOST[name])} kept", flush=True)
        chosen += pairs[: MOST[name]]
    for pair in chosen:
        pair["g"] = number.setdefault(pair["g"], len(number))
    print(f"left out because an evaluation text begins so: {met}, because eight words in a row are of one: {near}; kept {len(chosen)}")
    random.Random("pairs").shuffle(chosen)
    with open(table.CACHE / "pairs.jsonl", "w") as file:
        file.writelines(json.dumps(pair, ensure_ascii=False) + "\n" for pair in chosen)


if __name__ == "__main__":
    build(sys.argv[1:])
