"""Decoding of semi-Markov draws against enumeration of all segmentations and against Markov chains; their page."""

import itertools
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "pipelines/tests"), str(ROOT / "reports/tests"), str(ROOT / "reports")]

import numpy as np
import pandas as pd
from browser import assert_good_page
from report_case import ReportCase
from scipy import stats
from stage_case import main

from hmmlt_report.consensus import matching, relabelled
from hmmlt_report.decoding import Draw, smooth
from hmmlt_report.semi_markov import duration_table, mean_durations, smooth_segments

POISSON = {"omega": np.array([[0.7, 2.0, 4.5]])}
R, P = np.array([1.0, 4.0, 0.5]), np.array([0.4, 0.7, 0.1])
NEGATIVE_BINOMIAL = {
    "duration_r": R[None],
    "duration_log_p": np.log(P)[None],
    "duration_log_1mp": np.log1p(-P)[None],
}
LAWS = [  # with another implementation of each state's law of dur - 1
    (POISSON, [stats.poisson(omega) for omega in POISSON["omega"][0]]),
    (NEGATIVE_BINOMIAL, [stats.nbinom(r, p) for r, p in zip(R, P)]),
]


def jumps(rng, n_states):
    """Probabilities of the first state, and of jumps, none of which leads back to where it came from."""
    rates = rng.gamma(1.0, size=(n_states, n_states)) * (1 - np.eye(n_states))
    return rng.dirichlet(np.ones(n_states)), rates / rates.sum(axis=1, keepdims=True)


def segmentations(n_steps):
    """All ways to cut the steps, as lengths."""
    for n_cuts in range(n_steps):
        for cuts in itertools.combinations(range(1, n_steps), n_cuts):
            yield np.diff([0, *cuts, n_steps])


def enumerated(start, transition, laws, log_density):
    """docs/model.md (77), with every segmentation and every state of its segments."""
    n_steps, n_states = log_density.shape
    marginal, change = np.zeros((n_steps, n_states)), np.zeros(n_steps)
    for lengths in segmentations(n_steps):
        for states in itertools.product(range(n_states), repeat=len(lengths)):
            path = np.repeat(states, lengths)
            weight = start[states[0]] * np.exp(log_density[np.arange(n_steps), path].sum())
            for here, length, after in zip(states, lengths, states[1:]):
                weight *= laws[here].pmf(length - 1) * transition[here, after]
            weight *= laws[states[-1]].sf(lengths[-1] - 2)
            marginal[np.arange(n_steps), path] += weight
            change[np.cumsum(lengths)[:-1]] += weight
    total = marginal[0].sum()
    return marginal / total, change / total


