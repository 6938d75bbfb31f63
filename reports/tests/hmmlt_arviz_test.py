"""Chains come into ArviZ with their numbers, names and origin."""

import json
import pathlib
import sys
import tempfile
import unittest
import warnings

warnings.simplefilter("ignore")  # ArviZ announces its successor
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "reports"), str(ROOT / "pipelines/tests")]

import arviz
import numpy as np
from hmmlt_arviz import load
from traces import provenance, write_chain


class Load(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        rng = np.random.default_rng(1)
        self.x = rng.normal(size=(2, 100))

    def chain(self, number, n=100, **options):
        scalars = {
            "log_joint": -self.x[number][:n],
            "lambda": self.x[number][:n],
            "F1": [0.5 if sweep % 10 == 0 else None for sweep in range(1, n + 1)],
        }
        return write_chain(self.scratch / f"chain-{number}", number + 5, scalars, **options)

    def test_groups_dimensions_and_origin(self):
        model = provenance("model.n_states = 3\nrun.burn_in = 20\n")
        data = load([self.chain(0, provenance=model), self.chain(1, provenance=model)])
        self.assertEqual(list(data.posterior), ["lambda"])
        self.assertEqual(set(data.sample_stats), {"log_joint", "F1"})
        self.assertEqual(data.posterior["lambda"].dims, ("chain", "draw"))
        self.assertEqual(data.posterior["chain"].values.tolist(), [5, 6])
        self.assertEqual(data.posterior["draw"].values.tolist(), list(range(21, 101)))
        np.testing.assert_array_equal(data.posterior["lambda"].values, self.x[:, 20:])
        self.assertEqual(int(data.sample_stats["F1"].isnull().sum()), 2 * 72)
        self.assertEqual(data.posterior.attrs["hmmlt_burn_in"], 20)
        self.assertEqual(json.loads(data.posterior.attrs["hmmlt_provenance"]), [model, model])
        self.assertEqual(float(arviz.rhat(data)["lambda"]), float(arviz.rhat(self.x[:, 20:])))

    def test_foreign_traces_of_different_lengths(self):
        data = load([self.chain(0), self.chain(1, n=60)], burn_in=10)
        self.assertEqual(data.posterior["lambda"].shape, (2, 50))
        self.assertEqual(json.loads(data.posterior.attrs["hmmlt_provenance"]), [None, None])
        np.testing.assert_array_equal(data.posterior["lambda"].values, self.x[:, 10:60])

    def test_errors(self):
        one = self.chain(0, provenance=provenance("model.n_states = 3\n"))
        other = self.chain(1, provenance=provenance("model.n_states = 4\n"))
        with self.assertRaisesRegex(ValueError, "chain-1: another model"):
            load([one, other])
        write_chain(other, 1, {"log_joint": self.x[1], "rho": self.x[1]})
        with self.assertRaisesRegex(ValueError, "chain-1: other columns .*F1, lambda, rho"):
            load([one, other])
        with self.assertRaisesRegex(ValueError, "burn-in of 100 sweeps"):
            load([one], burn_in=100)
        with self.assertRaises(FileNotFoundError):
            load([self.scratch / "none"])


if __name__ == "__main__":
    unittest.main(warnings="ignore")
