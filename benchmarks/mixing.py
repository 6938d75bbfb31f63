"""What a cheaper sweep is worth: effective draws per second of `dynamics = "beam"` next to the full forward pass.

Data are drawn from the model of --data, and chains of --model run on them with both dynamics, from the same starts with
the same seeds. After a quarter of the sweeps the trace gives effective draws and R-hat; seconds are those of the sweeps
(timing.parquet), without what recording takes. Writes mixing.csv and puts it on the page of --out, if there is one.
Example: .venv/bin/python benchmarks/mixing.py --bin build/release/bin --work build/mixing --out benchmarks/results
"""

import argparse
import concurrent.futures
import itertools
import pathlib
import shutil
import subprocess
import sys

import arviz
import numpy as np
import pandas as pd
import pyarrow.parquet as pq

import bench_page

ROOT = pathlib.Path(__file__).resolve().parents[1]
DYNAMICS = ["markov", "beam"]
QUANTITIES = ["log_joint", "states_used", "lambda"]


def run(command: list) -> None:
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise SystemExit(f"mixing: {pathlib.Path(command[0]).name} ended with status {done.returncode}: {reason}")


def effective(chains: np.ndarray) -> float:
    """Of all chains together; 0 where one has not moved at all: its constant values say nothing."""
    return 0.0 if (np.ptp(chains, axis=1) == 0).any() else float(arviz.ess(chains, method="mean"))


def r_hat(chains: np.ndarray) -> float:
    return float("nan") if (np.ptp(chains, axis=1) == 0).any() else float(arviz.rhat(chains))


def train(flags: argparse.Namespace, start: str, states: int, dynamics: str, chain: int) -> None:
    out = flags.work / f"{start}-{states}-{dynamics}" / f"chain-{chain}"
    settings = {"model.dynamics": dynamics, "model.n_states": states, "run.sampler": flags.sampler, "run.start": start,
                "run.record_every": 10 * flags.sweeps, "run.burn_in": flags.sweeps}
    run([flags.bin / "hmmlt-train", "--data", flags.work / "data", "--model", flags.model, "--chain", chain, "--seed", 1,
         "--sweeps", flags.sweeps, "--out", out, *itertools.chain(*(("--set", f"{k}={v}") for k, v in settings.items()))])
    print(f"mixing: start {start}, {states} states, {dynamics}, chain {chain}: done", flush=True)


def figures(flags: argparse.Namespace, start: str, states: int, dynamics: str) -> list[dict]:
    """A row for each quantity, of all chains of one setting."""
    traces, seconds = [], 0.0
    for chain in range(flags.chains):
        out = flags.work / f"{start}-{states}-{dynamics}" / f"chain-{chain}"
        trace = pq.read_table(out / "trace.parquet").to_pandas()
        traces.append(trace[trace["sweep"] > flags.sweeps // 4])
        timing = pq.read_table(out / "timing.parquet").to_pandas()
        kept = (timing["sweep"] > flags.sweeps // 4) & (timing["block"] != "records")
        seconds += float(timing[kept]["seconds"].sum())
    rows = []
    for quantity in QUANTITIES:
        chains = np.stack([trace[quantity].to_numpy() for trace in traces])
        means = chains.mean(axis=1)
        rows.append({"start": start, "states": states, "dynamics": dynamics, "quantity": quantity, "mean": means.mean(),
                     "lowest_chain": means.min(), "highest_chain": means.max(), "r_hat": r_hat(chains),
                     "ms_per_sweep": 1e3 * seconds / chains.size, "draws": chains.size, "effective": effective(chains),
                     "effective_per_second": effective(chains) / seconds})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="directory of hmmlt-generate and hmmlt-train")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="directory of the chains, made anew")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory of mixing.csv and of the page")
    parser.add_argument("--model", type=pathlib.Path, default=ROOT / "experiments/beyond_beam/models/markov.toml")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "experiments/beyond/data/markov.toml")
    parser.add_argument("--states", type=int, nargs="+", default=[100, 400, 600])
    parser.add_argument("--starts", nargs="+", choices=["time_blocks", "iid", "prior", "truth"], default=["time_blocks", "truth"])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--sweeps", type=int, default=2000)
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--sampler", choices=["single", "blocked"], default="blocked")
    parser.add_argument("--jobs", type=int, default=1, help="chains at once")
    flags = parser.parse_args()
    shutil.rmtree(flags.work, ignore_errors=True)
    run([flags.bin / "hmmlt-generate", "--model", flags.data, "--seed", 1, "--set", f"generate.n_steps={flags.steps}",
         "--out", flags.work / "data"])
    settings = list(itertools.product(flags.starts, flags.states, DYNAMICS))
    with concurrent.futures.ThreadPoolExecutor(flags.jobs) as pool:
        # Chain by chain, so that both dynamics meet the same weather on a machine that is shared.
        list(pool.map(lambda job: train(flags, *job[1], job[0]), itertools.product(range(flags.chains), settings)))
    table = pd.DataFrame([row for setting in settings for row in figures(flags, *setting)])
    flags.out.mkdir(parents=True, exist_ok=True)
    partial = flags.out / "mixing.csv.partial"
    table.to_csv(partial, index=False, float_format="%.4g")
    partial.replace(flags.out / "mixing.csv")
    if (flags.out / "bench.parquet").exists():
        bench_page.write_page(flags.out)
    print(table.to_string(index=False, float_format=lambda x: f"{x:.4g}"))
    print(f"{flags.out / 'mixing.csv'}: {len(table)} figures")


if __name__ == "__main__":
    main()