class Decoding(unittest.TestCase):
    def test_smoothing_is_the_sum_over_all_segmentations(self):
        rng = np.random.default_rng(1)
        for n_steps in (6, 1):
            log_density = 2.0 * rng.normal(size=(n_steps, 3))
            log_density[2:3] = 0.0  # a step that says nothing
            for arrays, laws in LAWS:
                start, transition = jumps(rng, 3)
                marginal, change = enumerated(start, transition, laws, log_density)
                table = duration_table(arrays, n_steps + 3)  # of a longer sequence
                found = smooth_segments(start, transition, table, log_density - 900.0)
                np.testing.assert_allclose(found[0], marginal, rtol=1e-10)
                np.testing.assert_allclose(found[1], change, rtol=1e-10)

    def test_geometric_durations_are_a_markov_chain(self):
        """Long enough for sums over durations to end early, and for some not to."""
        rng = np.random.default_rng(2)
        start, transition = jumps(rng, 4)
        leave = np.array([0.5, 0.1, 0.02, 0.002])
        arrays = {
            "duration_r": np.ones((1, 4)),
            "duration_log_p": np.log(leave)[None],
            "duration_log_1mp": np.log1p(-leave)[None],
        }
        log_density = 3.0 * rng.normal(size=(700, 4))
        log_density[300:450] = 0.0
        markov = Draw(0, 1, np.arange(4), start, np.diag(1 - leave) + leave[:, None] * transition, {}, True)
        expected = smooth(markov, log_density)
        found = smooth_segments(start, transition, duration_table(arrays, 700), log_density)
        np.testing.assert_allclose(found[0], expected[0], atol=1e-10)
        np.testing.assert_allclose(found[1], expected[1], atol=1e-10)

    def test_steps_that_fit_badly_are_forgotten(self):
        """One step of -1e17 for two of three states, or -1e9 at each step of a state: whatever comes later is exact."""
        rng = np.random.default_rng(3)
        for arrays, laws in LAWS:
            start, transition = jumps(rng, 3)
            for step, off in ((0, [-1e17, 0.0, -2e17]), (2, [0.0, -1e12, -1e12]), (slice(1, 6, 2), [-1e9, 0.0, -3e9])):
                log_density = 2.0 * rng.normal(size=(6, 3))
                log_density[step] += off
                marginal, change = enumerated(start, transition, laws, log_density)
                found = smooth_segments(start, transition, duration_table(arrays, 6), log_density)
                np.testing.assert_allclose(found[0], marginal, atol=1e-10)
                np.testing.assert_allclose(found[1], change, atol=1e-10)

    def test_a_segment_that_its_law_all_but_excludes(self):
        """400 steps of a state that lasts for 4: a prior of e^-1700, and still what the data say."""
        log_density = np.full((500, 2), -5000.0)
        state = (np.arange(500) // 400) % 2
        log_density[np.arange(500), state] = 0.0
        table = duration_table({"omega": np.array([[3.0, 90.0]])}, 500)
        smoothed, change = smooth_segments(np.array([0.5, 0.5]), 1 - np.eye(2), table, log_density)
        np.testing.assert_allclose(smoothed[np.arange(500), state], 1.0, atol=1e-9)
        np.testing.assert_allclose(change, np.arange(500) == 400, atol=1e-9)

    def test_durations(self):
        for arrays, laws in LAWS:
            table = duration_table(arrays, 12)
            for k, law in enumerate(laws):
                np.testing.assert_allclose(np.exp(table.log_law[:, k]), law.pmf(np.arange(12)), rtol=1e-11)
                np.testing.assert_allclose(np.exp(table.log_survival[:, k]), law.sf(np.arange(12) - 1), rtol=1e-11)
            np.testing.assert_allclose(mean_durations(arrays), [1 + law.mean() for law in laws])
        table = duration_table({"omega": np.array([[2.0]])}, 400)  # P(dur >= 400) is below the smallest double
        ratio = np.cumprod(2.0 / np.arange(400, 430)).sum() + 1
        np.testing.assert_allclose(table.log_survival[-1] - table.log_law[-1], np.log(ratio), rtol=1e-10)


MODEL = """[model]
dynamics = "semi_markov"
durations = {durations}
n_states = 6
emission = {{ kind = "gaussian", n_channels = 2, mean_weight = 0.01, precision = {{ shape = 10.0, rate = 1.0 }} }}
[priors]
gamma = 6.0
concentration = {{ shape = 6.0, rate = 1.0 }}
[generate]
n_steps = 200
n_sequences = 2
"""
RUN = ["run.burn_in=200", "run.draws_every=5", "run.record_every=10", "run.sampler=blocked"]


class Page(ReportCase):
    def test_page_of_semi_markov_chains(self):
        for durations in (
            '{ kind = "poisson", omega = { shape = 60.0, rate = 4.0 } }',
            '{ kind = "negative_binomial", r = [8.0, 16.0], p = { a = 30.0, b = 30.0 } }',
        ):
            folder = self.scratch / durations[10:13]
            folder.mkdir()
            data, model, out = folder / "data", folder / "model.toml", folder / "report"
            model.write_text(MODEL.format(durations=durations))
            self.assert_done(self.run_stage("generate", "--model", model, "--seed", 2, "--out", data))
            chains = [folder / f"chain-{k}" for k in range(2)]
            for k, chain in enumerate(chains):
                flags = ["--data", data, "--model", model, "--out", chain, *(f for one in RUN for f in ("--set", one))]
                self.assert_done(self.run_stage("train", *flags, "--chain", k, "--seed", 1, "--sweeps", 300))
            self.assert_done(self.run_report("--run", *chains, "--out", out))
            steps, states = pd.read_csv(out / "steps.csv"), pd.read_csv(out / "states.csv")
            truth = pd.read_parquet(data / "truth.parquet")
            z, found = truth["z"].to_numpy(), steps["state"].to_numpy()
            self.assertGreater((relabelled(found, matching(z, found)) == z).mean(), 0.95)
            changes = (np.diff(z) != 0) & (np.diff(truth["sequence"]) == 0)
            self.assertAlmostEqual(steps["change_probability"].sum(), changes.sum(), delta=0.15 * changes.sum())
            self.assertEqual(len(pd.read_csv(out / "segments.csv")), states["segments"].sum())
            often = states[states["segments"] >= 3]
            np.testing.assert_allclose(often["mean_duration"], often["mean_length"], rtol=0.4)
            text = assert_good_page(self, out / "index.html", self.scratch, self_contained=True)
            for words in ("semi-Markov HDP-HMM", "40 draws of all chains were decoded", "learnt duration"):
                self.assertIn(words, text)


if __name__ == "__main__":
    main(sys.argv)
