"""Pairs of texts that belong together, from public material that lies outside this repository.

    python pairs.py MIRRORS...     writes CACHE/pairs.jsonl: {"a": …, "b": …, "of": source}, in a fixed random order

MIRRORS are git directories (bare or not) of the repositories in REPOSITORIES, and the folder of the crates that cargo
fetched. Nothing of the repositories that `throughline eval commits` is measured on is read, and a pair is left out if
an evaluation text holds one of its sides, or begins like it.
"""

import ast
import json
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import corpus
import measure
import table
import teacher

MOST_CHARS = 480
CODE = re.compile(r"\.(rs|go|java|js|ts|tsx|jsx|c|h|cc|cpp|rb|py)$")
MEASURED = {"flask", "jq", "gson", "sinatra", "got", "cobra", "ripgrep"}
COMMITS = 2500
BINDINGS = re.compile(r"/(windows|winapi|web-sys|js-sys|libc-|linux-raw|tree-sitter|aws-lc|icu_|unicode)")
MOST = {  # how many pairs of each source
    "documented": 180_000,
    "commit": 60_000,
    "section": 80_000,
    "dialogue": 120_000,
    "sense": 80_000,
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


def turns(text):
    """What one says and what the other answers, in whichever of the formats."""
    try:
        data = json.loads(text)
    except ValueError:
        return
    dialogues = data.values() if isinstance(data, dict) else data
    for dialogue in dialogues:
        if not isinstance(dialogue, dict):
            continue
        said = dialogue.get("utterances") or dialogue.get("turns") or dialogue.get("content") or []
        lines = [turn.get("text") or turn.get("utterance") or turn.get("message") or "" for turn in said if isinstance(turn, dict)]
        lines = [line if isinstance(line, str) else " ".join(map(str, line)) for line in lines]
        yield from zip(lines, lines[1:])
        whole = " ".join(lines)
        yield from ((line, whole[:MOST_CHARS]) for line in lines[4::9])


def senses():
    for text in corpus.wordnet():
        if ": " in text:
            words, _, meaning = text.partition(": ")
            yield words, meaning


def gathered(places):
    for place in map(Path, places):
        print(place.name if place.name != "repo" else place.parent.name, flush=True)
        if (place / "HEAD").exists():
            if any(part.split("+")[-1] in MEASURED for part in place.parts):
                continue
            for path, text in files(place, CODE):
                pairs = python(text) if path.endswith(".py") else documented(text)
                yield from (("documented", *pair) for pair in pairs)
            for _, text in files(place, re.compile(r"\.md$")):
                yield from (("section", *pair) for pair in sections(text))
            yield from (("commit", *pair) for pair in commits(place))
            # Of a folder with conversations.
            for _, text in files(place, re.compile(r"(dialogues_|data_|reward|conversations|self-dialogs|data/).*\.json$"), 6_000_000):
                yield from (("dialogue", *pair) for pair in turns(text))
        else:
            for path in sorted(place.rglob("*")):
                if path.suffix in (".rs", ".md") and not BINDINGS.search(str(path)) and path.stat().st_size < 100_000:
                    text = path.read_text("utf-8", "replace")
                    kind, read = ("section", sections) if path.suffix == ".md" else ("documented", documented)
                    yield from ((kind, *pair) for pair in read(text))
    for package, _ in corpus.DOCUMENTED:
        with zipfile.ZipFile(teacher.wheel(package)) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".py"):
                    yield from (("documented", *pair) for pair in python(archive.read(name).decode("utf-8", "replace")))
    yield from (("sense", *pair) for pair in senses())


def clean(text, least):
    text = re.sub(r"\s+", " ", text).strip()[:MOST_CHARS]
    return text if len(text) >= least and sum(map(str.isalpha, text)) >= 0.4 * len(text) else None


def build(places):
    forbidden = {corpus.key(text)[:60] for text in measure.eval_texts()}
    kept, seen, met = {name: [] for name in MOST}, set(), 0
    for name, one, other in gathered(places):
        a, b = clean(one, 4 if name in ("section", "sense") else 16), clean(other, 24)
        if not a or not b:
            continue
        keys = corpus.key(a)[:60], corpus.key(b)[:60]
        if keys[0] in forbidden or keys[1] in forbidden:
            met += 1
        elif keys not in seen and keys[0] != keys[1]:
            seen.add(keys)
            kept[name].append({"a": a, "b": b, "of": name})
    chosen = []
    for name, pairs in kept.items():
        random.Random(name).shuffle(pairs)
        print(f"{name}: {len(pairs)} pairs, {min(len(pairs), MOST[name])} kept", flush=True)
        chosen += pairs[: MOST[name]]
    print(f"left out because an evaluation text begins so: {met}; kept {len(chosen)}")
    random.Random("pairs").shuffle(chosen)
    with open(table.CACHE / "pairs.jsonl", "w") as file:
        file.writelines(json.dumps(pair) + "\n" for pair in chosen)


if __name__ == "__main__":
    build(sys.argv[1:])
