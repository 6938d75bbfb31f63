"""What a cheaper sweep is worth: effective draws per second of `dynamics = "beam"` next to the full forward pass.

python benchmarks/mixing.py --bin build/release/bin --out build/mixing [--states 100 400 600] [--sweeps 1000]

Data of the synthetic experiment are drawn, chains of one model run on them with both dynamics from the same start, and
the autocorrelation of the log joint density and of the number of states in use is taken after a quarter of the sweeps.
Seconds are those of the sweeps (timing.parquet), without what recording takes. Read `mean` first: a chain that is still
far from where the other one is has not mixed, however quickly it moves about there.
"""

import argparse
import pathlib
import subprocess
import sys

import arviz
import numpy as np
import pandas as pd
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[1]
QUANTITIES = ["log_joint", "states_used"]


def run(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"mixing: {command[0]} ended with {done.returncode}")


def effective(chains: list[np.ndarray]) -> float:
    """0 where a chain has not moved at all: its constant values say nothing."""
    if any(np.ptp(values) == 0 for values in chains):
        return 0.0
    return float(arviz.ess(np.stack(chains), method="mean"))


def measure(flags, data, states, dynamics):
    chains, seconds = [], 0.0
    for chain in range(flags.chains):
        out = flags.out / f"{dynamics}-{states}" / f"chain-{chain}"
        run([flags.bin / "hmmlt-train", "--data", data, "--model", flags.model, "--chain", chain, "--seed", 1, "--sweeps",
             flags.sweeps, "--out", out, "--restart", "different", "--set", f"model.dynamics={dynamics}", "--set",
             f"model.n_states={states}", "--set", f"run.sampler={flags.sampler}", "--set", "run.record_every=1000000",
             "--set", f"run.burn_in={flags.sweeps}", "--set", f"run.start={flags.start}"])
        burn_in = flags.sweeps // 4
        trace = pq.read_table(out / "trace.parquet").to_pandas()
        chains.append(trace[trace["sweep"] > burn_in])
        timing = pq.read_table(out / "timing.parquet").to_pandas()
        seconds += timing[(timing["sweep"] > burn_in) & (timing["block"] != "records")]["seconds"].sum()
    for quantity in QUANTITIES:
        values = [chain[quantity].to_numpy() for chain in chains]
        found = effective(values)
        kept = sum(len(chain) for chain in chains)
        yield {"states": states, "dynamics": dynamics, "quantity": quantity, "mean": float(np.mean(values)), "ms_per_sweep": 1e3 * seconds / kept,
               "draws": kept, "effective": found, "effective_per_second": found / seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/mixing")
    parser.add_argument("--model", type=pathlib.Path, default=ROOT / "experiments/synthetic/models/lt.toml")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "experiments/synthetic/data/hdp_hmm.toml")
    parser.add_argument("--states", type=int, nargs="+", default=[100, 400, 600])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--chains", type=int, default=2)
    parser.add_argument("--start", choices=["time_blocks", "iid", "prior", "truth"], default="time_blocks")
    parser.add_argument("--sampler", choices=["single", "blocked"], default="single")
    flags = parser.parse_args()
    data = flags.out / "data"
    run([flags.bin / "hmmlt-generate", "--model", flags.data, "--seed", 1, "--set", f"generate.n_steps={flags.steps}",
         "--out", data])
    rows = [row for states in flags.states for dynamics in ("markov", "beam")
            for row in measure(flags, data, states, dynamics)]
    table = pd.DataFrame(rows)
    table.to_csv(flags.out / "mixing.csv", index=False)
    print(table.to_string(index=False, float_format=lambda x: f"{x:.4g}"))


if __name__ == "__main__":
    main()
