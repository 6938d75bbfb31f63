#!/usr/bin/env bash
# Pins tools/requirements.in, tools/requirements-test.in and everything they pull in, with hashes, in .txt files beside
# them. What the first has, the second leaves out: no package can have two versions.
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
../.venv/bin/python -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet pip-tools

compile() { # IN OUT
    "$scratch/venv/bin/pip-compile" --quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-annotate \
        --no-emit-options --no-emit-index-url --no-emit-find-links --output-file "$2" "$1"
}

compile requirements.in requirements.txt
cat requirements.txt requirements-test.txt > "$scratch/all.txt" # pins that hold stay
compile requirements-test.in "$scratch/all.txt"
# A package is a line `name==version` and the indented lines of its hashes.
awk 'NR == FNR { if (/==/) pinned[$1] = 1; next }
    /^[^ ]*==/ { keep = !($1 in pinned) }
    /^(#|$)/ { next }
    keep' requirements.txt "$scratch/all.txt" > requirements-test.txt
