"""What is inside the program and was made by others: crates, packages of the dashboard, tables and texts."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# They build the page and are not in it.
BUILD_TOOLS = {"vite", "@vitejs/plugin-react"}
# Where the build has installed them; without it their notices cannot be read.
MODULES = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/dashboard/node_modules"
# What is no package of a registry.
EMBEDDED = [
    {
        "kind": "data",
        "name": "snowflake-arctic-embed-s",
        "version": "1.0",
        "licence": "Apache-2.0",
        "url": "https://huggingface.co/Snowflake/snowflake-arctic-embed-s",
        "note": "the embedding table was made from it (evals/embedding)",
        "copyright": ["Copyright Snowflake Inc."],
    },
    {
        "kind": "data",
        "name": "bge-small-en",
        "version": "1.0",
        "licence": "MIT",
        "url": "https://huggingface.co/BAAI/bge-small-en",
        "note": "the reader was made from its first layers (evals/consolidation)",
        "copyright": ["Copyright (c) 2022 staoxiao"],
    },
    {
        "kind": "data",
        "name": "bert-base-uncased vocabulary",
        "version": "1",
        "licence": "Apache-2.0",
        "url": "https://github.com/google-research/bert",
        "note": "the words of the embedding table",
        "copyright": ["Copyright 2018 The Google AI Language Team Authors"],
    },
    {
        "kind": "data",
        "name": "cl100k_base vocabulary",
        "version": "1",
        "licence": "MIT",
        "url": "https://github.com/openai/tiktoken",
        "note": "counts tokens",
        "copyright": ["Copyright (c) 2022 OpenAI, Shantanu Jain"],
    },
    {
        "kind": "data",
        "name": "SQLite",
        "version": "bundled with libsqlite3-sys",
        "licence": "blessing",
        "url": "https://sqlite.org/copyright.html",
        "note": "the database; in the public domain",
        "copyright": [],
    },
    {
        "kind": "data",
        "name": "zstd",
        "version": "bundled with zstd-sys",
        "licence": "BSD-3-Clause",
        "url": "https://github.com/facebook/zstd",
        "note": "compression",
        "copyright": ["Copyright (c) Meta Platforms, Inc. and affiliates."],
    },
]


def all_of_them():
    return crates() + packages() + EMBEDDED


def crates():
    """All that the program is linked from on any system, without what only builds or tests it."""
    told = subprocess.run(["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    metadata = json.loads(told)
    known = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = set(), [package["id"] for package in metadata["packages"] if package["name"] == "throughline"]
    while waiting:
        current = waiting.pop()
        if current in found:
            continue
        found.add(current)
        waiting += [to["pkg"] for to in nodes[current]["deps"] if any(kind["kind"] is None for kind in to["dep_kinds"])]
    theirs = [known[one] for one in found if known[one]["source"]]
    return sorted((crate(package) for package in theirs), key=lambda one: (one["name"], one["version"]))


def crate(package):
    folder = Path(package["manifest_path"]).parent
    return {
        "kind": "cargo",
        "name": package["name"],
        "version": package["version"],
        "licence": re.sub(r" */ *", " OR ", package["license"] or "see its file"),
        "url": package["repository"] or f"https://crates.io/crates/{package['name']}",
        "copyright": copyright_in(folder),
        "folder": folder,
    }


def packages():
    """What the page is made of, found from its dependencies as Node finds it."""
    locked = json.loads((ROOT / "dashboard/package-lock.json").read_text())["packages"]
    found, waiting = {}, [("", name) for name in locked[""]["dependencies"] if name not in BUILD_TOOLS]
    while waiting:
        inside, name = waiting.pop()
        path = resolved(locked, inside, name)
        if path is None or path in found:
            continue
        package = found[path] = locked[path]
        waiting += [(path, name) for name in package.get("dependencies", {})]
    # Types are not in the page.
    shipped = {path: package for path, package in found.items() if "/@types/" not in path}
    return sorted((npm(path, package) for path, package in shipped.items()), key=lambda one: (one["name"], one["version"]))


def resolved(locked, inside, name):
    while True:
        path = f"{inside}/node_modules/{name}" if inside else f"node_modules/{name}"
        if path in locked:
            return path
        if not inside:
            return None
        inside = inside.rpartition("/node_modules/")[0] if "/node_modules/" in inside else ""


def npm(path, package):
    name = path.rpartition("node_modules/")[2]
    return {
        "kind": "npm",
        "name": name,
        "version": package["version"],
        "licence": package.get("license", "see its file").replace(" and ", " AND "),
        "url": f"https://www.npmjs.com/package/{name}",
        "copyright": copyright_in(MODULES / name),
        "folder": MODULES / name,
    }


def copyright_in(folder):
    lines = []
    for path in sorted(folder.glob("*")):
        if re.match(r"(?i)(licen[cs]e|copying|copyright|notice)", path.name) and path.is_file():
            for line in path.read_text(errors="replace").splitlines():
                # The rest are words of the licences themselves.
                if re.match(r"\s*copyright\s+(\(c\)|©|\d{4}|the )", line, re.IGNORECASE) and "[yyyy]" not in line and "owner" not in line.lower():
                    lines.append(" ".join(line.split()))
    return sorted(set(lines))
