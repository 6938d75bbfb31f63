"""Counts the instructions of the main sweeps with callgrind, next to the counts of the last time: a figure without noise.

Needs the portable build (callgrind knows no AVX-512).
Example: .venv/bin/python benchmarks/instructions.py --bin build/portable/bin --out benchmarks/results/instructions.csv
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pandas as pd

CORE = "Haswell"  # the OpenBLAS core that the portable build pins


def bench(program: pathlib.Path, arguments: list[str], prefix: list[str] = []) -> str:
    # With the core given, the program need not start itself a second time, where callgrind would lose it.
    environment = {**os.environ, "OPENBLAS_CORETYPE": CORE, "OPENBLAS_NUM_THREADS": "1"}
    command = [*prefix, program, "--suite", "instructions", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"instructions: {done.stderr.strip()}")
    return done.stdout


def count(program: pathlib.Path, full_name: str, folder: pathlib.Path) -> int:
    out = folder / "callgrind.out"
    prefix = ["valgrind", "--quiet", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*measured_sweep*",
              f"--callgrind-out-file={out}"]
    bench(program, [f"--benchmark_filter=^{re.escape(full_name)}$"], prefix)
    found = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    if found is None or int(found.group(1)) == 0:
        sys.exit(f"instructions: callgrind counted nothing for {full_name}")
    return int(found.group(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="directory of the portable hmmlt-bench")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="table to compare with and to write")
    flags = parser.parse_args()
    program = flags.bin / "hmmlt-bench"
    before = {}
    if flags.out.exists():
        before = pd.read_csv(flags.out).set_index(["name", "shape"])["instructions"].to_dict()
    rows = []
    print(f"{'sweep':24} {'shape':24} {'instructions':>14} {'before':>14} {'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for full_name in bench(program, ["--benchmark_list_tests=true"]).split():
            name, shape = full_name.split(":", 1)
            shape = shape.split("/")[0].replace("_", " ")
            n = count(program, full_name, pathlib.Path(folder))
            old = before.get((name, shape))
            rows.append([name, shape, n])
            compared = f"{old:14,} {n / old:8.4f}" if old else f"{'':14} {'':8}"
            print(f"{name:24} {shape:24} {n:14,} {compared}", flush=True)
    flags.out.parent.mkdir(parents=True, exist_ok=True)
    partial = flags.out.with_name(flags.out.name + ".partial")
    pd.DataFrame(rows, columns=["name", "shape", "instructions"]).to_csv(partial, index=False)
    partial.replace(flags.out)


if __name__ == "__main__":
    main()
