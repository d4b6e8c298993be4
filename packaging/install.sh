#!/bin/sh
# Installs Throughline: downloads the program for this machine, checks its SHA-256 sum, and puts it into one folder.
#
#   THROUGHLINE_VERSION      the version, for example 0.1.0 [default: the newest]
#   THROUGHLINE_INSTALL_DIR  where to put it [default: ~/.local/bin]
#   THROUGHLINE_DOWNLOAD     where the files of the release are [default: those of the version]
#
# To remove it: throughline uninstall all, then delete the one file.
set -eu

repository=https://github.com/throughline-dev/throughline
folder=${THROUGHLINE_INSTALL_DIR:-$HOME/.local/bin}

fail() { echo "throughline: $1" >&2; exit 1; }

if [ -n "${THROUGHLINE_DOWNLOAD-}" ]; then
  from=$THROUGHLINE_DOWNLOAD
elif [ -n "${THROUGHLINE_VERSION-}" ]; then
  from=$repository/releases/download/v${THROUGHLINE_VERSION#v}
else
  from=$repository/releases/latest/download
fi

case $(uname -s) in
  Linux) system=unknown-linux-gnu ;;
  Darwin) system=apple-darwin ;;
  *) fail "there is no build for $(uname -s); build it from source: $repository#readme (on Windows use install.ps1)" ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) fail "there is no build for $(uname -m); build it from source: $repository#readme" ;;
esac
if [ "$system" = unknown-linux-gnu ] && ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
  fail "the builds for Linux need glibc, which this system does not have; build it from source: $repository#readme"
fi

if command -v curl >/dev/null; then
  get() { curl --fail --silent --show-error --location --output "$2" "$1"; }
elif command -v wget >/dev/null; then
  get() { wget -q -O "$2" "$1"; }
else
  fail 'neither curl nor wget is here; install one of them'
fi
if command -v sha256sum >/dev/null; then
  sum() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null; then
  sum() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
  fail 'neither sha256sum nor shasum is here, so the download could not be checked; install one of them'
fi

name=throughline-$machine-$system
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM HUP
get "$from/$name.tar.gz" "$work/$name.tar.gz" || fail "cannot download $from/$name.tar.gz; is there such a release, and a network?"
get "$from/SHA256SUMS" "$work/SHA256SUMS" || fail "cannot download $from/SHA256SUMS; nothing was installed"
wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
[ -n "$wanted" ] || fail "SHA256SUMS does not name $name.tar.gz; nothing was installed"
[ "$(sum "$work/$name.tar.gz")" = "$wanted" ] || fail "$name.tar.gz is not what was released (its SHA-256 sum differs); nothing was installed, try again"

tar -xzf "$work/$name.tar.gz" -C "$work"
mkdir -p "$folder" || fail "cannot make $folder; set THROUGHLINE_INSTALL_DIR to a folder that you may write to"
# Beside it first, then renamed: a program that is running is not disturbed.
cp "$work/$name/throughline" "$folder/.throughline.new" || fail "cannot write to $folder; set THROUGHLINE_INSTALL_DIR to a folder that you may write to"
chmod 755 "$folder/.throughline.new"
version=$("$folder/.throughline.new" --version) || { rm -f "$folder/.throughline.new"; fail "the program does not run here, perhaps because glibc is too old; build it from source: $repository#readme"; }
mv "$folder/.throughline.new" "$folder/throughline"

echo "installed $version in $folder"
case :$PATH: in
  *:"$folder":*) ;;
  *) echo "$folder is not in your PATH; add it: export PATH=\"$folder:\$PATH\"" ;;
esac
echo 'see it at work: throughline demo; connect your agent: throughline install claude-code'
