"""Verdicts come from numbers by their rules: intervals, every rule, chains that are missing, alone or not finite."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "reports"), str(ROOT / "pipelines/tests")]

import numpy as np
import pandas as pd
from scipy import stats
from traces import provenance, write_chain

from hmmlt_report.bands import band, stratified
from hmmlt_report.blocks import predictive_words
from hmmlt_report.chains import Planned, ReportError, missing_chains, read_planned, read_run
from hmmlt_report.claims import COLUMNS, comparisons, judge_claims, table
from hmmlt_report.evidence import claim_table, tally
from hmmlt_report.experiment import Experiment, Level, read_claim, read_experiment
from hmmlt_report.heldout import n_scored, predictive
from hmmlt_report.length import length_line
from hmmlt_report.published import filled
from hmmlt_report.report import missing_lines
from hmmlt_report.rules import RULES, in_words, judge, speaks
from hmmlt_report.tables import summary


def verdict(rule, samples, level=0.95, **parameters):
    samples = {name: v if isinstance(v, dict) else {"data": np.array(v, float)} for name, v in samples.items()}
    return judge(RULES[rule], parameters, samples, level).verdict


class Bands(unittest.TestCase):
    def test_band_is_the_t_interval_of_each_column(self):
        values = np.random.default_rng(1).normal(size=(5, 3))
        mean, low, high = band(values, 0.99)
        for k in range(3):
            expected = stats.t.interval(0.99, 4, values[:, k].mean(), stats.sem(values[:, k]))
            np.testing.assert_allclose([low[k], high[k]], expected, rtol=1e-12)
        self.assertTrue(np.isnan(band(values[:1])[1]).all(), "one chain has no band")

    def test_one_data_set_is_the_t_interval(self):
        values = np.array([1.0, 2.0, 4.0, 4.5])
        estimate = stratified({"a": values}, 0.95)
        np.testing.assert_allclose(
            [estimate.low, estimate.high], stats.t.interval(0.95, 3, values.mean(), stats.sem(values))
        )

    def test_two_data_sets_are_welch(self):
        a, b = np.array([1.0, 2.0, 4.0]), np.array([11.0, 11.5, 12.0, 14.0])
        estimate = stratified({"a": a, "b": b}, 0.95)
        half_difference = stats.ttest_ind(a, -b, equal_var=False).confidence_interval(0.95)  # a + b has the same law
        np.testing.assert_allclose([2 * estimate.low, 2 * estimate.high], list(half_difference))
        self.assertEqual(estimate.n, 7)

    def test_data_sets_with_one_chain_each_are_the_units(self):
        estimate = stratified({"a": [1.0], "b": [2.0], "c": [6.0]}, 0.95)
        np.testing.assert_allclose([estimate.low, estimate.high], stats.t.interval(0.95, 2, 3.0, stats.sem([1, 2, 6])))

    def test_few_values(self):
        self.assertTrue(np.isnan(stratified({"a": [1.0]}, 0.95).low))
        self.assertEqual(stratified({}, 0.95).n, 0)
        self.assertEqual(stratified({"a": [np.nan, 2.0, 2.0]}, 0.95).n, 2, "what is not finite does not count")
        self.assertEqual(stratified({"a": [2.0, 2.0]}, 0.95).low, 2.0)


class Rules(unittest.TestCase):
    near = staticmethod(lambda centre: centre + np.array([-0.001, 0.0, 0.001]))

    def test_higher_and_lower(self):
        self.assertEqual(verdict("higher", {"x": self.near(0.1)}, margin=0.01), "replicated")
        self.assertEqual(verdict("higher", {"x": self.near(-0.1)}, margin=0.01), "not")
        self.assertEqual(verdict("higher", {"x": self.near(0.0)}, margin=0.01), "not", "surely less than counts")
        self.assertEqual(verdict("higher", {"x": self.near(0.005)}, margin=0.01), "not", "above 0, but too little")
        self.assertEqual(verdict("higher", {"x": [-1.0, 0.2, 1.0]}, margin=0.01), "inconclusive")
        self.assertEqual(
            verdict("higher", {"x": self.near(0.1), "y": self.near(-0.1)}, margin=0.01), "not", "one is enough"
        )
        self.assertEqual(verdict("higher", {"x": self.near(0.1), "y": [-1, 0.2, 1]}, margin=0.01), "inconclusive")
        self.assertEqual(verdict("lower", {"x": self.near(-0.1)}, margin=0.01), "replicated")
        self.assertEqual(verdict("lower", {"x": self.near(0.1)}, margin=0.01), "not")

    def test_slightly_higher(self):
        self.assertEqual(verdict("slightly_higher", {"x": self.near(0.02)}, margin=0.05), "replicated")
        self.assertEqual(verdict("slightly_higher", {"x": self.near(0.09)}, margin=0.05), "not")
        self.assertEqual(verdict("slightly_higher", {"x": self.near(-0.02)}, margin=0.05), "not")
        self.assertEqual(verdict("slightly_higher", {"x": [0.0, 0.05, 0.1]}, margin=0.05), "inconclusive")
        self.assertEqual(
            verdict("slightly_higher", {"x": self.near(0.001)}, margin=0.05), "inconclusive", "a sign is no interval"
        )
        below = {"x": {"a": self.near(0.04), "b": self.near(-0.02)}}
        self.assertEqual(verdict("slightly_higher", below, margin=0.05), "inconclusive", "below 0 on one data set")

    def test_equal_between_below(self):
        self.assertEqual(verdict("equal", {"x": self.near(0.0)}, margin=0.02), "replicated")
        self.assertEqual(verdict("equal", {"x": self.near(0.1)}, margin=0.02), "not")
        self.assertEqual(verdict("equal", {"x": self.near(0.02)}, margin=0.02), "inconclusive")
        self.assertEqual(verdict("between", {"x": self.near(1.6)}, low=1.1, high=2.1), "replicated")
        self.assertEqual(verdict("between", {"x": self.near(0.6)}, low=1.1, high=2.1), "not")
        self.assertEqual(verdict("between", {"x": self.near(1.1)}, low=1.1, high=2.1), "inconclusive")
        self.assertEqual(verdict("below", {"x": self.near(0.1)}, high=0.5), "replicated")
        self.assertEqual(verdict("below", {"x": self.near(0.9)}, high=0.5), "not")
        self.assertEqual(verdict("above", {"x": self.near(0.9)}, low=0.5), "replicated")
        self.assertEqual(verdict("above", {"x": self.near(0.1)}, low=0.5), "not")
        self.assertEqual(verdict("above", {"x": self.near(0.5)}, low=0.5), "inconclusive")

    def test_data_sets_that_disagree(self):
        samples = {"x": {"a": np.array([1.0, 1.01, 0.99]), "b": np.array([-0.1, -0.11, -0.09])}}
        self.assertEqual(verdict("higher", samples, margin=0.01), "inconclusive")

    def test_data_sets_that_disagree_about_a_failure(self):
        for rule, means, parameters in (
            ("higher", (0.06, 0.05, -0.20), {"margin": 0.01}),
            ("lower", (-0.06, -0.05, 0.20), {"margin": 0.01}),
            ("between", (1.6, 1.7, 3.2), {"low": 1.1, "high": 2.1}),
            ("below", (0.1, 0.1, 1.6), {"high": 0.5}),
            ("above", (0.9, 0.9, -1.6), {"low": 0.5}),
            ("equal", (0.0, 0.01, 0.5), {"margin": 0.02}),
            ("slightly_higher", (0.02, 0.02, 0.5), {"margin": 0.05}),
        ):
            samples = {"x": {f"party-{k}": self.near(mean) for k, mean in enumerate(means, 1)}}
            found = judge(RULES[rule], parameters, samples, 0.95)
            self.assertEqual(found.verdict, "inconclusive", rule)
            self.assertIn("not on party-1, party-2", found.reason)
        every = {"x": {"a": self.near(0.005), "b": self.near(-0.2)}}
        self.assertEqual(verdict("higher", every, margin=0.01), "not", "on no data set as much as counts")
        beside = every | {"y": {"a": self.near(0.06), "b": self.near(-0.2)}}
        found = judge(RULES["higher"], {"margin": 0.01}, beside, 0.95)
        self.assertEqual((found.verdict, found.decisive), ("not", "x"), "what fails everywhere is enough")

    def test_a_comparison_speaks_as_the_verdict_does(self):
        values = np.array([-0.5, -0.1, -0.5, -0.05, -0.4])  # below 0 at 95 %, not at 99 %
        rule, margin = RULES["higher"], {"margin": 0.0}
        self.assertEqual(speaks(rule, margin, {"a": values}, 0.95, 1), "against")
        self.assertEqual(speaks(rule, margin, {"a": values}, 0.95, 6), "open")
        self.assertEqual(speaks(rule, margin, {"a": self.near(0.1)}, 0.95, 6), "for")
        self.assertEqual(speaks(rule, margin, {"a": self.near(0.1), "b": self.near(-0.4)}, 0.95, 1), "open")
        self.assertEqual(speaks(rule, margin, {"a": self.near(0.4), "b": self.near(-0.1)}, 0.95, 1), "open")
        self.assertEqual(speaks(rule, margin, {"a": np.array([0.1])}, 0.95, 1), "open", "one chain")

    def test_too_little(self):
        self.assertEqual(verdict("higher", {"x": [0.5]}, margin=0.01), "inconclusive", "one chain")
        self.assertEqual(verdict("higher", {"x": []}, margin=0.01), "inconclusive", "no chain")
        self.assertEqual(verdict("higher", {"x": [np.nan, np.nan]}, margin=0.01), "inconclusive")
        self.assertEqual(verdict("higher", {}, margin=0.01), "inconclusive")

    def test_what_is_quoted_is_what_leaves_it_open(self):
        samples = {"x": {"data": self.near(0.1)}, "y": {"data": np.array([-1.0, 0.5, 1.5])}}
        found = judge(RULES["higher"], {"margin": 0.01}, samples, 0.95)
        self.assertEqual((found.verdict, found.decisive), ("inconclusive", "y"), "though the mean of x is lower")
        self.assertIn("the interval of y reaches", found.reason)

    def test_failing_is_judged_more_strictly_where_there_are_many(self):
        values = np.array([-0.5, -0.1, -0.5, -0.05, -0.4])  # below 0 at 95 %, not at 99 %
        self.assertEqual(verdict("higher", {"x": values}, margin=0.0), "not")
        many = {f"x{k}": values for k in range(6)}
        self.assertEqual(verdict("higher", many, margin=0.0), "inconclusive")
        found = judge(RULES["higher"], {"margin": 0.0}, {name: {"set": v} for name, v in many.items()}, 0.95)
        self.assertIn("x5 fails at 95 %, but not at the 99.17 % that 6 comparisons call for", found.reason)
        self.assertNotIn("reaches across", found.reason)

    def test_words_name_every_number(self):
        for name, rule in RULES.items():
            parameters = {p: 0.125 + k for k, p in enumerate(rule.parameters)}
            words = in_words(rule, parameters, 0.95, 6)
            for value in parameters.values():
                self.assertIn(f"{value:g}", words, name)
            self.assertIn("95 %", words)
            self.assertIn("99.17 %", words)


class Published(unittest.TestCase):
    """One set of published numbers: the window over the curves gives those that the claims' texts used to state."""

    def curves(self):
        sweeps = [300, 600, 900]
        f1 = pd.DataFrame({"model": "lt", "sweep": sweeps, "value": [0.1, 0.25, 0.75]})
        fixed = pd.concat(
            pd.DataFrame({"model": model, "lambda": at, "sweep": sweeps, "value": level})
            for model, at, level in (("lt", 1.0, -4.0), ("lt", 5.0, -5.0), ("hdp_hmm", np.nan, -3.0))
        )
        return {"f1": f1, "train_log_likelihood": fixed}

    def test_places_are_filled_from_the_last_third(self):
        text = "LT {f1:lt}, {train_log_likelihood:lt,lambda=5}; HDP-HMM {train_log_likelihood:hdp_hmm}"
        self.assertEqual(filled(text, self.curves(), "here"), "LT 0.500, -5.000; HDP-HMM -3.000")
        for text in ("{f1:sticky}", "{recall:lt}", "{train_log_likelihood:lt}", "{train_log_likelihood:lt,lambda=2}"):
            with self.assertRaisesRegex(ReportError, "here: published: expected a curve for"):
                filled(text, self.curves(), "here")
        with self.assertRaisesRegex(ReportError, "expected places like {f1:lt}"):
            filled("{f1 of lt}", self.curves(), "here")

    def test_the_window_gives_the_numbers_of_the_publication(self):
        for name, quantity, model, value in (
            ("cocktail", "f1", "sticky", 0.594),
            ("cocktail", "f1", "factorial", 0.727),
            ("cocktail", "lambda", "sticky_lt", 1.65),
            ("synthetic", "f1", "lt", 0.930),
            ("chorales", "test_log_likelihood", "lt-lambda-5", -10.51),
            ("chorales", "train_log_likelihood", "hdp_hmm", -4.52),
        ):
            experiment = read_experiment(ROOT / "experiments" / name)
            self.assertAlmostEqual(experiment.published_value(quantity, model), value, delta=0.0051 if abs(value) > 1 else 0.00051)
        self.assertTrue(np.isnan(experiment.published_value("test_log_likelihood", "lt")), "with lambda sampled: none")


