"""The benchmarks end to end at a tiny size: the tables have their columns and the page stands alone. No time is judged."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "pipelines" / "tests")]

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import bench_table
import compare
from stage_case import StageCase, main


def raw_run(figures):
    """What Google Benchmark would write: {(name, shape): seconds or several}."""
    runs = []
    for (name, shape), seconds in figures.items():
        for one in np.atleast_1d(seconds):
            full = f"{name}:{shape.replace(' ', '_')}/manual_time"
            runs.append({"run_name": full, "run_type": "iteration", "label": shape, "seconds": float(one)})
    return {"benchmarks": runs}


class Bench(StageCase):
    def bench(self, *arguments):
        command = [sys.executable, ROOT / "benchmarks/bench.py", "--bin", self.bin_directory, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def test_a_tiny_run_gives_the_table_and_a_page_that_stands_alone(self):
        self.assert_done(self.bench("--suite", "tiny", "--min-time", "0.001", "--repetitions", "2", "--out", self.scratch))
        schema = pq.read_schema(self.scratch / "bench.parquet")
        self.assertEqual(schema.names, ["name", "shape", "seconds", "limit", "limit_seconds", "ratio", "goal"])
        self.assertEqual([schema.field(n).type for n in ("name", "shape", "limit")], [pa.string()] * 3)
        self.assertEqual([schema.field(n).type for n in ("seconds", "limit_seconds", "ratio", "goal")], [pa.float64()] * 4)
        self.assertIn("flags", json.loads(schema.metadata[b"hmmlt.machine"]))

        table = pd.read_parquet(self.scratch / "bench.parquet")
        self.assertTrue((table["seconds"] > 0).all())
        compared = table[table["limit"].notna()]
        np.testing.assert_allclose(compared["ratio"], compared["seconds"] / compared["limit_seconds"])
        for name in ("sweep/single/lt", "sweep/blocked/lt", "forward/lt", "backward/lt", "block/single/lt/states"):
            self.assertIn("bare float loop", set(table.loc[table["name"] == name, "limit"]), name)

        page = (self.scratch / "bench.html").read_text()
        self.assertIn("<svg", page)
        self.assertIsNone(re.search(r'(src|href)="http', page), "the page must not fetch anything")
        memory = pd.read_csv(self.scratch / "memory.csv")
        self.assertTrue((memory["peak_mib"] > 1).all())
        self.assertEqual(list(self.scratch.glob("*.partial")), [])

    def test_all_blocks_of_a_sweep_are_there_and_add_up(self):
        out = self.scratch / "raw.json"
        self.assert_done(
            self.run_stage("bench", "--suite", "tiny", "--repetitions", "1", "--benchmark_filter=^sweep/single/lt:T=40_J=10",
                           f"--benchmark_out={out}")
        )
        timings = bench_table.read_timings(json.loads(out.read_text())).set_index("name")["seconds"]
        blocks = timings[timings.index.str.startswith("block/single/lt/")]
        self.assertGreater(len(blocks), 10)
        self.assertLess(blocks.sum(), 1.5 * timings["sweep/single/lt"])
        self.assertGreater(blocks.sum(), 0.5 * timings["sweep/single/lt"])

    def mixing(self, *arguments):
        command = [sys.executable, ROOT / "benchmarks/mixing.py", "--bin", self.bin_directory, "--work", self.scratch / "work",
                   "--out", self.scratch, "--steps", "60", "--sweeps", "40", "--chains", "2", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def test_effective_draws_of_both_dynamics_stand_on_the_page(self):
        self.assert_done(self.bench("--suite", "tiny", "--min-time", "0.001", "--repetitions", "1", "--out", self.scratch))
        self.assert_done(self.mixing("--states", "30", "--jobs", "2"))
        table = pd.read_csv(self.scratch / "mixing.csv")
        self.assertEqual(len(table), 2 * 2 * 3, "two starts, two dynamics, three quantities")
        self.assertEqual(set(table["draws"]), {2 * 30})
        self.assertTrue((table["lowest_chain"] <= table["mean"]).all() and (table["mean"] <= table["highest_chain"]).all())
        moved = table[table["effective"] > 0]
        np.testing.assert_allclose(moved["effective_per_second"],
                                   1e3 * moved["effective"] / moved["ms_per_sweep"] / moved["draws"], rtol=2e-3)
        self.assertIn("Effective draws per second: beam or full pass", (self.scratch / "bench.html").read_text())
        refused = self.mixing("--states", "30", "--model", self.scratch / "nowhere.toml")
        self.assert_fails(refused, 1, "hmmlt-train", "nowhere.toml")

    def test_mistakes_are_told_in_a_sentence(self):
        self.assert_fails(self.run_stage("bench", "--suite", "huge"), 64, "--suite", "huge")
        nothing = self.run_stage("bench", "--suite", "tiny", "--benchmark_filter=nothing")
        self.assertEqual(nothing.returncode, 64)
        self.assertIn("--benchmark_filter", nothing.stderr)
        missing = subprocess.run(
            [sys.executable, ROOT / "benchmarks/bench.py", "--bin", self.scratch, "--out", self.scratch / "out"],
            capture_output=True, text=True,
        )
        self.assert_fails(missing, 1, "make bench")


class Table(StageCase):
    def test_each_figure_stands_next_to_its_limit_and_its_goal(self):
        live, chorales = "T=2000 J=600 live", "chorales J=200 live"
        raw = raw_run({
            ("limit/bare_float_1", "T=2000 J=600"): 0.05,
            ("limit/bare_float_4", "T=2000 J=600"): [0.04, 0.06],
            ("limit/bare_float_1", "T=18818 J=200"): 0.03,
            ("sweep/single/lt", live): [0.08, 0.09],
            ("sweep/blocked/lt", live): 0.12,
            ("sweep/single/lt", chorales): 0.09,
            ("forward/lt", chorales): 0.03,
            ("limit/sgemm", "200x200 200x200"): 0.0002,
            ("limit/bare_butterflies", "T=2000 D=16"): 0.2,
            ("sweep/blocked/factorial", "T=2000 D=16"): 0.3,
            ("sweep/single/factorial", "T=2000 D=16"): 0.02,
            ("at_once/1/sweep", live): 0.08,
            ("at_once/2/sweep", live): 0.10,
            ("at_once/1/bare_float", live): 0.04,
            ("at_once/2/bare_float", live): 0.05,
        })
        for run in raw["benchmarks"]:
            if run["run_name"].startswith("limit/sgemm"):
                run["fma"] = 200.0**3
        table = bench_table.bench_table(bench_table.read_timings(raw)).set_index(["name", "shape", "limit"])
        expected = {
            ("sweep/single/lt", live, "bare float loop"): (2.0, 1.6),
            ("sweep/blocked/lt", live, "single sweep"): (1.5, 2.0),
            ("sweep/single/lt", chorales, "forward pass"): (3.0, 2.0),
            ("forward/lt", chorales, "bare float loop"): (1.0, np.nan),
            ("sweep/blocked/factorial", "T=2000 D=16", "bare butterflies"): (1.5, 2.0),
            ("forward/lt", chorales, "sgemm"): (0.03 / (0.0002 * 18818 / 200), 1.667),
            ("two_chains/single/lt", live, "bare loops at once"): (1.0, 1.053),
        }
        for key, (ratio, goal) in expected.items():
            np.testing.assert_allclose(table.loc[key, ["ratio", "goal"]].astype(float), [ratio, goal], err_msg=str(key))

    def test_exponents_are_those_of_the_times(self):
        figures = {("forward/lt", f"T=2000 J={j} live"): 1e-9 * j**2 for j in (50, 100, 200, 400)}
        figures |= {("forward/lt", f"T={t} J=200 live"): 2e-8 * t for t in (500, 20000)}
        scaling = bench_table.scaling_table(bench_table.read_timings(raw_run(figures)))
        self.assertEqual(scaling.set_index("variable")["exponent"].to_dict(), {"J": 2.0, "T": 1.0})

    def test_a_comparison_tells_change_from_noise(self):
        index = pd.MultiIndex.from_tuples([(name, "s") for name in "abcd"], names=["name", "shape"])
        base = pd.DataFrame({1: [1.0] * 4, 2: [1.01, 1.4, 1.0, 1.01], 3: [1.0, 1.8, 1.01, 1.02]}, index=index)
        new = base.mul([1.1, 1.2, 0.8, 1.01], axis=0)
        self.assertEqual(list(compare.compare(base, new)["verdict"]), ["slower", "", "faster", ""])


if __name__ == "__main__":
    main(sys.argv)
