#!/usr/bin/env bash
# Pins every peer and all it pulls in, with hashes: one file each, so that one that cannot be had leaves the others.
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
../../.venv/bin/python -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet pip-tools
lock() { # INPUT OUTPUT OPTION...
    "$scratch/venv/bin/pip-compile" --quiet --strip-extras --allow-unsafe --no-header --no-annotate --no-emit-options \
        --no-emit-index-url --no-emit-find-links --output-file "$2" "${@:3}" "$1"
}
lock peers.in "$scratch/all.txt" # they share an environment, so they agree on versions
while IFS= read -r peer; do
    echo "$peer" > "$scratch/one.in"
    lock "$scratch/one.in" "requirements-${peer%%==*}.txt" --generate-hashes --constraint "$scratch/all.txt"
    echo "requirements-${peer%%==*}.txt: $(grep -c == "requirements-${peer%%==*}.txt") packages"
done < <(grep -v '^#' peers.in)
