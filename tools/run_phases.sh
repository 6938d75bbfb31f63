#!/usr/bin/env bash
# Makes goals one after the other and ends with what each cost and what failed: tools/run_phases.sh GOAL...
# A goal that runs ctest leaves build/test-results/GOAL/PRESET.xml; all seconds go to build/test-times.csv.
set -uo pipefail
cd "$(dirname "$0")/.."

# The goals use all cores themselves; a `make -j` has nothing to hand on.
MAKEFLAGS=$(sed -E 's/(^| )(-j[0-9]*|--jobserver[^ ]*)//g' <<< "${MAKEFLAGS:-}")
export MAKEFLAGS

status=0
costs=()
for goal in "$@"; do
    rm -rf "build/test-results/$goal"
    begin=${EPOCHREALTIME/./}
    make --no-print-directory "$goal" || status=$?
    costs+=("$goal=$(((${EPOCHREALTIME/./} - begin) / 1000))")
    [ "$status" -eq 0 ] || break
done
[ -x .venv/bin/python ] && .venv/bin/python tools/test_times.py build "${costs[@]}"
[ "$status" -eq 0 ] || echo "failed: make $goal" >&2
exit "$status"
