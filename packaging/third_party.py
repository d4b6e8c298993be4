#!/usr/bin/env python3
"""THIRD_PARTY.md: whose work is inside the program, and under which licences.

  packaging/third_party.py            writes it
  packaging/third_party.py --check    tells whether it names what is inside now"""

import re
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from components import ROOT, all_of_them  # noqa: E402

FILE = ROOT / "THIRD_PARTY.md"
TITLES = {"cargo": "Crates", "npm": "Packages inside the dashboard", "data": "Tables, vocabularies and C libraries"}
# The whole texts stand once, taken from somebody who has no other licence beside it.
TEXTS = ["Apache-2.0", "MIT", "BSD-3-Clause", "BSD-2-Clause", "ISC", "Unicode-3.0", "Zlib", "MPL-2.0", "BSL-1.0", "0BSD", "CC0-1.0", "CDLA-Permissive-2.0", "OFL-1.1"]


def main():
    components = all_of_them()
    rows = {row(component) for component in components}
    if sys.argv[1:] == ["--check"]:
        written = {line for line in FILE.read_text().splitlines() if line.startswith("| ") and "](" in line}
        refused = [f"{component['name']}: {component['licence']}" for component in components if not is_allowed(component)]
        if refused:
            sys.exit("deny.toml does not allow the licence of\n" + "\n".join(refused))
        for line in sorted(rows ^ written):
            print(("missing: " if line in rows else "gone:    ") + line)
        sys.exit("THIRD_PARTY.md is not what is inside: packaging/third_party.py" if rows != written else 0)
    FILE.write_text(text(components))


# Of the page and of the tables; deny.toml speaks about crates alone.
ALSO_ALLOWED = {"OFL-1.1", "blessing"}


def is_allowed(component):
    """Whether deny.toml allows enough of the licences that there is a choice of."""
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"]) | ALSO_ALLOWED
    words = re.findall(r"\(|\)|AND|OR|[A-Za-z0-9.+-]+(?: WITH [A-Za-z0-9.-]+)?", component["licence"])
    known = {"(": "(", ")": ")", "AND": "and", "OR": "or"}
    return eval(" ".join(known.get(word) or str(word in allowed) for word in words))  # noqa: S307: True, False, and, or, brackets


def row(component):
    return f"| [{component['name']}]({component['url']}) | {component['version']} | {component['licence']} | {component.get('note', '')} |"


def text(components):
    parts = [
        "# What others made\n\nThe program holds their work. Made by `packaging/third_party.py` from `Cargo.lock` and `dashboard/package-lock.json`; where a "
        "licence gives a choice, any of it may be taken.\n"
    ]
    for kind, title in TITLES.items():
        theirs = [component for component in components if component["kind"] == kind]
        parts.append(f"## {title}\n\n| name | version | licence | |\n| --- | --- | --- | --- |\n" + "\n".join(map(row, theirs)) + "\n")
    notices = sorted({f"- {component['name']}: {line}" for component in components for line in component["copyright"]})
    parts.append("## Copyright notices\n\n" + "\n".join(notices) + "\n")
    for name in TEXTS:
        found = licence_text(components, name)
        if found:
            parts.append(f"## {name}\n\n```text\n{found}\n```\n")
    return "\n".join(parts)


def licence_text(components, name):
    for component in components:
        is_meant = name in re.split(r" OR | AND |[() ]", component["licence"])
        if not is_meant or "folder" not in component:
            continue
        alone = component["licence"] == name
        short = name.split("-")[0].upper()
        named = [path for path in sorted(component["folder"].glob("LICEN*")) if path.is_file() and (short in path.name.upper() or alone)]
        if named:
            return named[0].read_text(errors="replace").strip()
    return None


if __name__ == "__main__":
    main()
