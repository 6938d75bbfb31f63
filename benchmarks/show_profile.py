"""Shows where a sweep spends its time: seconds of its named blocks, then the functions that perf finds.

Example: .venv/bin/python benchmarks/show_profile.py --bin build/release/bin --sweep single/lt --shape 'T=2000 J=600 live'
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import bench_table


def run_bench(program: pathlib.Path, sweep: str, shape: str, folder: pathlib.Path, prefix: list[str], seconds: str) -> dict:
    """One sweep benchmark under `prefix` (a profiler); returns Google Benchmark's record of it."""
    raw = folder / "raw.json"
    name = "^" + re.escape(f"sweep/{sweep}:{shape.replace(' ', '_')}") + "/"
    command = [*prefix, program, "--suite", "full", "--min-time", seconds, "--repetitions", "1",
               f"--benchmark_filter={name}", f"--benchmark_out={raw}"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"profile: {done.stderr.strip() or 'hmmlt-bench failed'}")
    return bench_table.load(raw)


def show_blocks(raw: dict) -> None:
    run = raw["benchmarks"][0]
    blocks = {k.removeprefix("block/"): v for k, v in run.items() if k.startswith("block/")}
    print(f"\n{'block':22} {'ms':>10} {'share':>7}")
    for name, seconds in sorted(blocks.items(), key=lambda item: -item[1]):
        print(f"{name:22} {1e3 * seconds:10.3f} {seconds / run['seconds']:7.1%}  {'#' * round(40 * seconds / run['seconds'])}")
    print(f"{'whole sweep':22} {1e3 * run['seconds']:10.3f} {'':7}  {run['states_used']:.0f} states in use after it")


def show_functions(program: pathlib.Path, sweep: str, shape: str, folder: pathlib.Path) -> None:
    perf = shutil.which("perf")
    if perf is None:
        print("\nNo list of functions: perf is not here (Debian: linux-perf).")
        return
    data = folder / "perf.data"
    # a clock, not a counter of the processor: virtual machines often have none of the latter
    prefix = [perf, "record", "--quiet", "--event", "cpu-clock", "--freq", "997", "--output", str(data), "--"]
    if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        print("\nNo list of functions: this system does not let perf record (see kernel.perf_event_paranoid).")
        return
    run_bench(program, sweep, shape, folder, prefix, "5")
    report = subprocess.run([perf, "report", "--input", str(data), "--stdio", "--no-children", "--percent-limit", "0.5",
                             "--sort", "symbol"], capture_output=True, text=True)
    lines = [line for line in report.stdout.splitlines() if line.strip() and not line.startswith("#")]
    print("\nfunctions, share of the samples (set-up of the problem included)")
    for line in lines[:25]:
        print("  " + line.strip()[:118])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="directory of hmmlt-bench")
    parser.add_argument("--sweep", default="single/lt", help="sampler/model (single/lt)")
    parser.add_argument("--shape", default="T=2000 J=600 live", help="as in bench.parquet (T=2000 J=600 live)")
    flags = parser.parse_args()
    print(f"sweep/{flags.sweep}, {flags.shape}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = flags.bin / "hmmlt-bench"
        show_blocks(run_bench(program, flags.sweep, flags.shape, folder, [], "1"))
        show_functions(program, flags.sweep, flags.shape, folder)


if __name__ == "__main__":
    main()
