#!/usr/bin/env python3
"""What registries would refuse, found before they see it: packaging/check.py FOLDER, which pack.py has filled."""

import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
dist = Path(sys.argv[1])
version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
repository = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]
wrong = []


def check(holds, what):
    if not holds:
        wrong.append(what)


def server_json():
    """The schema 2025-12-11 of the MCP registry, as far as it concerns us."""
    server = json.loads((dist / "server.json").read_text())
    check(set(server) <= {"$schema", "name", "title", "description", "version", "repository", "packages", "websiteUrl", "remotes", "_meta"}, "server.json: an unknown field")
    check(re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"]), "server.json: name")
    check(1 <= len(server["description"]) <= 100, "server.json: a description has 1 to 100 characters")
    check(1 <= len(server["title"]) <= 100, "server.json: a title has 1 to 100 characters")
    check(server["version"] == version, "server.json: version")
    fields = {"registryType", "registryBaseUrl", "identifier", "version", "fileSha256", "runtimeHint", "transport", "runtimeArguments", "packageArguments", "environmentVariables"}
    for package in server["packages"]:
        name = f"server.json: package {package['identifier']}"
        check(set(package) <= fields, f"{name}: an unknown field")
        check(package["registryType"] in {"npm", "pypi", "oci", "nuget", "mcpb"}, f"{name}: registryType")
        check(package["version"] not in {"", "latest"}, f"{name}: version")
        check(package["transport"] == {"type": "stdio"}, f"{name}: transport")
        if package["registryType"] == "mcpb":
            check(re.fullmatch(r"[a-f0-9]{64}", package["fileSha256"]), f"{name}: fileSha256")
            check("mcp" in package["identifier"], f"{name}: the address must hold mcp")


def bundle(path):
    with zipfile.ZipFile(path) as archive:
        manifest, names = json.loads(archive.read("manifest.json")), set(archive.namelist())
    for field in ("manifest_version", "name", "version", "description", "author", "server"):
        check(manifest.get(field), f"{path.name}: no {field}")
    check(manifest["server"]["type"] == "binary", f"{path.name}: type")
    check(manifest["server"]["entry_point"] in names, f"{path.name}: the entry point is not in it")
    check(set(manifest["compatibility"]["platforms"]) <= {"darwin", "win32", "linux"}, f"{path.name}: platforms")


def marketplace():
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    for plugin in market["plugins"]:
        manifest = json.loads((ROOT / plugin["source"] / ".claude-plugin/plugin.json").read_text())
        check(manifest["name"] == plugin["name"], f"marketplace.json: {plugin['source']} is {manifest['name']}")


def addresses():
    """Scripts are run before anything of ours is there, so they name the repository themselves."""
    for name in ("install.sh", "install.ps1"):
        check(repository in (ROOT / "packaging" / name).read_text(), f"{name}: the repository is {repository}")
    formula = (dist / "throughline.rb").read_text()
    check("@" not in re.sub(r"#\{.*?\}", "", formula), "throughline.rb: something was not filled in")
    check(version in formula, "throughline.rb: version")


server_json()
bundles = list(dist.glob("*.mcpb"))
check(bundles, "no bundle")
for found in bundles:
    bundle(found)
marketplace()
addresses()
sys.exit("\n".join(wrong) or 0)
