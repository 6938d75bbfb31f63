#!/usr/bin/env bash
# What a change did: builds a base revision beside this tree, with this tree's benchmarks, and runs both in turns.
#   benchmarks/compare.sh BASE [ROUNDS] [FILTER]
set -euo pipefail
cd "$(dirname "$0")/.."
base=$1 rounds=${2:-3} filter=${3:-^(sweep|forward|backward|limit/bare_float)}
revision=$(git rev-parse --verify --quiet "$base^{commit}") ||
    { echo "bench-compare: BASE=$base is not a revision of this repository" >&2; exit 64; }
tree=build/compare/${revision:0:12}
out=build/compare/rounds
log=build/compare/build.log

unpack() {
    mkdir -p "$tree"
    git archive "$revision" | tar --extract --touch --directory "$tree"
    ln -sfn "$(realpath .venv)" "$tree/.venv"
}
build() {
    cmake -S "$tree" --preset release --log-level=WARNING > "$log" 2>&1 &&
        cmake --build "$tree/build/release" --parallel "$(nproc)" --target hmmlt-bench >> "$log" 2>&1
}
if [ ! -d "$tree" ]; then unpack; fi
# Both sides are measured by the same code; where the base's library has other functions, its own benchmarks must do.
if ! diff -qr -x __pycache__ -x results benchmarks "$tree/benchmarks" > /dev/null 2>&1; then
    rm -rf "$tree/benchmarks"
    cp -r benchmarks "$tree/benchmarks"
fi
grep -q 'add_subdirectory(benchmarks)' "$tree/CMakeLists.txt" || echo 'add_subdirectory(benchmarks)' >> "$tree/CMakeLists.txt"
echo "bench-compare: building $base ($(git describe --always "$revision")) in $tree"
if ! build; then
    rm -rf "$tree/benchmarks"
    unpack
    if [ ! -d "$tree/benchmarks" ] || ! build; then
        tail -20 "$log" >&2
        echo "bench-compare: $base does not build with these benchmarks, nor with its own" >&2
        exit 1
    fi
    echo "bench-compare: $base has other functions than this tree; it is measured with its own benchmarks"
fi

rm -rf "$out"
mkdir -p "$out"
run() { # SIDE PROGRAM ROUND
    echo "bench-compare: round $3 of $rounds, $1"
    "$2" --suite quick --min-time 0.1 --repetitions 1 "--benchmark_filter=$filter" "--benchmark_out=$out/$1-$3.json" > /dev/null
}
for ((round = 1; round <= rounds; ++round)); do
    # each begins half of the rounds, so that a machine that slows down is fair to both
    sides=(base new)
    ((round % 2)) || sides=(new base)
    for side in "${sides[@]}"; do
        program=build/release/bin/hmmlt-bench
        [ "$side" = new ] || program=$tree/$program
        run "$side" "$program" "$round"
    done
done
.venv/bin/python benchmarks/compare.py "$out"
