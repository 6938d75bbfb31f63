#!/usr/bin/env bash
# conanfile.txt resolves with the committed profile, and CMake accepts the toolchain it generates. No network is used.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/conan
mkdir -p "$out"
export CONAN_HOME="$PWD/$out/home" # nothing of the user's own Conan takes part
if ! .venv/bin/conan install . --no-remote --profile:all=tools/conan-platform.profile --output-folder="$out" \
    > "$out/install.log" 2>&1; then
    cat "$out/install.log" >&2
    echo "check-conan: conanfile.txt does not resolve" >&2
    exit 1
fi
cmake -S . -B "$out/cmake" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/$out/conan_toolchain.cmake" --log-level=WARNING > "$out/cmake.log" 2>&1 ||
    { cat "$out/cmake.log" >&2; echo "check-conan: CMake does not configure with Conan's toolchain" >&2; exit 1; }
echo "check-conan: $(grep -c '/' tools/conan-platform.profile) requirements resolve, CMake configures with the toolchain"
