"""Times other programs and hmmlt on the same shapes, in turns on one core; writes peers.csv and puts it on the page.

Each peer is installed, pinned with hashes, into an environment that only this uses; one that cannot be is skipped.
Example: .venv/bin/python benchmarks/peers/run_peers.py --bin build/release/bin --env build/peers --out benchmarks/results
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import pandas as pd

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import bench_page
import bench_table

OURS = {
    "sweep/single/sticky": ("single, Sticky", "a whole sweep of the sticky HDP-HMM, all hyperparameters sampled", "similarity"),
    "sweep/single/lt": ("single, LT", "a whole sweep of HDP-HMM-LT, locations and lambda included", "nothing"),
    "sweep/blocked/lt": ("blocked, LT", "the same with the moves that mix better", "nothing"),
    "forward/sticky": ("forward pass", "the filter, likelihoods given", "everything else of a sweep"),
}


def peers() -> list[str]:
    return [line.strip() for line in (HERE / "peers.in").read_text().splitlines() if line and not line.startswith("#")]


def installed(python: pathlib.Path, peer: str) -> bool:
    """Installs a peer unless it is there; a failure is told and is no error."""
    name, version = peer.split("==")
    check = f"import importlib.metadata as m, sys; sys.exit(m.version({name!r}) != {version!r})"
    if subprocess.run([python, "-c", check], capture_output=True).returncode == 0:
        return True
    print(f"bench-peers: installing {peer}", flush=True)
    environment = {k: v for k, v in os.environ.items() if k not in ("PIP_TARGET", "PIP_PREFIX", "PIP_USER")}
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
                           "--requirement", HERE / f"requirements-{name}.txt"], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
        print(f"bench-peers: {peer} is skipped, it cannot be installed here: {reason}", flush=True)
    return done.returncode == 0


def time_peer(python: pathlib.Path, peer: str) -> list[dict]:
    name = peer.split("==")[0]
    print(f"bench-peers: timing {peer}", flush=True)
    done = subprocess.run([python, HERE / "peers.py", name], capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"bench-peers: {peer} stopped early, what it gave before is kept: {reason}", flush=True)
    return [{"program": peer.replace("==", " "), **json.loads(line)} for line in done.stdout.splitlines() if line.startswith("{")]


def time_ours(program: pathlib.Path) -> tuple[list[dict], bench_table.Limits]:
    with tempfile.TemporaryDirectory() as folder:
        raw = pathlib.Path(folder) / "raw.json"
        done = subprocess.run([program, "--suite", "peers", f"--benchmark_out={raw}"], stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"bench-peers: {program.name} ended with status {done.returncode}")
        timings = bench_table.read_timings(bench_table.load(raw))
    rows = []
    for row in timings[timings["name"].isin(list(OURS))].itertuples():
        short, does, leaves_out = OURS[row.name]
        rows.append({"program": "hmmlt", "short": short, "shape": row.shape, "seconds": row.seconds, "does": does, "leaves_out": leaves_out})
    return rows, bench_table.Limits(timings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="directory of hmmlt-bench")
    parser.add_argument("--env", type=pathlib.Path, required=True, help="virtual environment of the peers")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory of peers.csv and of the page")
    flags = parser.parse_args()
    python = flags.env / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", flags.env], check=True)
    there = [peer for peer in peers() if installed(python, peer)]
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core for everybody
    print("bench-peers: timing hmmlt", flush=True)
    rows, limits = time_ours(flags.bin / "hmmlt-bench")
    for peer in there:
        rows += time_peer(python, peer)
    table = pd.DataFrame(rows)
    table["bare_loops"] = [row.seconds / limits.bare_loop(row.shape) for row in table.itertuples()]
    order = {shape: i for i, shape in enumerate(dict.fromkeys(table["shape"]))}
    table = table.sort_values(["shape", "seconds"], key=lambda c: c.map(order) if c.name == "shape" else c, kind="stable")
    flags.out.mkdir(parents=True, exist_ok=True)
    partial = flags.out / "peers.csv.partial"
    table[["program", "short", "shape", "seconds", "bare_loops", "does", "leaves_out"]].to_csv(partial, index=False, float_format="%.4g")
    partial.replace(flags.out / "peers.csv")
    for row in table.itertuples():
        print(f"{row.shape:22} {row.program + ': ' + row.short:42} {row.seconds:9.4f} s {row.bare_loops:8.1f} bare loops")
    if (flags.out / "bench.parquet").exists():
        bench_page.write_page(flags.out)
    print(f"{flags.out / 'peers.csv'}: {len(table)} figures")


if __name__ == "__main__":
    main()
