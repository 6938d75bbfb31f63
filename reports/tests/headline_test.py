"""What a reader sees first: quantities in order, evidence behind verdicts, and what goes into READMEs."""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "reports")]

import numpy as np
import pandas as pd

from hmmlt_report import front, headline
from hmmlt_report.blocks import rhat_number
from hmmlt_report.claims import Judged
from hmmlt_report.evidence import claim_table, evidence, tally
from hmmlt_report.experiment import Experiment, Level, in_page_order, read_claim, read_experiment
from hmmlt_report.figures import Picture
from hmmlt_report.quantities import in_reader_order, label
from hmmlt_report.rules import RULES, in_words, judge, speaks

ENTRY = {"id": "1", "text": "a beats b | c", "published": "a 1, b -1", "quantity": "f1", "rule": "higher",
         "models": ["a"], "than": ["b"], "margin": 0.01}  # fmt: skip


def judged(differences, rhat=1.2, variant="paper", published_value=np.nan, shortened="", **changes):
    claim = read_claim(pathlib.Path("claims.toml"), ENTRY | changes, {})
    verdict = judge(RULES["higher"], claim.parameters, {"a − b": {"set-1": np.array(differences)}}, claim.level)
    e = verdict.estimate
    said = speaks(RULES["higher"], claim.parameters, {"set-1": np.array(differences)}, claim.level, 1)
    rows = [{"comparison": "a − b", "data": d, "mean": e.mean, "low": e.low, "high": e.high, "n": e.n,
             "published": published_value, "speaks": said} for d in ("set-1", "all")]  # fmt: skip
    words = in_words(RULES["higher"], claim.parameters, claim.level, 1)
    return Judged(claim, "mine", variant, "single", verdict, words, rhat, pd.DataFrame(rows), 1, shortened)


def experiment(**changes):
    models = {"a": "A", "b": "B"}
    return Experiment("mine", "Mine", models=models, levels={"start": Level("started at the truth", True)}, **changes)


class Order(unittest.TestCase):
    def test_what_a_reader_cares_about_comes_first(self):
        names = ["log_joint", "log_likelihood", "states_used", "gamma", "h_10", "h_2", "new", "alpha", "lambda", "f1"]
        expected = ["f1", "lambda", "states_used", "alpha", "gamma", "h_2", "h_10", "new", "log_likelihood", "log_joint"]
        self.assertEqual(in_reader_order(names), expected)
        self.assertEqual([label("lambda"), label("alpha_3"), label("new_one")], ["λ", "α 3", "new one"])

    def test_experiments_stand_in_their_stated_order(self):
        names = sorted(path.name for path in (ROOT / "experiments").iterdir())
        found = {name: read_experiment(ROOT / "experiments" / name) for name in names}
        runs = [Run(name, variant, sampler) for name in (*names, "cocktail") for sampler in ("blocked", "single")
                for variant in ("authors", "paper")]  # fmt: skip
        ordered = in_page_order(runs, found)
        found_order = list(dict.fromkeys(run.experiment for run in ordered))
        self.assertEqual(found_order[:4], ["cocktail", "synthetic", "chorales", "beyond_semi_markov"])
        self.assertEqual((ordered[0].variant, ordered[0].sampler), ("paper", "single"))


class Run:
    def __init__(self, experiment, variant, sampler):
        self.experiment, self.variant, self.sampler = experiment, variant, sampler


