#!/usr/bin/env bash
# Pins tools/requirements.in and everything it pulls in, with hashes, into tools/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
.venv/bin/python -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet pip-tools
"$scratch/venv/bin/pip-compile" --quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-annotate \
    --no-emit-options --no-emit-index-url --no-emit-find-links --output-file tools/requirements.txt tools/requirements.in
