#!/usr/bin/env python3
"""Prints what is inside the program as CycloneDX 1.6. The same lock files give the same bytes."""

import json
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from components import ROOT, all_of_them  # noqa: E402


def address(component):
    kind, name, version = component["kind"], component["name"], component["version"]
    if kind == "data":
        return f"pkg:generic/{quote(name)}"
    return f"pkg:{kind}/{quote(name, safe='/')}@{version}"


def described(component):
    return {
        "type": "data" if component["kind"] == "data" else "library",
        "bom-ref": address(component),
        "name": component["name"],
        "version": component["version"],
        "licenses": [{"expression": component["licence"]}] if component["licence"] != "blessing" else [{"license": {"id": "blessing"}}],
        "purl": address(component),
        "externalReferences": [{"type": "website", "url": component["url"]}],
    }


workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
program = {
    "type": "application",
    "bom-ref": "throughline",
    "name": "throughline",
    "version": workspace["version"],
    "description": workspace["description"],
    "licenses": [{"expression": workspace["license"]}],
    "externalReferences": [{"type": "vcs", "url": workspace["repository"]}],
}
components = [described(component) for component in all_of_them()]
bom = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "version": 1,
    "metadata": {"component": program},
    "components": components,
    "dependencies": [{"ref": "throughline", "dependsOn": [component["bom-ref"] for component in components]}],
}
print(json.dumps(bom, indent=2, ensure_ascii=False))