class Claims(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.results = pathlib.Path(scratch.name)
        self.rng = np.random.default_rng(2)

    def write_run(self, model, level, chains=(0, 1, 2), data="set-1", seed=1, spread=0.01, offsets=None):
        directory = self.results / "mine/paper" / data / model / "single"
        directory.mkdir(parents=True)
        for k in chains:
            f1 = level + (offsets or {}).get(k, 0.0) + spread * self.rng.normal(size=100)
            config = provenance(f"model.n_states = 3\nrun.burn_in = 20\n", seed=seed)
            where = write_chain(directory / f"chain-{k}", k, {"f1": f1}, provenance=config)
            (where / "provenance.json").write_text(json.dumps(config))
        return read_run(directory, self.results)

    def claim(self, **changes):
        entry = {
            "id": "1",
            "text": "a beats b",
            "published": "a 1, b 0",
            "quantity": "f1",
            "rule": "higher",
            "models": ["a"],
            "than": ["b"],
            "margin": 0.01,
        }
        return read_claim(pathlib.Path("claims.toml"), entry | changes, {})

    def judged(self, runs, **changes):
        experiment = Experiment("mine", "Mine", claims=[self.claim(**changes)])
        return judge_claims(experiment, runs)

    def test_pairs_of_chains_that_both_models_have(self):
        shift = {0: 5.0, 1: -3.0, 2: 1.0}  # of a seed, common to both models: pairs do not see it
        runs = [self.write_run("a", 1.0, offsets=shift), self.write_run("b", 0.5, (0, 1), offsets=shift)]
        (one,) = self.judged(runs)
        self.assertEqual(one.verdict.verdict, "replicated")
        self.assertAlmostEqual(one.verdict.estimate.mean, 0.5, places=2)
        self.assertEqual(one.verdict.estimate.n, 2)
        self.assertEqual(one.converged, False, "chains that disagree are marked")
        frame = table([one])
        self.assertEqual(list(frame.columns), COLUMNS)
        self.assertEqual(frame["converged"][0], "0")
        self.assertEqual(missing_chains(runs), {1: [2]})

    def test_data_sets_keep_their_order(self):
        names = [f"set-{k}" for k in range(8)]
        runs = [self.write_run(model, 1.0, data=data) for model in "ab" for data in names]
        (one,) = self.judged(runs)
        self.assertEqual(one.comparisons["data"].tolist(), [*names, "all"])

    def test_a_bracket_has_chains_of_its_own_number(self):
        runs = [self.write_run("a", 1.0), self.write_run("b", 0.5), self.write_run("a-start-truth", 1.0, (0, 1))]
        levels = {"start": Level("started at the truth", True)}
        self.assertEqual(missing_lines(runs, {"mine": Experiment("mine", "Mine", levels=levels)}, []), [])
        (line,) = missing_lines(runs, {"mine": Experiment("mine", "Mine")}, [])
        self.assertIn("chain 2 missing", line)

    def test_converged_chains(self):
        runs = [self.write_run("a", 1.0), self.write_run("b", 0.5)]
        (one,) = self.judged(runs)
        self.assertLess(one.rhat, 1.05)
        self.assertEqual(one.row()["converged"], "1")

    def test_other_seeds_are_no_pairs(self):
        (one,) = self.judged([self.write_run("a", 1.0), self.write_run("b", 0.5, seed=2)])
        self.assertEqual((one.verdict.verdict, one.verdict.estimate.n), ("inconclusive", 0))

    def test_models_that_are_missing(self):
        (one,) = self.judged([self.write_run("a", 1.0)])
        self.assertEqual(one.verdict.verdict, "inconclusive")
        self.assertIn("a − b", one.verdict.reason)
        self.assertEqual(self.judged([self.write_run("b", 0.5)]), [], "nothing was run of what the claim is about")

    def test_what_was_planned_and_is_not_there_is_named(self):
        runs = [self.write_run("a", 1.0), self.write_run("b", 0.5)]
        planned = [Planned("mine", "paper", "set-1", model, "single") for model in "ab"]
        about = Experiment("mine", "Mine", claims=[self.claim()])
        self.assertEqual(missing_lines(runs, {"mine": about}, planned), [])
        planned += [Planned("mine", "authors", data, model, "single") for data in ("set-1", "set-2") for model in "ab"]
        planned += [Planned("mine", "paper", "set-2", "b", "single")]
        self.assertEqual(
            missing_lines(runs, {"mine": about}, planned),
            [
                "5 of 7 planned runs are not complete",
                "Mine, authors, single, set-1 and set-2 (a; b)",
                "Mine, paper, single, set-2 (b)",
            ],
        )
        done, due = judge_claims(about, runs, planned)
        self.assertEqual((done.variant, done.verdict.verdict), ("paper", "replicated"))
        self.assertEqual((due.variant, due.verdict.verdict), ("authors", "not run"))
        row = due.row()
        self.assertTrue(np.isnan([row["ours"], row["low"], row["high"], row["rhat"]]).all())
        self.assertEqual((row["published"], row["converged"]), ("a 1, b 0", ""))
        (only,) = judge_claims(about, [], planned[2:4])
        self.assertEqual(only.verdict.verdict, "not run")
        self.assertIn("1 verdict: 1 replicated, 0 not replicated, 0 inconclusive; 1 not run.", tally([done, due]))
        self.assertEqual(claim_table(about, [only])["evidence"], False)
        self.assertEqual(len(comparisons([done, due])), 2)

    def test_planned_runs_are_a_list_of_paths(self):
        path = self.results / "planned"
        path.write_text("mine/paper/set-1/a/single\nmine/paper/set-1/b/single\n\n")
        self.assertEqual([run.model for run in read_planned(path)], ["a", "b"])
        path.write_text("mine/paper\n")
        with self.assertRaisesRegex(ReportError, "<model>/<sampler>, found mine/paper"):
            read_planned(path)

    def test_published_of_every_comparison(self):
        curve = pd.DataFrame({"model": ["a", "a", "b", "b"], "sweep": [100, 900] * 2, "value": [0.1, 0.9, 0.2, 0.7]})
        about = Experiment("mine", "Mine", claims=[self.claim()], published={"f1": curve})
        (one,) = judge_claims(about, [self.write_run("a", 1.0), self.write_run("b", 0.5)])
        np.testing.assert_allclose(one.comparisons["published"], 0.2)
        self.assertEqual(table([one])["published"][0], "a − b 0.200 (a 1, b 0)")
        self.assertIn("published", comparisons([one]).columns)

    def test_shortened_chains(self):
        runs = [self.write_run("a", 1.0), self.write_run("b", 0.5)]  # burn-in 20
        for full, words in ((20, ""), (40, "half of the full length"), (196, "a tenth of"), (100, "20 % of the full")):
            about = Experiment("mine", "Mine", claims=[self.claim()], full_burn_in={"paper": full})
            (one,) = judge_claims(about, runs)
            self.assertIn(words, one.shortened)
            self.assertEqual(bool(one.shortened), bool(words))
            self.assertEqual("Shortened chains" in one.row()["rule"], bool(words))
            line = length_line({"mine": about}, runs)
            self.assertEqual(line, "Chains have their full length." if not words else line)
            self.assertIn(words, line)
        self.assertEqual(length_line({"mine": Experiment("mine", "Mine")}, runs), "", "nobody says what is full")

    def score(self, run, by_sweep):
        """heldout.parquet of every chain: two sequences of 10 and 30 steps, by a function of (sweep, sequence)."""
        for chain in run.chains:
            both = [(sweep, s, n) for sweep in self.sweeps for s, n in ((0, 10), (1, 30))]
            rows = [(sweep, s, by_sweep(sweep, s), by_sweep(sweep, s), n) for sweep, s, n in both]
            columns = ["sweep", "sequence", "log_likelihood", "log_likelihood_expected", "n"]
            pd.DataFrame(rows, columns=columns).to_parquet(chain.directory / "heldout.parquet")
        return read_run(run.directory, self.results)

    def test_posterior_predictive_of_a_chain(self):
        self.sweeps = [10, 30, 40]  # burn-in 20: the first does not count
        likelihood = {(30, 0): 0.1, (40, 0): 0.3, (30, 1): 0.4, (40, 1): 0.4, (10, 0): 1.0, (10, 1): 1.0}
        run = self.score(self.write_run("a", 1.0), lambda sweep, s: np.log(likelihood[sweep, s]))
        found = predictive(run.chains[0], "test_log_predictive", 2)
        self.assertAlmostEqual(found.value, (np.log(0.2) + np.log(0.4)) / 40, msg="each sequence by itself, as in (70)")
        self.assertAlmostEqual(found.effective, np.median([1 / (0.25**2 + 0.75**2), 2.0]))
        self.assertEqual((n_scored(run.chains[0]), n_scored(self.write_run("b", 1.0).chains[0])), (2, 0))
        self.assertTrue(np.isnan(predictive(run.chains[0], "test_log_predictive", 3).value), "more than there are")

    def test_posterior_predictives_average_over_as_many_draws(self):
        # Both models have the same scores; averaged over all draws, the one with more of them would seem better.
        score = lambda sweep, s: -50.0 + (30.0 if sweep == 50 else 0.0)  # noqa: E731
        self.sweeps = [30, 50]
        a = self.score(self.write_run("a", 1.0), score)
        self.sweeps = [30, 32, 34, 36, 38, 40, 42, 44, 46, 50]
        b = self.score(self.write_run("b", 1.0), score)
        (one,) = self.judged([a, b], quantity="test_log_predictive", rule="equal", margin=0.001)
        self.assertEqual((one.verdict.verdict, one.verdict.estimate.mean), ("replicated", 0.0))
        self.assertTrue(np.isnan(one.rhat), "two scores have none")
        self.assertTrue(one.rule.startswith("Averages over draws after burn-in, as many of every model; differences"))
        frame = summary(Experiment("mine", "Mine", summary=["test_log_predictive"]), [a, b])
        frame = frame[frame["quantity"] == "test_log_predictive"]
        self.assertEqual(set(frame["n_draws"]), {2})
        np.testing.assert_allclose(frame["draws_that_count"], 1.0, atol=1e-6)
        self.assertIn("best draw less log n", predictive_words(frame))

    def test_one_chain_has_no_rhat(self):
        (one,) = self.judged([self.write_run("a", 1.0, (0,)), self.write_run("b", 0.5, (0,))])
        self.assertEqual((one.verdict.verdict, one.row()["converged"]), ("inconclusive", ""))

    def test_unfinished_chains_are_left_out(self):
        run = self.write_run("a", 1.0)
        (run.directory / "chain-1/provenance.json").unlink()
        again = read_run(run.directory, self.results)
        self.assertEqual((again.unfinished, len(again.chains)), ([1], 2))

    def test_claims_files(self):
        for changes, words in (
            ({"rule": "bigger"}, "expected a rule among"),
            ({"than": None}, "needs than"),
            ({"margin": None}, "needs margin"),
        ):
            entry = {
                "id": "1",
                "text": "",
                "published": "",
                "quantity": "f1",
                "rule": "higher",
                "models": ["a"],
                "than": ["b"],
                "margin": 0.0,
            } | changes
            with self.assertRaisesRegex(ReportError, words):
                read_claim(pathlib.Path("claims.toml"), {k: v for k, v in entry.items() if v is not None}, {})
        for folder in sorted((ROOT / "experiments").iterdir()):
            experiment = read_experiment(folder)
            for claim in experiment.claims:
                self.assertTrue(
                    {experiment.base(m) for m in (*claim.models, *claim.than)} <= set(experiment.models), claim
                )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
