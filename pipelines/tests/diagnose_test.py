"""hmmlt-diagnose as a user meets it: the numbers of ArviZ, warnings, messages, exit codes.

python diagnose_test.py BIN_DIRECTORY
"""

import json
import logging
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
warnings.simplefilter("ignore")
logging.disable(logging.WARNING)  # ArviZ says more than once that a chain is short

import arviz
import numpy as np
import pyarrow.parquet as pq
from traces import provenance, write_chain


def autoregression(rng, n_chains, n_draws, phi):
    x = rng.normal(size=(n_chains, n_draws))
    for t in range(1, n_draws):
        x[:, t] += phi * x[:, t - 1]
    return x


def example_scalars(rng, n_chains, n_draws):
    """name -> chains x draws, of every kind that diagnostics may meet."""
    normal = rng.normal(size=(n_chains, n_draws))
    antithetic = normal.copy()
    antithetic[:, 1::2] = -antithetic[:, : 2 * (n_draws // 2) : 2]
    return {
        "white": normal,
        "slow": autoregression(rng, n_chains, n_draws, 0.95),
        "alternating": autoregression(rng, n_chains, n_draws, -0.9),
        "antithetic": antithetic,
        "walk": np.cumsum(normal, axis=1),
        "constant": np.full((n_chains, n_draws), 0.1),
        "means": normal + np.arange(n_chains)[:, None],
        "spreads": normal * np.arange(1, n_chains + 1)[:, None],
        "integers": rng.integers(0, 5, size=(n_chains, n_draws)).astype(float),
        "rare": (rng.random((n_chains, n_draws)) < 0.05).astype(float),
        "cauchy": rng.standard_cauchy(size=(n_chains, n_draws)),
        "large": 1e8 + normal,
    }


class Diagnose(unittest.TestCase):
    def setUp(self):
        memory = "/dev/shm"
        scratch = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def diagnose(self, directories, *flags, out="out"):
        command = [BIN / "hmmlt-diagnose", "--chains", *directories, "--out", self.scratch / out, *flags]
        return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60)

    def numbers(self, directories, *flags, out="out"):
        """Runs the stage; the diagnostics by name."""
        result = self.diagnose(directories, *flags, out=out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        rows = pq.read_table(self.scratch / out / "diagnostics.parquet").to_pylist()
        return {row["name"]: row for row in rows}, result.stdout

    def write_chains(self, scalars, name="chain", **options):
        """Chain k gets row k of each scalar."""
        n_chains = len(next(iter(scalars.values())))
        return [
            write_chain(self.scratch / f"{name}-{k}", k, {n: v[k] for n, v in scalars.items()}, **options)
            for k in range(n_chains)
        ]

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, "one sentence: " + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertFalse((self.scratch / "out").exists())

    def test_agrees_with_arviz(self):
        rng = np.random.default_rng(1)
        n_compared = 0
        for n_chains, n_draws in [(4, 1000), (2, 501), (1, 300), (3, 2), *((1 + n % 4, n) for n in range(4, 21))]:
            scalars = example_scalars(rng, n_chains, n_draws)
            directories = self.write_chains(scalars, f"{n_chains}x{n_draws}")
            found, _ = self.numbers(directories, "--burn-in", 0, out=f"out{n_chains}x{n_draws}")
            for name, values in scalars.items():
                row = found[name]
                expected = {
                    "mean": values.mean(),
                    "sd": values.std(ddof=1),
                    "q5": np.quantile(values, 0.05),
                    "q95": np.quantile(values, 0.95),
                    "rhat": float(arviz.rhat(values)),
                    "ess_bulk": float(arviz.ess(values, method="bulk")),
                    "ess_tail": float(arviz.ess(values, method="tail")),
                }
                for statistic, value in expected.items():
                    with self.subTest(name=name, n_chains=n_chains, n_draws=n_draws, statistic=statistic):
                        if math.isnan(value):
                            self.assertIsNone(row[statistic])
                        else:
                            self.assertLessEqual(abs(row[statistic] - value), 1e-6 * max(1, abs(value)))
                        n_compared += 1
        self.assertGreater(n_compared, 1500)

    def test_chains_that_stand_still_each_at_its_place(self):
        values = np.repeat(np.arange(3.0)[:, None], 100, axis=1)
        found, text = self.numbers(self.write_chains({"x": values}), "--burn-in", 0)
        self.assertEqual(found["x"]["rhat"], math.inf)
        self.assertGreater(float(arviz.rhat(values)), 1e12)
        self.assertAlmostEqual(found["x"]["ess_bulk"], float(arviz.ess(values, method="bulk")))
        self.assertIn("x: each of the 3 chains stands still at a value of its own", text)

    def test_seconds(self):
        rng = np.random.default_rng(2)
        directories = self.write_chains({"x": rng.normal(size=(2, 300))}, seconds=0.5)
        found, text = self.numbers(directories, "--burn-in", 100)
        self.assertEqual((found["x"]["n_chains"], found["x"]["n_draws"]), (2, 200))
        self.assertAlmostEqual(found["x"]["ess_per_second"], found["x"]["ess_bulk"] / 200)
        self.assertIn("2 chains, sweeps 101 to 300 in 200 seconds of computing", text)
        (directories[1] / "timing.parquet").unlink()
        found, text = self.numbers(directories, "--burn-in", 100)
        self.assertIsNone(found["x"]["ess_per_second"])
        self.assertIn("note: chain-1 has no timing.parquet", text)

    def test_burn_in_of_the_model(self):
        rng = np.random.default_rng(3)
        x = rng.normal(size=(2, 300))
        x[:, :100] += 50
        model = provenance("model.n_states = 3\nrun.burn_in = 100\n")
        found, text = self.numbers(self.write_chains({"x": x}, provenance=model))
        self.assertEqual(found["x"]["n_draws"], 200)
        self.assertLess(abs(found["x"]["mean"]), 0.5)
        self.assertIn("No warnings", text)
        found, text = self.numbers(self.write_chains({"x": x}), out="foreign")
        self.assertEqual(found["x"]["n_draws"], 300)
        self.assertIn("the traces do not say how long burn-in is", text)
        self.assertIn("x: R-hat", text)

    def test_lengths_and_gaps(self):
        rng = np.random.default_rng(4)
        long, short = rng.normal(size=500), rng.normal(size=400)
        scores = [rng.random() if sweep % 10 == 0 else None for sweep in range(1, 501)]
        holes = [None if sweep == 20 else score for sweep, score in enumerate(scores, 1)]
        directories = [
            write_chain(self.scratch / "a", 0, {"x": long, "F1": scores, "never": [None] * 500}),
            write_chain(self.scratch / "b", 1, {"x": short, "F1": holes[:400], "never": [None] * 400}),
        ]
        found, text = self.numbers(directories, "--burn-in", 0)
        self.assertEqual([found[n]["n_draws"] for n in ("x", "F1", "never")], [400, 39, 0])
        both = np.stack([long[:400], short])
        self.assertAlmostEqual(found["x"]["ess_bulk"], float(arviz.ess(both, method="bulk")))
        self.assertIn("the chains have 400 to 500 sweeps after burn-in: the 400 that all have are used", text)
        self.assertIn("F1: not all chains have it at the same sweeps: the 39 that they share are used", text)
        self.assertIn("never: no value after burn-in", text)

    def test_warnings(self):
        rng = np.random.default_rng(5)
        shifted = rng.normal(size=(4, 400)) + np.array([[0], [0], [0], [3]])
        broken = rng.normal(size=(4, 400))
        broken[2, 299] = math.nan
        scalars = {
            "good": rng.normal(size=(4, 400)),
            "modes": shifted,
            "more_modes": shifted + 1,
            "slow": autoregression(rng, 4, 400, 0.9),
            "fixed": np.full((4, 400), 2.5),
            "broken": broken,
        }
        _, text = self.numbers(self.write_chains(scalars), "--burn-in", 0)
        for words in (
            "modes, more_modes: R-hat 1.",
            "the 4 chains disagree; run longer",
            "fixed: constant at 2.5",
            "broken: nan in chain-2 at sweep 300",
        ):
            self.assertIn(words, text)
        self.assertRegex(text, r"slow: (R-hat 1\.0\d\d|worth only \d+ independent draws)")
        self.assertNotIn("warning: good", text)
        _, text = self.numbers(self.write_chains({"x": rng.normal(size=(1, 400))}, "one"), "--burn-in", 0)
        self.assertIn("one chain alone cannot disagree", text)

    def test_the_table_knows_where_it_comes_from(self):
        rng = np.random.default_rng(6)
        directories = self.write_chains({"x": rng.normal(size=(2, 50))}, provenance=provenance(), seconds=1)
        self.numbers(directories, "--burn-in", 10)
        metadata = pq.read_schema(self.scratch / "out/diagnostics.parquet").metadata
        found = json.loads(metadata[b"hmmlt.provenance"])
        self.assertEqual(found["config"], "diagnose.burn_in = 10\n")
        files = {f"chain-{k}/{name}.parquet" for k in (0, 1) for name in ("trace", "timing")}
        self.assertEqual(set(found["inputs"]), files)
        self.assertTrue((self.scratch / "out/provenance.json").exists())
        once = (self.scratch / "out/diagnostics.parquet").read_bytes()
        self.numbers(directories, "--burn-in", 10)
        self.assertEqual((self.scratch / "out/diagnostics.parquet").read_bytes(), once)

    def test_numbers_without_a_table(self):
        directory = self.write_chains({"x": np.random.default_rng(7).normal(size=(1, 50))})[0]
        result = subprocess.run([BIN / "hmmlt-diagnose", "--chains", directory], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"(?m)^x +50 ")

    def test_chains_that_cannot_be_compared(self):
        rng = np.random.default_rng(8)
        model = "model.n_states = 3\n"

        def chain(name, number, scalar="x", **origin):
            values = {scalar: rng.normal(size=20)}
            return write_chain(self.scratch / name, number, values, provenance=provenance(**origin) if origin else None)

        a = chain("a", 0, config=model)
        b = self.scratch / "b"
        for number, scalar, origin, *words in (
            (1, "x", {"config": "model.n_states = 4\n"}, "a and b", "n_states = 3", "n_states = 4"),
            (1, "x", {"config": model, "data": "ff"}, "a and b", "different data"),
            (0, "x", {"config": model}, "a and b are both chain 0 of one seed"),
            (0, "x", {}, "a and b are both chain 0"),
            (1, "y", {"config": model}, "b/trace.parquet has no column x, which a has"),
        ):
            with self.subTest(words):
                chain("b", number, scalar, **origin)
                self.assert_fails(self.diagnose([a, b], "--burn-in", 0), 65, *words)
        self.assert_fails(self.diagnose([a, a]), 65, "are the same chain")
        self.assert_fails(self.diagnose([a, self.scratch / "none"]), 74, "none/trace.parquet", "No such file")
        chain("b", 0, config=model, seed=2)
        self.assertEqual(self.diagnose([a, b], "--burn-in", 0, out="seeds").returncode, 0)

    def test_chains_of_different_instruction_sets_are_compared_with_a_warning(self):
        rng = np.random.default_rng(8)
        chains = []
        for number, instructions in enumerate(["avx2", "avx2", "avx512f"]):
            origin = provenance(config="model.n_states = 3\n") | {"instruction_set": instructions}
            chains.append(write_chain(self.scratch / f"chain-{number}", number, {"x": rng.normal(size=200)}, provenance=origin))
        result = self.diagnose(chains, "--burn-in", 0)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: chain-0 was computed with avx2 (BLAS core none), chain-2 with avx512f", result.stdout)
        self.assertNotIn("computed with", self.diagnose(chains[:2], "--burn-in", 0, out="same").stdout)

    def test_traces_that_are_none(self):
        rng = np.random.default_rng(9)
        a = write_chain(self.scratch / "a", 0, {"x": rng.normal(size=20)})
        self.assert_fails(self.diagnose([a], "--burn-in", 20), 65, "a burn-in of 20 sweeps, no sweep is left\n")
        self.assert_fails(self.diagnose([a], "--burn-in", "-1"), 64, "--burn-in", "-1")
        table = pq.read_table(a / "trace.parquet")
        path = a / "trace.parquet"
        for broken, *words in (
            (table.take([0, 2, 1]), "increasing sweeps", "row 2"),
            (table.drop_columns(["sweep"]), "column sweep is missing"),
            (table.slice(0, 0), "expected sweeps, found none"),
            (table.append_column("s", [["text"] * 20]), "column s", "float64", "string"),
        ):
            pq.write_table(broken, path)
            self.assert_fails(self.diagnose([a]), 65, "a/trace.parquet", *words)
        path.write_bytes(path.read_bytes()[:-10])
        self.assert_fails(self.diagnose([a]), 65, "a/trace.parquet", "truncated")


if __name__ == "__main__":
    unittest.main(warnings="ignore")
