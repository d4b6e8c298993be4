#!/bin/sh
# The table of the program, from an empty folder.
#
#   pipeline.sh prepare FOLDER      everything that the GPU step reads, in FOLDER/packed
#   pipeline.sh fit FOLDER [NAME]   the GPU step, where torch, transformers, onnx and a GPU are: FOLDER/fitted/NAME.npz
#   pipeline.sh finish FOLDER [NAME]   FOLDER/embedding.bin and its figures
#
# MIRRORS: the folder with git directories of the repositories in mirrors.txt, as owner+name or owner+name/repo
# CRATES: a folder of unpacked crates, as cargo keeps them; EVAL_DATA: the evaluation sets, which nothing is learned from
set -eu
step=$1 name=${3:-grouped-near}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
export EMBEDDING_CACHE="$folder/cache" PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1
python="$folder/venv/bin/python"

mirror() {
    for path in "$MIRRORS/$1" "$MIRRORS/$1/repo" "$MIRRORS/$1/repo/.git"; do
        if [ -d "$path/objects" ]; then
            echo "$path"
            return
        fi
    done
    echo "there is no git directory of $1 in $MIRRORS" >&2
    exit 1
}

mirrors() {
    sed -n "s/^$1 //p" "$here/mirrors.txt" | while read -r repository; do mirror "$repository"; done
}

environment() {
    COSQA=$(mirrors cosqa) FRIENDS=$(mirrors friends) DOCUMENTED=$(mirrors measured | tr '\n' ' ')
    export COSQA FRIENDS DOCUMENTED
}

case $step in
prepare)
    environment
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet -r "$here/requirements.txt"
    mkdir -p "$EMBEDDING_CACHE"
    cd "$here"
    "$python" corpus.py
    "$python" train.py
    # shellcheck disable=SC2046  # paths without spaces
    "$python" pairs.py $(mirrors learned) "$CRATES"
    "$python" pack.py "$folder/packed"
    ;;
fit)
    cd "$folder/packed"
    for teacher in arctic bge; do tar -xf $teacher.tar.xz; done
    mkdir -p "$folder/fitted"
    cd "$here"
    [ -e "$folder/work/data.pt" ] || python3 fit.py read "$folder/packed" "$folder/work"
    python3 fit.py fit "$folder/work" "$folder/fitted" "$name"
    ;;
finish)
    environment
    cd "$here"
    "$python" export.py "$folder/fitted/$name.npz" "$folder/embedding.bin"
    "$python" measure.py "$folder/cache/start.bin" "$folder/embedding.bin"
    ;;
*)
    echo "prepare, fit or finish" >&2
    exit 2
    ;;
esac
