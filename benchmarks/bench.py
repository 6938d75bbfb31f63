"""Runs hmmlt-bench and writes its tables and the page: bench.parquet, bench.html and what stands beside them.

Example: .venv/bin/python benchmarks/bench.py --bin build/release/bin --suite quick --out build/bench
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import bench_page
import bench_table

# Peak memory is a property of a process, so each shape has one of its own; the first one is the program itself.
MEMORY_OF = {
    "full": ["T=500 J=50 live", "T=2000 J=600 live", "T=20000 J=600 live", "chorales J=200 live"],
    "quick": ["T=2000 J=100 live", "T=2000 J=600 live", "chorales J=200 live"],
    "tiny": ["T=40 J=5 live", "T=40 J=10 live"],
}


def run(program: pathlib.Path, arguments: list[str], quiet: bool = False) -> None:
    done = subprocess.run([program, *arguments], stdout=subprocess.DEVNULL if quiet else None)
    if done.returncode != 0:
        sys.exit(f"bench: {program.name} ended with status {done.returncode}")


def peak_memory(program: pathlib.Path, suite: str, shape: str) -> float:
    """MiB that one process needs to set up a problem of this shape and sweep over it."""
    name = "^sweep/single/lt:" + shape.replace(" ", "_") + "/"
    with tempfile.TemporaryDirectory() as folder:
        raw = pathlib.Path(folder) / "raw.json"
        run(program, ["--suite", suite, "--min-time", "0.001", "--repetitions", "1", f"--benchmark_filter={name}",
                      f"--benchmark_out={raw}"], quiet=True)
        return bench_table.load(raw)["benchmarks"][0]["peak_mib"]


def memory_table(program: pathlib.Path, suite: str) -> pd.DataFrame:
    rows = []
    for shape in MEMORY_OF[suite]:
        messages = bench_table.states_of(shape) * bench_table.steps_of(shape) * 4 / 2**20
        rows.append([shape, round(peak_memory(program, suite, shape), 1), round(messages, 1)])
    return pd.DataFrame(rows, columns=["shape", "peak_mib", "messages_as_floats_mib"])


def machine_of(raw: dict, suite: str) -> dict:
    context = raw["context"]
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    caches = [f"L{c['level']} {c['type'].lower()} {c['size'] // 1024} KiB" for c in context["caches"]]
    return {
        "cpu": model,
        "cores": context["num_cpus"],
        "MHz": context["mhz_per_cpu"],
        "caches": ", ".join(caches),
        "memory": f"{memory / 2**20:.1f} GiB",
        "instruction set": context["instruction_set"],
        "BLAS": context["blas"],
        "compiler": context["compiler"],
        "flags": context["compiler_flags"],
        "system": f"{platform.system()} {platform.release()}",
        "revision": os.environ.get("HMMLT_REVISION", "unknown"),
        "date": context["date"],
        "load average before": ", ".join(f"{x:.2f}" for x in context["load_avg"]),
        "suite": suite,
    }


def write_text(path: pathlib.Path, text: str) -> None:
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text)
    partial.replace(path)


def write_results(out: pathlib.Path, raw: dict, machine: dict, memory: pd.DataFrame) -> pd.DataFrame:
    timings = bench_table.read_timings(raw)
    table = bench_table.bench_table(timings)
    fields = [(name, pa.string() if name in ("name", "shape", "limit") else pa.float64()) for name in bench_table.COLUMNS]
    metadata = {"hmmlt.machine": json.dumps(machine)}
    arrow = pa.Table.from_pandas(table, schema=pa.schema(fields, metadata=metadata), preserve_index=False)
    partial = out / "bench.parquet.partial"
    pq.write_table(arrow.replace_schema_metadata(metadata), partial, compression="zstd")
    partial.replace(out / "bench.parquet")
    write_text(out / "machine.json", json.dumps(machine, indent=2) + "\n")
    write_text(out / "timings.csv", timings.to_csv(index=False, float_format="%.6g"))
    write_text(out / "scaling.csv", bench_table.scaling_table(timings).to_csv(index=False))
    write_text(out / "memory.csv", memory.to_csv(index=False))
    return table


def show_goals(table: pd.DataFrame) -> None:
    goals = table[table["goal"].notna()]
    print(f"\n{'goal':62} {'ratio':>8} {'to stay under':>14}")
    what = bench_table.read_goals().set_index(["name", "shape", "limit"])["what"]
    for row in goals.itertuples():
        text = what[(row.name, row.shape, row.limit)]
        print(f"{text[:62]:62} {row.ratio:8.2f} {row.goal:14.2f}  {'met' if row.ratio <= row.goal else 'not met'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="directory of hmmlt-bench")
    parser.add_argument("--suite", choices=sorted(MEMORY_OF), default="quick", help="what to measure (quick)")
    parser.add_argument("--min-time", default="0.2", help="seconds that each figure is repeated for (0.2)")
    parser.add_argument("--repetitions", default="3", help="how often that is done (3)")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory of the tables and the page")
    flags = parser.parse_args()
    program = flags.bin / "hmmlt-bench"
    if not program.exists():
        sys.exit(f"bench: {program} is not there; `make bench` builds it")
    flags.out.mkdir(parents=True, exist_ok=True)
    raw_file = flags.out / "raw.json.partial"
    run(program, ["--suite", flags.suite, "--min-time", flags.min_time, "--repetitions", flags.repetitions,
                  f"--benchmark_out={raw_file}", "--benchmark_out_format=json"])
    raw = bench_table.load(raw_file)
    raw_file.unlink()
    table = write_results(flags.out, raw, machine_of(raw, flags.suite), memory_table(program, flags.suite))
    bench_page.write_page(flags.out)
    show_goals(table)
    print(f"\n{flags.out}: bench.parquet ({len(table)} figures), bench.html")


if __name__ == "__main__":
    main()
