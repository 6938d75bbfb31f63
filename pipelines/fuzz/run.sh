#!/usr/bin/env bash
# Runs all fuzz targets one after the other, SECONDS in total: pipelines/fuzz/run.sh SECONDS. What they learn stays in
# build/fuzz/corpus/; an input that breaks something is kept in build/fuzz/.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=build/fuzz
targets=("$out"/bin/fuzz_*)
seconds=$(($1 / ${#targets[@]}))
[ "$seconds" -gt 0 ] || { echo "fuzz: expected at least ${#targets[@]} seconds, found $1" >&2; exit 64; }
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
for target in "${targets[@]}"; do
    name=$(basename "$target")
    seeds=pipelines/fuzz/seeds/$name
    mkdir -p "$out/corpus/$name"
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -artifact_prefix="$out/$name-")
    folders=("$out/corpus/$name")
    if [ -d "$seeds" ]; then folders+=("$seeds"); fi
    if [ -f "$seeds.dict" ]; then options+=(-dict="$seeds.dict"); fi
    echo "$name: $seconds s"
    if ! "$target" "${options[@]}" -print_final_stats=1 "${folders[@]}" > "$out/$name.log" 2>&1; then
        tail -40 "$out/$name.log" >&2
        echo "$name: failed; the input is in $out/$name-*, and $target INPUT repeats it" >&2
        exit 1
    fi
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$name.log") inputs, all handled"
done
