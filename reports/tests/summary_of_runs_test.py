"""The terminal summary: a line per run, in display order, with what has not converged marked."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "pipelines/tests")]

import numpy as np
from traces import provenance, write_chain


class Summary(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.results = pathlib.Path(scratch.name)

    def write_run(self, model, shift, **scalars):
        """Two chains whose F1 differs by `shift`."""
        run = self.results / f"synthetic/demo/set-1/{model}/blocked"
        rng = np.random.default_rng(1)
        config = provenance("run.burn_in = 20\n")
        for k in [0, 1]:
            values = {"f1": 0.5 + 0.01 * rng.normal(size=100) + k * shift, "states_used": np.full(100, 7.0), **scalars}
            values["f1"][:20] = 0.0  # burn-in does not count
            write_chain(run / f"chain-{k}", k, values, provenance=config)
            (run / f"chain-{k}/provenance.json").write_text(json.dumps(config))
        return run

    def summary(self, *runs):
        command = [sys.executable, ROOT / "reports/summary_of_runs.py", "--results", self.results, "--runs", *runs]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_a_line_per_run(self):
        lambdas = np.linspace(1.0, 1.02, 100)
        result = self.summary(self.write_run("lt", 0.2, **{"lambda": lambdas}), self.write_run("hdp_hmm", 0.0))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Data without local transitions, demo", result.stdout)
        lines = [line.split() for line in result.stdout.splitlines() if "set-1" in line]
        self.assertEqual([line[1] for line in lines], ["HDP-HMM", "LT"])
        hdp_hmm, lt = lines
        self.assertEqual(hdp_hmm[2:4], ["blocked", "2"])
        self.assertAlmostEqual(float(hdp_hmm[4]), 0.5, delta=0.01)
        self.assertEqual(hdp_hmm[7:11], ["-", "7.0", "±", "0.0"])
        self.assertLess(float(hdp_hmm[11]), 1.05)
        self.assertAlmostEqual(float(lt[4]), 0.6, delta=0.01)
        self.assertAlmostEqual(float(lt[6]), 0.2 / np.sqrt(2), delta=0.01)  # between the chains
        self.assertEqual(lt[7], "1.01")
        self.assertEqual(lt[-1], "*")  # these chains disagree

    def test_a_run_without_chains_is_named(self):
        run = self.results / "synthetic/demo/set-1/lt/blocked"
        run.mkdir(parents=True)
        result = self.summary(run)
        self.assertEqual(result.returncode, 65)
        self.assertIn(f"{run}: expected a finished chain", result.stderr)


if __name__ == "__main__":
    unittest.main()
