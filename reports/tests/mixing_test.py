"""R-hat and effective sample size as ArviZ computes them, to the last bit."""

import pathlib
import sys
import unittest
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from hmmlt_report import mixing

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # ArviZ announces its successor
    import arviz


class Mixing(unittest.TestCase):
    def series(self):
        """Chains x draws of many shapes: alike and apart, even and odd, short, correlated either way, with ties."""
        draw = np.random.default_rng(1)
        for n_chains in (2, 3, 10):
            for n_draws in (4, 5, 7, 50, 501):
                white = draw.normal(size=(n_chains, n_draws))
                yield white
                yield white + 3 * np.arange(n_chains)[:, None]
                yield np.cumsum(white, axis=1)
                yield white * (-1) ** np.arange(n_draws) + 0.1 * white
                yield np.round(white)
                yield white * np.linspace(1, 5, n_chains)[:, None]

    def test_as_arviz(self):
        for values in self.series():
            with self.subTest(shape=values.shape), np.errstate(all="ignore"):
                np.testing.assert_equal(mixing.rhat(values), float(arviz.rhat(values)))
                np.testing.assert_equal(mixing.ess_bulk(values), float(arviz.ess(values, method="bulk")))

    def test_one_chain_has_an_ess(self):
        values = np.random.default_rng(2).normal(size=(1, 100))
        self.assertEqual(mixing.ess_bulk(values), float(arviz.ess(values, method="bulk")))


if __name__ == "__main__":
    unittest.main()