class Evidence(unittest.TestCase):
    def summary(self, **rhat):
        rows = [
            {"variant": "paper", "sampler": "single", "data": "set-1", "model": model, "quantity": "f1", "mean": mean,
             "sd_chains": 0.01, "n_chains": 3, "published": np.nan, "rhat": rhat.get(model, np.nan)}
            for model, mean in (("a", 0.5), ("b", 0.6), ("a-start-truth", 0.9))
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def test_a_claim_that_does_not_hold_shows_why(self):
        (block,) = evidence(experiment(), [judged([-0.1, -0.11, -0.09])], self.summary(a=1.01, b=1.7))
        self.assertTrue(block["unsettled"])
        why = block["verdicts"][0]["why"]
        self.assertIn("a − b is −0.100 [−0.125, −0.075]: fails for a − b", why)
        self.assertIn("at most 1.05 for 1 of 2 runs; the largest, 1.70, is that of B on set-1", why)
        models, comparisons = block["tables"]
        self.assertIn("paper · single · set-1", models)
        self.assertIn("started at the truth 0.900", models)
        self.assertIn('class="speaks against"', comparisons)

    def test_a_claim_that_holds_stays_folded(self):
        (block,) = evidence(experiment(), [judged([0.1, 0.11, 0.09])], self.summary())
        self.assertFalse(block["unsettled"])
        self.assertIn('class="speaks for"', block["tables"][1])
        self.assertIn("R-hat is undefined", block["verdicts"][0]["why"])

    def test_published_values_stand_beside_comparisons(self):
        (block,) = evidence(experiment(), [judged([0.1, 0.11, 0.09], published_value=0.2)], self.summary())
        self.assertIn("<th scope=\"col\">published</th>", block["tables"][1])
        (block,) = evidence(experiment(), [judged([0.1, 0.11, 0.09])], self.summary())
        self.assertNotIn("published", block["tables"][1])

    def test_rhat_at_the_limit_shows_on_which_side(self):
        self.assertEqual([rhat_number(value) for value in (1.04, 1.0453, 1.0512, 1.2)], ["1.04", "1.045", "1.051", "1.20"])

    def test_pages_of_questions_do_not_speak_of_claims(self):
        (block,) = evidence(experiment(), [judged([0.1, 0.11, 0.09], **{"id": "1"})], self.summary())
        self.assertIn("speaks for the claim", block["tables"][1])
        question = dataclasses.replace(
            judged([0.1, 0.11, 0.09]), claim=read_claim(pathlib.Path("claims.toml"), ENTRY | {"published": ""}, {})
        )
        (block,) = evidence(experiment(), [question], self.summary())
        self.assertNotIn("claim", "".join(block["tables"]))
        self.assertNotIn("published", "".join(block["tables"]))

    def test_nothing_to_compare(self):
        (block,) = evidence(experiment(), [judged([])], self.summary(a=1.0))
        self.assertIn("No values of a − b.", block["verdicts"][0]["why"].capitalize())

    def test_labels_say_which_claims_are_ours(self):
        self.assertEqual(judged([], id="2").claim.label, "Claim 2")
        ours = judged([], id="1, λ sampled, expected emission").claim
        self.assertEqual(ours.label, "Claim 1, variation: λ sampled, expected emission")
        self.assertEqual(ours.anchor, "1-lambda-sampled-expected-emission")


class Headline(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.readme = self.folder / "README.md"

    def markdown(self, *verdicts, missing=(), length="", **changes):
        pictures = [
            Picture(f"mine-{variant}-single-f1", "svg", b"", 1, 1, "alt", "F1.", variant=variant, quantity="f1")
            for variant in ("paper", "authors")
        ]
        origins = pd.DataFrame({"revision": ["abc", "def, abc"], "seconds": [60.0, 30.0]})
        about = experiment(headline={"quantity": "f1", "variant": "authors"}, **changes)
        return headline.markdown(
            "paper", {"mine": about}, list(verdicts), {"mine": pictures}, origins, 6, list(missing), length,
            {"mine": "stand-in speech, not the paper's recordings"})  # fmt: skip

    def test_claims_and_figures(self):
        text = self.markdown(
            judged([0.1, 0.11, 0.09], rhat=1.0), judged([-0.1, -0.11, -0.09], variant="authors", published_value=0.205)
        )
        self.assertIn("2 verdicts: 1 replicated, 1 not replicated, 0 inconclusive. 1 of them rests", text)
        self.assertIn("6 chains, 90 s of sampling, revision abc, def;", text)
        row = next(line for line in text.splitlines() if "a beats b" in line)
        self.assertEqual(row, "| a beats b \\| c | a 1, b −1 | **replicated**<br>0.100 [0.075, 0.125] (a − b; must exceed 0 and"
                              " reach 0.01) | **not replicated** †<br>−0.100 [−0.125, −0.075] (a − b; published 0.205; must"
                              " exceed 0 and reach 0.01) |")  # fmt: skip
        self.assertIn('src="figures/mine-authors-single-f1.svg"', text)
        self.assertNotIn("mine-paper-single", text)
        self.assertTrue(tally([]).startswith("0 verdicts: 0 replicated, 0 not replicated, 0 inconclusive. 0 of them rest "))

    def test_what_is_missing_is_said_before_any_verdict(self):
        self.assertNotIn("Not all", self.markdown(judged([0.1, 0.11, 0.09])))
        text = self.markdown(judged([0.1, 0.11, 0.09]), missing=["4 of 19 planned runs are not complete"])
        self.assertIn("**Not all chains are there**: 4 of 19 planned runs are not complete.", text.split("| claim")[0])

    def test_shortened_chains_are_marked(self):
        self.assertIn("Chains have their full length.", self.markdown(length="Chains have their full length."))
        text = self.markdown(judged([0.1, 0.11, 0.09]), length="**All chains are shortened**: a tenth of the full length.")
        self.assertIn("a tenth of the full length. What follows is about chains of that length.", text.split("| claim")[0])
        row = judged([0.1, 0.11, 0.09], shortened="a tenth of the full length").row()
        self.assertIn("Shortened chains: a tenth of the full length.", row["rule"])

    def test_what_the_data_are_and_of_what_the_published_curves(self):
        curves = {"protocol": "The published curves are of five runs.", "published": {"f1": pd.DataFrame()}}
        text = self.markdown(judged([0.1, 0.11, 0.09]), **curves)
        self.assertIn(
            "- Mine: stand-in speech, not the paper's recordings. The published curves are of five runs.\n",
            text.split("| claim")[1],
        )

    def test_claims_and_questions_on_one_page(self):
        found = [judged([0.1, 0.11, 0.09], rhat=1.0), judged([0.1, 0.11, 0.09], id="2", text="ours", published_value=0.1)]
        question = read_claim(pathlib.Path("claims.toml"), ENTRY | {"id": "2", "text": "ours", "published": ""}, {})
        found[1] = dataclasses.replace(found[1], claim=question)
        text = self.markdown(*found)
        self.assertIn("1 verdict: 1 replicated, 0 not replicated, 0 inconclusive. 1 of them rests", text)
        self.assertIn("Beside them, questions of ours, 1 verdict: 1 yes, 0 no, 0 inconclusive.", text)
        self.assertIn("| ours | *our question* | **yes**", text)
        self.assertNotIn("published 0.1", text, "what is asked was not published")
        self.assertEqual(found[1].row()["published"], "")
        self.assertEqual([row["claim"].published for row in claim_table(experiment(), found)["rows"]], ["a 1, b -1", ""])

    def test_published_is_comparable_with_ours(self):
        row = judged([0.1, 0.11, 0.09], published_value=2.0).row()
        self.assertEqual(row["published"], "a − b 2.000 (a 1, b -1)")

    def test_questions_of_ours_are_answered_yes_or_no(self):
        question = {"published": ""}
        found = [judged([0.1, 0.11, 0.09], rhat=1.0, **question), judged([-0.1, -0.11, -0.09], variant="authors", **question)]
        text = self.markdown(*found)
        self.assertNotIn("replicat", text)
        self.assertIn("2 verdicts: 1 yes, 1 no, 0 inconclusive.", text)
        self.assertIn("| Mine, paper: a beats b \\| c | **yes**<br>0.100 [0.075, 0.125] (a − b; must exceed 0", text)
        self.assertEqual(judged([], **question).claim.label, "Question 1")

    def front(self, *verdicts, missing=(), length="", picture=None):
        return front.markdown(list(verdicts), picture, list(missing), length)

    def test_front_page_has_one_picture_and_the_answer(self):
        question = judged([0.1, 0.11, 0.09], rhat=1.0, published="")
        drawn = Picture("mine-authors-single-set-1-front", "svg", b"", 1, 1, "alt", "of matrices.py")
        about = experiment(front={"words": "Who speaks\nwhen?"})
        picture = front.with_words(about, "authors", "stand-in speech", drawn)
        text = self.front(
            judged([0.1, 0.11, 0.09], rhat=1.0), judged([-0.1, -0.11, -0.09]), question, picture=picture
        )
        self.assertLessEqual(max(map(len, text.splitlines())), front.COLUMNS)
        shown, caption, answer = (" ".join(part.split()) for part in text.split("\n\n"))
        self.assertIn('<img src="figures/mine-authors-single-set-1-front.', shown)
        self.assertEqual(caption, "*Who speaks when? (Mine, variant authors: stand-in speech.)*")
        self.assertEqual(
            answer,
            "**Does the paper replicate?** 2 verdicts: 1 replicated, 1 not replicated, 0 inconclusive; 1 of them rests on"
            " chains that had converged ([the report](index.html)).",
        )

    def test_front_page_of_questions_without_a_picture(self):
        text = self.front(judged([0.1, 0.11, 0.09], published=""))
        self.assertTrue(text.startswith("**What was found?** 1 verdict: 1 yes, 0 no,"), text)
        self.assertNotIn("<img", text)

    def test_front_page_says_what_is_short_or_missing(self):
        length = "**All chains are shortened**: a tenth of the full length."
        text = self.front(judged([0.1, 0.11, 0.09]), missing=["1 of 2 planned runs is not complete"], length=length)
        self.assertIn(f"{length} **Not all chains are there.**", " ".join(text.split()))
        text = self.front(judged([0.1, 0.11, 0.09]), length="Chains have their full length.")
        self.assertNotIn("length", text)

    def put(self, *flags):
        command = [sys.executable, ROOT / "tools/readme_headline.py", *flags, self.readme]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def assert_refused(self, result, code, words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn(words, result.stderr)

    def test_into_a_readme(self):
        (self.folder / "reports/paper/figures").mkdir(parents=True)
        (self.folder / "reports/paper/headline.md").write_text(self.markdown(judged([0.1, 0.11, 0.09])))
        marked = "<!-- headline of reports/paper -->\nold 0.123\n<!-- end of headline -->"
        self.readme.write_text(f"# Title\n\n{marked}\n\nafter\n")
        self.assert_refused(self.put("--check"), 65, "differs from reports/paper/headline.md")
        self.assertEqual(self.put().returncode, 0)
        once = self.readme.read_text()
        self.assertTrue(once.startswith("# Title\n\n<!-- headline of reports/paper -->\n\n## "))
        self.assertTrue(once.endswith("\n\n<!-- end of headline -->\n\nafter\n"))
        self.assertNotIn("old", once)
        self.assertIn("](reports/paper/index.html)", once)
        self.assertIn('src="reports/paper/figures/mine-authors-single-f1.svg"', once)
        self.assertEqual(self.put().returncode, 0)
        self.assertEqual(self.readme.read_text(), once, "twice is once")
        self.assert_refused(self.put("--check"), 65, "mine-authors-single-f1.svg: expected a picture there")
        (self.folder / "reports/paper/figures/mine-authors-single-f1.svg").touch()
        self.assertEqual(self.put("--check").returncode, 0)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["README.md", "reports"])

    def test_the_front_into_a_readme(self):
        (self.folder / "reports/paper").mkdir(parents=True)
        (self.folder / "reports/paper/front.md").write_text(self.front(judged([0.1, 0.11, 0.09])))
        self.readme.write_text("<!-- front of reports/paper -->\nold\n<!-- end of front -->\n")
        self.assert_refused(self.put("--check"), 65, "its front differs from reports/paper/front.md")
        self.assertEqual(self.put().returncode, 0)
        self.assertIn("**Does the paper replicate?** 1 verdict: 1 replicated", self.readme.read_text())
        self.assertEqual(self.put("--check").returncode, 0)

    def test_refused(self):
        self.assert_refused(self.put(), 74, "README.md: No such file")
        begin, end = "<!-- headline of reports/paper -->\n", "<!-- end of headline -->\n"
        for text in ("no marks\n", end + begin, begin + end + begin, begin + "<!-- end of front -->\n"):
            self.readme.write_text(text)
            self.assert_refused(self.put(), 65, "expected one line <!-- headline of reports/NAME -->")
            self.assertEqual(self.readme.read_text(), text)
        self.readme.write_text(begin + end)
        self.assert_refused(self.put(), 74, "reports/paper/headline.md: expected the headline of a report")
        self.assertEqual(self.put("--check").returncode, 0, "nothing was reported, nothing is said")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
