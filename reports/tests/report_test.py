"""The report of small real runs: tables as promised, missing chains named, the same bytes again, a sound page."""

import base64
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "pipelines/tests"), str(ROOT / "reports/tests"), str(ROOT / "reports")]

import pandas as pd
from browser import assert_good_page, look
from report_case import ReportCase
from stage_case import main

from hmmlt_report import front
from hmmlt_report.chains import read_run
from hmmlt_report.experiment import read_experiment

SYNTHETIC = [
    "experiments/synthetic/models/{}.toml",
    "model.n_states=12",
    "run.burn_in=10",
    "run.record_every=4",
    "run.draws_every=10",
]
CHORDS = """[model]
n_states = 6
similarity = { kind = "gaussian", lambda = 5.0 }
locations = { kind = "euclidean", n_dims = 2 }
emission = { kind = "categorical", total_mass = 1.0 }
[run]
burn_in = 10
record_every = 4
draws_every = 10
"""


class Report(ReportCase):
    def train(self, run, data, model, chains, *settings):
        directory = self.scratch / "results" / run
        for k in chains:
            flags = [flag for setting in settings for flag in ("--set", setting)]
            self.assert_done(
                self.run_stage(
                    "train",
                    "--data",
                    data,
                    "--model",
                    model,
                    "--chain",
                    k,
                    "--seed",
                    1,
                    "--sweeps",
                    40,
                    "--out",
                    directory / f"chain-{k}",
                    *flags,
                    cwd=ROOT,
                )
            )
        return directory

    def flags(self, runs, out, also_planned=()):
        results, planned = self.scratch / "results", self.scratch / "planned"
        there = [str(run.relative_to(results)) for run in runs if run.is_relative_to(results)]
        planned.write_text("\n".join([*there, *also_planned]))
        return ["--name", "test", "--results", results, "--runs", *runs, "--planned", planned, "--out", out]

    def report(self, runs, out, also_planned=()):
        return self.run_report(*self.flags(runs, out, also_planned))

    def bits(self):
        """Three models on small synthetic data, the last without its last chain, and a chain that was cut short."""
        data = self.scratch / "set-1"
        recipe = ROOT / "experiments/synthetic/data/hdp_hmm.toml"
        self.assert_done(
            self.run_stage("generate", "--model", recipe, "--seed", 1, "--set", "generate.n_steps=80", "--out", data)
        )
        runs = []
        for model, chains in (("hdp_hmm", (0, 1, 2)), ("lt", (0, 1, 2)), ("factorial", (0, 1))):
            path, *settings = SYNTHETIC
            settings = settings[1:] if model == "factorial" else settings
            runs.append(
                self.train(f"synthetic/paper/set-1/{model}/single", data, path.format(model), chains, *settings)
            )
        (runs[0] / "chain-7").mkdir()
        self.assert_done(
            self.run_stage("diagnose", "--chains", *sorted(runs[1].glob("chain-*")), "--out", runs[1] / "diagnostics")
        )
        self.assert_done(
            self.run_stage(
                "evaluate",
                "--data",
                data,
                "--chains",
                *sorted(runs[1].glob("chain-*")),
                "--out",
                runs[1] / "evaluation",
            )
        )
        return runs

    def chords(self):
        csv = self.scratch / "chords.csv"
        csv.write_text(
            "sequence,chord\n" + "".join(f"{s},{'CFG'[(t * (s + 1)) // 4 % 3]}\n" for s in range(3) for t in range(30))
        )
        self.assert_done(self.run_stage("import", "--in", csv, "--test", "0.3", "--out", self.scratch / "chords"))
        model = self.scratch / "lt.toml"
        model.write_text(CHORDS)
        return [self.train("chorales/authors/split-0/lt-lambda-5/blocked", self.scratch / "chords", model, (0, 1))]

    def test_questions_and_features_without_names(self):
        """A page of questions only: yes and no, and features of learnt weights matched with the true ones."""
        data, runs = self.scratch / "weights", []
        recipe = ROOT / "experiments/beyond/data/weights.toml"
        self.assert_done(
            self.run_stage("generate", "--model", recipe, "--seed", 1, "--set", "generate.n_steps=60", "--out", data)
        )
        for model in ("known", "learnt"):
            path = f"experiments/beyond_weights/models/{model}.toml"
            settings = ["model.n_states=12", "run.burn_in=10", "run.record_every=4", "run.draws_every=10"]
            runs.append(self.train(f"beyond_weights/drawn/set-1/{model}/blocked", data, path, (0, 1), *settings))
        out = self.scratch / "report"
        self.assert_done(self.report(runs, out))
        text = assert_good_page(self, out / "index.html", self.scratch, self_contained=False)
        self.assertIn("Question 2. Learnt weights predict held-out data as well as known ones", text)
        self.assertIn("F1 of matched features", text)
        self.assertIn("features of each chain are matched with the true ones", text)
        self.assertNotIn("eplicated", text)
        self.assertNotIn("paper", text)
        self.assertNotIn("the claim", text)
        self.assertNotIn("published value", text)
        self.assertNotIn(", as published", text)
        self.assertTrue((out / "figures/beyond_weights-drawn-blocked-set-1-matrices.svg").stat().st_size > 1000)

    def test_report_of_runs(self):
        runs = self.bits() + self.chords()
        out = self.scratch / "report"
        absent = ["synthetic/paper/set-2/lt/single", "cocktail/paper/party-1/lt/single"]
        done = self.assert_done(self.report(runs, out, absent))
        self.assertEqual(done.stdout.strip(), str(out / "index.html"))

        claims = pd.read_csv(out / "claims.csv")
        columns = "experiment variant sampler claim published ours low high verdict rule rhat converged"
        self.assertEqual(list(claims.columns), columns.split())
        self.assertEqual(set(claims["experiment"]), {"synthetic", "chorales", "cocktail"})
        self.assertTrue(set(claims["verdict"]) <= {"replicated", "not", "inconclusive", "not run"})
        not_run = claims[claims["experiment"] == "cocktail"]
        self.assertEqual(set(not_run["verdict"]), {"not run"})
        self.assertTrue(not_run[["ours", "low", "high", "rhat", "converged"]].isna().all(axis=None))
        self.assertIn("LT − HDP-HMM -0.004 (F1 LT 0.930, HDP-HMM 0.934)", set(claims["published"]))
        self.assertTrue(
            set(claims.loc[claims["experiment"] == "chorales", "verdict"]) == {"inconclusive"},
            "nothing to compare with",
        )
        self.assertEqual(
            sorted(path.name for path in out.iterdir()),
            ["chains.parquet", "claims.csv", "comparisons.csv", "diagnostics.parquet", "figures", "front.md", "headline.md",
             "index.html", "provenance.csv", "summary.csv"],
            "each table once",
        )  # fmt: skip
        f1 = pd.read_csv(out / "summary.csv").query("model == 'lt' and quantity == 'f1'").iloc[0]
        means = []
        for k in range(3):
            trace = pd.read_parquet(runs[1] / f"chain-{k}/trace.parquet")
            means.append(trace.loc[trace["sweep"] > 10, "f1"].mean())
        self.assertAlmostEqual(f1["mean"], sum(means) / 3, places=5)
        for name in (
            "synthetic-paper-single-f1",
            "synthetic-paper-single-set-1-matrices",
            "chorales-authors-blocked-split-0-lt-lambda-5-map",
        ):
            self.assertTrue((out / f"figures/{name}.svg").stat().st_size > 1000)
        page = (out / "index.html").read_text()
        shown = re.findall(r'<img src="([^"]+)"', page)
        stored = sorted(str(path.relative_to(out)) for path in (out / "figures").iterdir())
        self.assertEqual(sorted(shown), stored, "the page shows each figure, and each is stored once")
        self.assertNotIn("data:image", page)
        # In a vector figure a matrix is its cells, a pixel each: resampled to some resolution, it would lack steps.
        matrices = (out / "figures/synthetic-paper-single-set-1-matrices.svg").read_text()
        images = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)", matrices)
        sizes = {struct.unpack(">II", base64.b64decode(image)[16:24]) for image in images}
        self.assertEqual(sizes, {(80, 16)}, "steps x bits of the data")

        text = assert_good_page(self, out / "index.html", self.scratch, self_contained=False)
        for words in (
            "single: chain 2, 7 missing",
            "hdp_hmm/single: chain 7 not finished",
            "drawn from the model",
            "uniform guess",
            "not converged",
        ):
            self.assertIn(words, text + (out / "figures/chorales-authors-blocked-test_log_likelihood.svg").read_text())

        self.assertLess(text.index("Data without local transitions"), text.index("Bach chorales"), "in the stated order")
        self.assertIn("evidence behind the verdicts", text)
        self.assertIn("Claim 1. LT's F1 equals that of HDP-HMM", text)
        self.assertRegex(text, r"R-hat of it is at most 1.05 for \d of 2 runs")
        self.assertIn("2 of 6 planned runs are not complete", text)
        self.assertIn("Data without local transitions, paper, single, set-2 (LT)", text)
        self.assertIn("Cocktail party, paper, single, party-1 (LT)", text)
        self.assertIn("not run", text)
        self.assertIn("Some chains are shortened: Data without local transitions, paper: a tenth of the full length", text)
        self.assertIn("combinations of its bits", text)
        headline = (out / "headline.md").read_text()
        self.assertIn("| LT's F1 equals that of HDP-HMM |", headline)
        for picture in re.findall(r'src="([^"]+)"', headline):
            self.assertTrue((out / picture).is_file(), picture)
        self.assertIn("**Does the paper replicate?** ", (out / "front.md").read_text())
        self.picture_of_the_front_page(runs)

        before = {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()}
        self.assert_done(self.run_stage("report", *self.flags(runs, out, absent), timeout=600))
        after = {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()}
        self.assertEqual(sorted(before), sorted(after))
        self.assertEqual(
            [str(name) for name in before if before[name] != after[name]], [], "the program gives the same bytes"
        )

    def picture_of_the_front_page(self, runs):
        """Of the models that the experiment names for it, and of no others."""
        synthetic = read_experiment(ROOT / "experiments/synthetic")
        synthetic.front = {"variant": "paper", "models": ["lt", "sticky"], "words": "Bits."}
        there = [read_run(run, self.scratch / "results") for run in runs]
        picture = front.draw({"synthetic": synthetic}, there, self.scratch / "front")
        self.assertIn("truth, LT;", picture.alt)
        self.assertEqual(picture.name, "synthetic-paper-single-set-1-front")
        self.assertTrue(list((self.scratch / "front").glob(f"{picture.name}.*")))
        model = f"drawn from the model {ROOT}/experiments/synthetic/data/hdp_hmm.toml"
        self.assertEqual(picture.caption, f"Bits. (Data without local transitions, variant paper: {model}.)")
        synthetic.front = {}
        self.assertIsNone(front.draw({"synthetic": synthetic}, there, self.scratch / "front"))

    def test_errors(self):
        run = self.scratch / "results/a/b/c/d/e"
        run.mkdir(parents=True)
        self.assert_fails(self.report([run], self.scratch / "out"), 65, "at least one finished chain")
        self.assertFalse((self.scratch / "out").exists())
        self.assert_fails(self.report([self.scratch], self.scratch / "out"), 65, "<model>/<sampler>")
        self.assert_fails(self.report([run.with_name("none")], self.scratch / "out"), 74, "run directory there")
        self.assert_fails(self.run_stage("report", "--out", self.scratch / "out"), 64, "--runs")
        self.assert_fails(self.run_stage("report", "--runs", run, "--out", self.scratch / "out"), 64, "--name")
        (self.scratch / "keep").mkdir()
        (self.scratch / "keep/thesis.txt").write_text("mine")
        self.assert_fails(self.report([run], self.scratch / "keep"), 65, "found other files")
        self.assertEqual((self.scratch / "keep/thesis.txt").read_text(), "mine")

    def test_the_browser_sees_what_is_wrong(self):
        bad = self.scratch / "bad.html"
        bad.write_text(
            '<!DOCTYPE html><div style="width:2000px">wide</div><img src="data:image/png;base64,AAAA"'
            ' alt="x"><script>console.error("no")</script>'
        )
        found, console = look(bad, self.scratch)
        self.assertGreater(found[390]["overflow"], 0)
        self.assertEqual((found[390]["images"], found[390]["broken"]), (1, 1))
        self.assertTrue(console)


if __name__ == "__main__":
    main(sys.argv)
