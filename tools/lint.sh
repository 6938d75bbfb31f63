#!/usr/bin/env bash
# The checks that need no build: direction of includes, formatting of C++, the docs, what READMEs take from reports,
# the size of a clone.
set -euo pipefail
cd "$(dirname "$0")/.."

MOST_BYTES=12000000  # of a clone: figures and tables of reports are most of it
status=0
.venv/bin/python tools/check_includes.py || status=1
.venv/bin/python tools/check_docs.py || status=1
.venv/bin/python tools/readme_headline.py --check README.md reports/README.md experiments/beyond/README.md || status=1
mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp')
[ "${#sources[@]}" -gt 0 ] || { echo "lint: no sources found; it needs a git checkout" >&2; exit 1; }
bytes=$(git ls-files -z | { xargs -0 stat --format=%s 2> /dev/null || true; } | awk '{ sum += $1 } END { print sum }')
if [ "$bytes" -gt "$MOST_BYTES" ]; then
    echo "lint: tracked files: expected at most $MOST_BYTES bytes together, found $bytes; make what is large smaller" >&2
    status=1
fi
.venv/bin/clang-format --dry-run --Werror "${sources[@]}" || status=1
if [ "$status" -eq 0 ]; then echo "lint: ${#sources[@]} files in order"; fi
exit "$status"
