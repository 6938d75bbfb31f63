#!/usr/bin/env bash
# Installs the build in $1 into a scratch prefix, then builds and runs a program against it with find_package(hmmlt).
set -euo pipefail
build=$1
source_dir=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
cmake -S "$source_dir" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/build"
"$scratch/build/consumer" "$scratch"
"$scratch/build/example"
