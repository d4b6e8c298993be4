#!/usr/bin/env python3
"""Makes what a release is made of, from a program that was built for one target. Needs Python 3.11 and nothing else.

  packaging/pack.py target  --target TRIPLE --program FILE --out FOLDER    archive, npm package, wheel, .deb, .mcpb of it
  packaging/pack.py release --out FOLDER    what names them all: SHA256SUMS, Homebrew formula, server.json, npm's main package

With --quick nothing is packed tightly, for tests. Names and versions come from Cargo.toml. The same input gives the same bytes."""

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
VERSION, DESCRIPTION, REPOSITORY = WORKSPACE["version"], WORKSPACE["description"], WORKSPACE["repository"]
NPM, PYPI = "@throughline/cli", "throughline-cli"
REGISTRY_NAME = "io.github." + REPOSITORY.removeprefix("https://github.com/")
DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD_PARTY.md"]
SHELLS = {"bash": "throughline.bash", "zsh": "_throughline", "fish": "throughline.fish", "powershell": "_throughline.ps1"}
QUICK = "--quick" in sys.argv
LEVEL = 0 if QUICK else 9
# Nothing says when it was made: SOURCE_DATE_EPOCH, else the first moment that a zip file can hold.
MOMENT = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))

TARGETS = {
    "x86_64-unknown-linux-gnu": {"npm": ("linux", "x64"), "deb": "amd64", "wheel": "manylinux_2_{glibc}_x86_64", "mcpb": "linux"},
    "aarch64-unknown-linux-gnu": {"npm": ("linux", "arm64"), "deb": "arm64", "wheel": "manylinux_2_{glibc}_aarch64", "mcpb": "linux"},
    "x86_64-apple-darwin": {"npm": ("darwin", "x64"), "wheel": "macosx_11_0_x86_64", "mcpb": "darwin"},
    "aarch64-apple-darwin": {"npm": ("darwin", "arm64"), "wheel": "macosx_11_0_arm64", "mcpb": "darwin"},
    "x86_64-pc-windows-msvc": {"npm": ("win32", "x64"), "wheel": "win_amd64", "mcpb": "win32"},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    target = what.add_parser("target")
    target.add_argument("--target", required=True, choices=TARGETS)
    target.add_argument("--program", required=True, type=Path)
    target.add_argument("--out", required=True, type=Path)
    release = what.add_parser("release")
    release.add_argument("--out", required=True, type=Path)
    for one in (target, release):
        one.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.what == "target":
        of_target(asked.target, asked.program.resolve(), asked.out)
    else:
        of_release(asked.out)


def of_target(target, program, out):
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder)
        subprocess.run([program, "man", share / "man"], check=True, stdout=subprocess.DEVNULL)
        (share / "completions").mkdir()
        for shell, name in SHELLS.items():
            script = subprocess.run([program, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
            (share / "completions" / name).write_bytes(script)
        for make in (archive, npm, wheel, deb, mcpb):
            made = make(target, program, share, out)
            if made:
                print(made.name)


def is_windows(target):
    return "windows" in target


def named(target):
    return "throughline.exe" if is_windows(target) else "throughline"


def contents(target, program, share):
    """What is in an archive: path, bytes, mode."""
    yield named(target), program.read_bytes(), 0o755
    for name in DOCUMENTS:
        yield name, (ROOT / name).read_bytes(), 0o644
    for path in sorted(share.rglob("*")):
        if path.is_file():
            yield path.relative_to(share).as_posix(), path.read_bytes(), 0o644


def archive(target, program, share, out):
    """The name has no version in it, so that the newest release has a fixed address."""
    stem = f"throughline-{target}"
    if is_windows(target):
        return zipped(out / f"{stem}.zip", contents(target, program, share))
    return tarred(out / f"{stem}.tar.gz", ((f"{stem}/{name}", data, mode) for name, data, mode in contents(target, program, share)))


def npm(target, program, share, out):
    system, cpu = TARGETS[target]["npm"]
    package = {
        "name": f"{NPM}-{system}-{cpu}",
        "version": VERSION,
        "description": f"The program of {NPM} for {system} on {cpu}",
        "license": WORKSPACE["license"],
        "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
        "os": [system],
        "cpu": [cpu],
        **({"libc": ["glibc"]} if system == "linux" else {}),
        "preferUnplugged": True,
    }
    files = [("package.json", as_json(package), 0o644), (f"bin/{named(target)}", program.read_bytes(), 0o755), *notices()]
    return npm_package(out / f"throughline-cli-{system}-{cpu}-{VERSION}.tgz", files)


def npm_main(out):
    package = json.loads((PACKAGING / "npm/package.json").read_text())
    package |= {"version": VERSION, "description": DESCRIPTION, "license": WORKSPACE["license"], "mcpName": REGISTRY_NAME}
    package |= {"repository": {"type": "git", "url": f"git+{REPOSITORY}.git"}}
    package["optionalDependencies"] = {"{}-{}-{}".format(NPM, *target["npm"]): VERSION for target in TARGETS.values()}
    shim = (PACKAGING / "npm/throughline.js").read_bytes()
    readme = (PACKAGING / "npm/README.md").read_bytes()
    files = [("package.json", as_json(package), 0o644), ("bin/throughline.js", shim, 0o755), ("README.md", readme, 0o644), *notices()]
    return npm_package(out / f"throughline-cli-{VERSION}.tgz", files)


def npm_package(path, files):
    return tarred(path, ((f"package/{name}", data, mode) for name, data, mode in files))


def wheel(target, program, share, out):
    """A wheel without any Python: installing it puts the program beside python itself."""
    tag = f"py3-none-{TARGETS[target]['wheel'].format(glibc=glibc(program))}"
    stem = f"{PYPI.replace('-', '_')}-{VERSION}"
    metadata = (
        f"Metadata-Version: 2.4\nName: {PYPI}\nVersion: {VERSION}\nSummary: {DESCRIPTION}\n"
        f"License-Expression: {WORKSPACE['license']}\nProject-URL: Source, {REPOSITORY}\nRequires-Python: >=3.8\n"
        f"Description-Content-Type: text/markdown\n\n{(PACKAGING / 'pypi.md').read_text()}\n<!-- mcp-name: {REGISTRY_NAME} -->\n"
    )
    info = f"{stem}.dist-info"
    files = [
        (f"{stem}.data/scripts/{named(target)}", program.read_bytes(), 0o755),
        *((f"{info}/licenses/{name}", data, mode) for name, data, mode in notices()),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: throughline\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644),
    ]
    recorded = [f"{name},sha256={digest(data)},{len(data)}" for name, data, _ in files]
    files.append((f"{info}/RECORD", "\n".join([*recorded, f"{info}/RECORD,,", ""]).encode(), 0o644))
    return zipped(out / f"{stem}-{tag}.whl", files)


def glibc(program):
    """The minor version of glibc 2 that the program needs."""
    return max((int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", program.read_bytes())), default=17)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def deb(target, program, share, out):
    architecture = TARGETS[target].get("deb")
    if not architecture or not shutil.which("dpkg-deb"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        place(root / "usr/bin/throughline", program.read_bytes(), 0o755)
        for page in (share / "man").iterdir():
            place(root / f"usr/share/man/man1/{page.name}.gz", packed(page.read_bytes()))
        completions = {"bash": "bash-completion/completions/throughline", "zsh": "zsh/vendor-completions/_throughline", "fish": "fish/vendor_completions.d/throughline.fish"}
        for shell, path in completions.items():
            place(root / "usr/share" / path, (share / "completions" / SHELLS[shell]).read_bytes())
        place(root / "usr/share/doc/throughline/changelog.gz", packed((ROOT / "CHANGELOG.md").read_bytes()))
        place(root / "usr/share/doc/throughline/copyright", copyright_text().encode())
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        control = (
            f"Package: throughline\nVersion: {VERSION}\nArchitecture: {architecture}\nMaintainer: The Throughline developers <security@throughline.invalid>\n"
            f"Installed-Size: {size}\nDepends: libc6 (>= 2.{glibc(program)}), libgcc-s1\nSection: devel\nPriority: optional\nHomepage: {REPOSITORY}\n"
            f"Description: {DESCRIPTION}\n Records what agents and people do on a project, turns it into knowledge with\n"
            " provenance, and gives each new session the context it needs.\n"
        )
        place(root / "DEBIAN/control", control.encode())
        path = out / f"throughline_{VERSION}_{architecture}.deb"
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(MOMENT)}
        subprocess.run(["dpkg-deb", "--root-owner-group", *(["-Znone"] if QUICK else ["-Zxz"]), "--build", root, path], check=True, env=environment, stdout=subprocess.DEVNULL)
        return path


def copyright_text():
    return f"Throughline, {REPOSITORY}\n\n{(ROOT / 'LICENSE-MIT').read_text()}\n\nOr, as you like, Apache-2.0: /usr/share/common-licenses/Apache-2.0\n\n{(ROOT / 'THIRD_PARTY.md').read_text()}"


def mcpb(target, program, share, out):
    manifest = json.loads((PACKAGING / "mcpb.json").read_text())
    manifest |= {"version": VERSION, "description": DESCRIPTION, "license": WORKSPACE["license"]}
    manifest |= {"repository": {"type": "git", "url": REPOSITORY}}
    manifest["server"]["entry_point"] = f"server/{named(target)}"
    manifest["server"]["mcp_config"]["command"] = f"${{__dirname}}/server/{named(target)}"
    manifest["compatibility"] = {"platforms": [TARGETS[target]["mcpb"]]}
    files = [("manifest.json", as_json(manifest), 0o644), (f"server/{named(target)}", program.read_bytes(), 0o755), *notices()]
    return zipped(out / f"throughline-{target}.mcpb", files)


def of_release(out):
    print(npm_main(out).name)
    # The sums name what is downloaded; what follows is made from them.
    kinds = (".tar.gz", ".zip", ".whl", ".deb", ".mcpb")
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir()) if path.name.endswith(kinds)}
    (out / "SHA256SUMS").write_text("".join(f"{sum}  {name}\n" for name, sum in sums.items()))
    for name, text in {"throughline.rb": formula(sums), "server.json": as_json(server(sums)).decode()}.items():
        (out / name).write_text(text)
        print(name)


def formula(sums):
    text = (PACKAGING / "homebrew/throughline.rb").read_text()
    known = {"VERSION": VERSION, "DESCRIPTION": DESCRIPTION, "REPOSITORY": REPOSITORY}
    for target in TARGETS:
        known[f"SHA256 {target}"] = sums.get(f"throughline-{target}.tar.gz", "0" * 64)
    for name, value in known.items():
        text = text.replace(f"@{name}@", value)
    return text


def server(sums):
    described = json.loads((PACKAGING / "server.json").read_text())
    described |= {"name": REGISTRY_NAME, "version": VERSION, "repository": {"url": REPOSITORY, "source": "github"}}
    described["packages"][0] |= {"identifier": NPM, "version": VERSION}
    described["packages"][1] |= {"identifier": PYPI, "version": VERSION}
    for name, sum in sums.items():
        if name.endswith(".mcpb"):
            address = f"{REPOSITORY}/releases/download/v{VERSION}/{name}"
            described["packages"].append({"registryType": "mcpb", "identifier": address, "version": VERSION, "fileSha256": sum, "transport": {"type": "stdio"}})
    return described


def notices():
    return [(name, (ROOT / name).read_bytes(), 0o644) for name in DOCUMENTS if name.startswith(("LICENSE", "THIRD"))]


def as_json(value):
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def packed(data):
    return gzip.compress(data, compresslevel=LEVEL, mtime=MOMENT)


def place(path, data, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def tarred(path, files):
    unpacked = io.BytesIO()
    with tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(data), mode, MOMENT
            tar.addfile(entry, io.BytesIO(data))
    path.write_bytes(packed(unpacked.getvalue()))
    return path


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type, entry.create_system = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, data, compresslevel=LEVEL)
    return path


if __name__ == "__main__":
    main()
