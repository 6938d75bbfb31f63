#!/usr/bin/env bash
# Makes goals one after the other and ends with what each cost and what failed: tools/run_phases.sh GOAL...
# A goal that runs ctest leaves build/test-results/GOAL/PRESET.xml; all seconds go to build/test-times.csv.
set -uo pipefail
cd "$(dirname "$0")/.."

# The goals use all cores themselves; a `make -j` has nothing to hand on.
MAKEFLAGS=$(sed -E 's/(^| )(-j[0-9]*|--jobserver[^ ]*)//g' <<< "${MAKEFLAGS:-}")
export MAKEFLAGS

# Whoever ends this ends the goal with it, also where the signal comes to this process alone.
running=
stop() {
    trap '' INT TERM HUP
    [ -z "$running" ] || { kill -- -"$running"; wait "$running"; } 2> /dev/null
    exit 130
}
trap stop INT TERM HUP

status=0
costs=()
for goal in "$@"; do
    rm -rf "build/test-results/$goal"
    begin=${EPOCHREALTIME/./}
    set -m # a process group of its own
    make --no-print-directory "$goal" < /dev/null &
    running=$!
    set +m
    wait "$running" || status=$?
    running=
    costs+=("$goal=$(((${EPOCHREALTIME/./} - begin) / 1000))")
    [ "$status" -eq 0 ] || break
done
[ -x .venv/bin/python ] && .venv/bin/python tools/test_times.py build "${costs[@]}"
[ "$status" -eq 0 ] || echo "failed: make $goal" >&2
exit "$status"
