"""hmmlt-evaluate as a user meets it: numbers recomputed from the draws, chains in any order, lines as they come, refusals.

python evaluate_test.py BIN_DIRECTORY
"""

import csv
import io
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy
import pandas
from scipy import stats

from stage_case import ROOT, StageCase, main, result_bytes
from traces import change_provenance

GENERATOR = ROOT / "experiments/synthetic/data/hdp_hmm.toml"
MODELS = ROOT / "experiments/synthetic/models"
RUN = ["--sweeps", 40, "--set", "run.burn_in=10", "--set", "run.draws_every=10", "--set", "run.heldout_every=10"]
SYMBOLS = """
[model]
n_states = 60
emission = { kind = "categorical", concentration = 0.5 }
"""
SEMI_MARKOV = """
[model]
dynamics = "semi_markov"
durations = { kind = "poisson", omega = { shape = 2.0, rate = 1.0 } }
n_states = 9
emission = { kind = "categorical", concentration = 0.5 }
[priors]
gamma = 6.0
"""
GAUSSIAN = """
[model]
n_states = 5
emission = { kind = "gaussian", mean_weight = 0.1 }
"""
LABELS = ["c", "60,55,52,48", "4", "rest", "NA", "e", "f"]  # one is a number, one stands for missing elsewhere


def log_mean_exp(values):
    largest = max(values)
    return largest + numpy.log(numpy.mean(numpy.exp(numpy.asarray(values) - largest)))


def bits(frame, family):
    return frame[[c for c in frame if c.startswith(family + "_")]].to_numpy()


def draw_of(chain, sweep):
    """A draw of a categorical model as arrays over its live states: numbers, start, transitions, symbols' logs."""
    draws = pandas.read_parquet(chain / "draws.parquet")
    draws = draws[draws["sweep"] == sweep]
    part = {name: rows for name, rows in draws.groupby("variable")}
    numbers = sorted(part["n_steps"]["j"])
    place = {number: k for k, number in enumerate(numbers)}
    start, a, log_theta = (numpy.zeros(s) for s in [len(numbers), (len(numbers), len(numbers)), (7, len(numbers))])
    for _, row in part["start"].iterrows():
        start[place[row["j"]]] = row["value"]
    for _, row in part["transition"].iterrows():
        a[place[row["i"]], place[row["j"]]] = row["value"]
    for _, row in part["log_theta"].iterrows():
        log_theta[row["i"], place[row["j"]]] = row["value"]
    return numbers, start / start.sum(), a / a.sum(axis=1, keepdims=True), log_theta


def forward_backward(start, a, log_theta, symbols):
    """Filtered and smoothed probabilities, log density per step, most likely path; plain recursions."""
    likelihood = [numpy.ones(len(start)) if numpy.isnan(y) else numpy.exp(log_theta[int(y)]) for y in symbols]
    filtered, log_density, best, back = [], [], None, []
    for t, b in enumerate(likelihood):
        joint = (start if t == 0 else filtered[-1] @ a) * b
        filtered.append(joint / joint.sum())
        log_density.append(numpy.log(joint.sum()))
        with numpy.errstate(divide="ignore"):
            steps = numpy.log(start)[None, :] if t == 0 else best[:, None] + numpy.log(a)
            back.append(steps.argmax(axis=0))
            best = steps.max(axis=0) + numpy.log(b)
    backward = numpy.ones(len(start))
    smoothed, path = [], [int(best.argmax())]
    for t in reversed(range(len(symbols))):
        smoothed.insert(0, filtered[t] * backward / (filtered[t] @ backward))
        backward = a @ (likelihood[t] * backward)
        backward /= backward.max()
        if t > 0:
            path.insert(0, int(back[t][path[0]]))
    return numpy.array(filtered), numpy.array(smoothed), numpy.array(log_density), path


def with_ages(chain, sweep, longest):
    """A draw of a semi-Markov model as a Markov chain over states and how long each has lasted: age a of state k is
    number (a - 1) K + k."""
    numbers, start, a, log_theta = draw_of(chain, sweep)
    draws = pandas.read_parquet(chain / "draws.parquet")
    rows = draws[(draws["sweep"] == sweep) & (draws["variable"] == "omega")].set_index("j")["value"]
    omega = rows.loc[numbers].to_numpy()
    n = len(numbers)
    expanded = numpy.zeros((n * longest, n * longest))
    for age in range(1, longest + 1):
        now = slice((age - 1) * n, age * n)
        leaves = stats.poisson.pmf(age - 1, omega) / stats.poisson.sf(age - 2, omega)
        expanded[now, :n] = leaves[:, None] * a
        if age < longest:
            expanded[now, age * n : (age + 1) * n] = numpy.diag(1 - leaves)
    return numbers, numpy.concatenate([start, numpy.zeros(n * (longest - 1))]), expanded, numpy.tile(log_theta, longest)


class Evaluate(StageCase):
    @classmethod
    def setUpClass(cls):
        """Chains that no test changes: bits with truth, symbols in ragged sequences, channels without bits, factorial."""
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.shared = pathlib.Path(scratch.name)
        case = cls()
        case.run_done("generate", "--model", GENERATOR, "--seed", 1, "--out", cls.shared / "data", "--set",
                      "generate.n_steps=50")
        cls.bits = [case.train("data", MODELS / "lt.toml", k, "--set", "model.n_states=12") for k in [0, 1]]
        cls.factorial = case.train("data", MODELS / "factorial.toml", 0, "--sweeps", 20, "--set", "run.heldout_every=50")
        for name, text in [("symbols", SYMBOLS), ("gaussian", GAUSSIAN), ("semi_markov", SEMI_MARKOV)]:
            (cls.shared / f"{name}.toml").write_text(text)
        cls.write_symbols(cls.shared / "text")
        cls.symbols = [case.train("text", cls.shared / "symbols.toml", k) for k in [0, 1, 2]]
        cls.gaussian = case.train("data", cls.shared / "gaussian.toml", 0)
        cls.semi_markov = [case.train("text", cls.shared / "semi_markov.toml", k) for k in [0, 1]]

    @classmethod
    def write_symbols(cls, folder):
        chance = numpy.random.default_rng(1)
        for path, lengths in [(folder, [40, 25]), (folder / "test", [12, 1, 20])]:
            path.mkdir(parents=True)
            rows = [(s, t, (t // 4 + int(chance.integers(2))) % 7) for s, n in enumerate(lengths) for t in range(n)]
            frame = pandas.DataFrame(rows, columns=["sequence", "t", "symbol"]).astype({"symbol": "Int32"})
            frame.loc[5, "symbol"] = None
            frame.to_parquet(path / "observations.parquet", index=False)
        vocabulary = pandas.DataFrame({"symbol": range(7), "label": LABELS})
        vocabulary.to_parquet(folder / "vocabulary.parquet", index=False)

    def run_done(self, *arguments, **options):
        return self.assert_done(self.run_stage(*arguments, **options))

    def train(self, data, model, chain, *more, seed=3):
        out = self.shared / f"{pathlib.Path(model).stem}-{seed}-{chain}-{len(list(self.shared.iterdir()))}"
        self.run_done("train", "--data", self.shared / data, "--model", model, "--chain", chain, "--seed", seed, "--out",
                      out, *(RUN[2:] if "--sweeps" in more else RUN), *more)
        return out

    def evaluate(self, chains, *more, name="out", data="data", **options):
        return self.run_stage("evaluate", "--data", self.shared / data, "--chains", *chains, "--out",
                              self.scratch / name, *more, **options)

    def read(self, table, name="out"):
        return pandas.read_parquet(self.scratch / name / f"{table}.parquet")

    def stream(self, chains, lines, *more, **options):
        return self.run_stage("evaluate", "--stream", "--chains", *chains, *more, input=lines, **options)

    def values(self, table, sequence=-1):
        rows = table[table["sequence"] == sequence]
        return dict(zip(rows["measure"], rows["value"]))

    def test_draws_score_as_they_did_while_training(self):
        for chains, data in [(self.bits, "data"), (self.symbols, "text"), ([self.gaussian], "data")]:
            self.assert_done(self.evaluate(chains, name=data, data=data))
            found = self.read("heldout_draws", data)
            self.assertEqual(len(found), 3 * len(chains) * found["sequence"].nunique())
            trained = pandas.concat(pandas.read_parquet(chain / "heldout.parquet") for chain in chains)
            both = found.merge(trained, on=["chain", "sweep", "sequence"], validate="one_to_one")
            self.assertEqual(len(both), len(found))
            self.assertTrue((both["n_x"] == both["n_y"]).all())
            for column in ["log_likelihood", "log_likelihood_expected"]:
                difference = (both[column + "_x"] - both[column + "_y"]).abs()
                self.assertLess((difference / both[column + "_y"].abs()).max(), 1e-5)  # draws are floats
                self.assertGreater(both[column + "_x"].nunique(), len(chains))

    def test_pools_draws_by_the_mean_of_their_likelihoods(self):
        result = self.assert_done(self.evaluate(self.symbols, data="text"))
        table, draws = self.read("evaluation"), self.read("heldout_draws")
        self.assertEqual(list(table[table["measure"] == "log_likelihood"]["sequence"]), [-1, 0, 1, 2])
        self.assertEqual(list(table[table["measure"] == "log_predictive"]["n"]), [32, 11, 1, 20])  # one is missing
        for emission in ["", "_expected"]:
            means, predictive = [], []
            for s in range(3):
                scores = draws[draws["sequence"] == s]["log_likelihood" + emission]
                means.append(scores.mean())
                predictive.append(log_mean_exp(scores))
                found = self.values(table, s)
                self.assertAlmostEqual(found["log_likelihood" + emission], means[-1], places=10)
                self.assertAlmostEqual(found["log_predictive" + emission], predictive[-1], places=10)
            self.assertAlmostEqual(self.values(table)["log_likelihood" + emission], sum(means), places=9)
            self.assertAlmostEqual(self.values(table)["log_predictive" + emission], sum(predictive), places=9)
        self.assertAlmostEqual(self.values(table)["log_uniform"], -32 * numpy.log(7), places=10)
        self.assertIn("9 draws of 3 chains on 3 test sequences", result.stdout)
        self.assertIn(f"{self.values(table)['log_predictive'] / 32:.4f}", result.stdout)
        self.assertIn(f"{-numpy.log(7):.4f}", result.stdout)

    def test_chains_in_any_order_give_the_same_bytes(self):
        self.assert_done(self.evaluate(self.symbols, name="a", data="text"))
        self.assert_done(self.evaluate(self.symbols[::-1], name="b", data="text"))
        self.assert_done(self.evaluate(self.symbols[1:], name="c", data="text"))
        a, b, c = (result_bytes(self.scratch / name) for name in "abc")
        self.assertEqual(sorted(a), ["evaluation.parquet", "heldout_draws.parquet"])
        self.assertEqual(a, b)
        self.assertNotEqual(a["evaluation.parquet"], c["evaluation.parquet"])
        self.assert_done(self.evaluate(self.bits, "--predict", name="d"))
        self.assert_done(self.evaluate(self.bits[::-1], "--predict", name="e"))
        d, e = self.read("predictions", "d"), self.read("predictions", "e")
        self.assertTrue(d.drop(columns="state").equals(e.drop(columns="state")))
        self.assertFalse(d["state"].equals(e["state"]))  # of the first chain

    def test_scores_of_bits_against_the_truth(self):
        for part, folder in [("test", "data/test"), ("train", "data")]:
            self.assert_done(self.evaluate(self.bits, "--predict", "--on", part, name=part))
            found = self.values(self.read("evaluation", part))
            truth = bits(pandas.read_parquet(self.shared / folder / "truth.parquet"), "theta") == 1
            called = bits(self.read("predictions", part), "smoothed") > 0.5
            both = (truth & called).sum()
            self.assertAlmostEqual(found["precision"], both / called.sum(), places=12)
            self.assertAlmostEqual(found["recall"], both / truth.sum(), places=12)
            self.assertAlmostEqual(found["f1"], 2 * both / (called.sum() + truth.sum()), places=12)
            self.assertAlmostEqual(found["accuracy"], (truth == called).mean(), places=12)
            self.assertEqual(self.values(self.read("evaluation", part), 0)["f1"], found["f1"])
            means = [bits(pandas.read_parquet(chain / "state_mean.parquet"), "p") for chain in self.bits]
            truth = bits(pandas.read_parquet(self.shared / "data/truth.parquet"), "theta") == 1
            self.assertAlmostEqual(found["state_mean_accuracy"], (truth == (sum(means) / 2 > 0.5)).mean(), places=12)
        self.assertGreater(found["f1"], 0.6)

    def test_predictions_are_those_of_the_draws(self):
        result = self.assert_done(self.evaluate(self.symbols, "--predict", data="text"))
        self.assertIn("states are those of sweep 40 of chain 0 of seed 3", result.stdout)
        predictions, table = self.read("predictions"), self.read("evaluation")
        data = pandas.read_parquet(self.shared / "text/test/observations.parquet")
        for s, rows in predictions.groupby("sequence"):
            symbols = data[data["sequence"] == s]["symbol"].to_numpy(float, na_value=numpy.nan)
            evidence = []
            for chain in self.symbols:
                for sweep in [20, 30, 40]:
                    _, start, a, log_theta = draw_of(chain, sweep)
                    evidence.append(forward_backward(start, a, log_theta, symbols)[2].cumsum())
            pooled = numpy.array([log_mean_exp([e[t] for e in evidence]) for t in range(len(symbols))])
            self.assertLess(numpy.abs(rows["log_density"].cumsum() - pooled).max(), 1e-9)
            self.assertAlmostEqual(rows["log_density"].sum(), self.values(table, s)["log_predictive"], places=9)
            numbers, start, a, log_theta = draw_of(self.symbols[0], 40)
            self.assertNotEqual(numbers, list(range(len(numbers))))  # states keep their numbers, which have gaps
            filtered, smoothed, _, path = forward_backward(start, a, log_theta, symbols)
            self.assertLess(numpy.abs(bits(rows, "filtered")[:, numbers] - filtered).max(), 1e-9)
            self.assertLess(numpy.abs(bits(rows, "smoothed")[:, numbers] - smoothed).max(), 1e-9)
            self.assertEqual(list(rows["state"]), [numbers[k] for k in path])
            self.assertLess(numpy.abs(bits(rows, "smoothed").sum(axis=1) - 1).max(), 1e-12)

    def test_predictions_of_states_that_have_durations(self):
        self.assert_done(self.evaluate(self.semi_markov, "--predict", data="text"))
        predictions, table = self.read("predictions"), self.read("evaluation")
        data = pandas.read_parquet(self.shared / "text/test/observations.parquet")
        for s, rows in predictions.groupby("sequence"):
            symbols = data[data["sequence"] == s]["symbol"].to_numpy(float, na_value=numpy.nan)
            evidence = [forward_backward(*with_ages(chain, sweep, len(symbols))[1:], symbols)[2].cumsum()
                        for chain in self.semi_markov for sweep in [20, 30, 40]]
            pooled = numpy.array([log_mean_exp([e[t] for e in evidence]) for t in range(len(symbols))])
            self.assertLess(numpy.abs(rows["log_density"].cumsum() - pooled).max(), 1e-9)
            self.assertAlmostEqual(rows["log_density"].sum(), self.values(table, s)["log_predictive"], places=9)
            numbers, *draw = with_ages(self.semi_markov[0], 40, len(symbols))
            filtered, smoothed, _, path = forward_backward(*draw, symbols)
            for family, found in [("filtered", filtered), ("smoothed", smoothed)]:
                of_states = found.reshape(len(symbols), -1, len(numbers)).sum(axis=1)
                self.assertLess(numpy.abs(bits(rows, family)[:, numbers] - of_states).max(), 1e-9)
            self.assertEqual(list(rows["state"]), [numbers[k % len(numbers)] for k in path])
        self.assertGreater(len(set(predictions["state"])), 1)
        self.assert_fails(self.run_stage("evaluate", "--stream", "--chains", *self.semi_markov), 65, "--stream",
                          "semi_markov", "--predict")

    def test_bits_of_states_that_have_them_are_pooled(self):
        self.assert_done(self.evaluate(self.bits, "--predict"))
        both = self.read("predictions")
        self.assertEqual(list(both), ["sequence", "t", "log_density", *(f"filtered_{d}" for d in range(16)),
                                      *(f"smoothed_{d}" for d in range(16)), "state"])
        for k in [0, 1]:
            self.assert_done(self.evaluate([self.bits[k]], "--predict", name=f"only-{k}"))
        halves = [self.read("predictions", f"only-{k}") for k in [0, 1]]
        for family in ["filtered", "smoothed"]:
            mean = sum(bits(half, family) for half in halves) / 2  # both have three draws
            self.assertLess(numpy.abs(bits(both, family) - mean).max(), 1e-12)

    def test_predictions_of_an_earlier_run_do_not_stay(self):
        self.assert_done(self.evaluate(self.bits, "--predict"))
        self.assert_done(self.evaluate(self.bits))
        self.assertFalse((self.scratch / "out/predictions.parquet").exists())
        self.assertTrue((self.scratch / "out/provenance.json").exists())

    def test_lines_are_answered_as_predictions(self):
        self.assert_done(self.evaluate(self.bits, "--predict"))
        y = bits(pandas.read_parquet(self.shared / "data/test/observations.parquet"), "y")
        lines = "\n" + "".join(",".join(map(repr, map(float, row))) + "\r\n" for row in y)
        answers = pandas.read_csv(io.StringIO(self.assert_done(self.stream(self.bits, lines)).stdout))
        expected = self.read("predictions")[[*answers]]
        self.assertEqual(len(answers), 50)
        self.assertLess(numpy.abs(answers.to_numpy() - expected.to_numpy()).max(), 1e-10)

    def test_lines_of_symbols_by_number_and_by_label(self):
        self.assert_done(self.evaluate(self.symbols, "--predict", data="text"))
        expected = self.read("predictions")
        data = pandas.read_parquet(self.shared / "text/test/observations.parquet")
        by_number, by_label = "", ""
        for s, rows in data.groupby("sequence"):
            for symbol in rows["symbol"]:
                by_number += "NA\n" if pandas.isna(symbol) else f"{int(symbol)}\n"
                by_label += "" if pandas.isna(symbol) else LABELS[int(symbol)] + "\n"
            by_number += "\n\n"
            by_label += "\n"
        result = self.assert_done(self.stream(self.symbols, by_number))
        answers = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual(list(answers[0]), ["sequence", "t", "log_density", "state", "probability"])
        self.assertEqual(len(answers), len(expected))
        for found, (_, row) in zip(answers, expected.iterrows()):
            self.assertEqual((int(found["sequence"]), int(found["t"])), (row["sequence"], row["t"]))
            self.assertAlmostEqual(float(found["log_density"]), row["log_density"], places=10)
            self.assertAlmostEqual(float(found["probability"]), row[f"filtered_{found['state']}"], places=10)
            self.assertAlmostEqual(float(found["probability"]), row.filter(like="filtered").max(), places=10)
        # the missing step is left out here, and "NA" and "4" are labels: a vocabulary comes first
        result = self.assert_done(self.stream(self.symbols, by_label, "--data", self.shared / "text"))
        labelled = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual(len(labelled), len(expected) - 1)
        self.assertEqual(labelled[:5], answers[:5])
        self.assertEqual(labelled[11:], answers[12:])

    def test_each_line_is_answered_before_the_next_is_read_and_a_signal_ends_the_wait(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = self.start_stage("evaluate", "--stream", "--chains", self.symbols[0], stdin=-1)
            self.assertTrue(process.stdout.readline().startswith("sequence,t,"))
            for line in ["3\n", "NA\n", "1\n"]:
                process.stdin.write(line)
                process.stdin.flush()
                self.assertEqual(process.stdout.readline().count(","), 4)
            time.sleep(0.1)
            process.send_signal(number)
            _, message = process.communicate(timeout=10)
            self.assertEqual(process.returncode, 130, message)
            self.assertEqual(message.count("\n"), 1)

    def test_bad_lines(self):
        good = ",".join(["0.5"] * 12) + "\n"
        for line, words in [
            ("0.5,1\n", ["line 4", "expected 12 values between commas, found 2"]),
            (good.replace("0.5", "x", 1), ["line 4", "y_0", 'found "x"', "NA"]),
        ]:
            result = self.stream([self.bits[0]], good + "\n" + good + line + good)
            self.assert_fails(result, 65, "standard input", *words)
            self.assertEqual(result.stdout.count("\n"), 3)  # the header, and all that came before
        result = self.stream(self.symbols, "3\n7\n")
        self.assert_fails(result, 65, "line 2", "expected a symbol from 0 to 6", 'found "7"')
        result = self.stream(self.symbols, "x\n", "--data", self.shared / "text")
        self.assert_fails(result, 65, "line 1", "label of the vocabulary")

    def test_an_impossible_line_is_told_and_the_stream_goes_on(self):
        good, missing = ",".join(["0.5"] * 12) + "\n", "NA" + 11 * ",NA" + "\n"
        impossible = good.replace("0.5", "1e300", 1)
        result = self.assert_done(self.stream(self.bits, good + impossible + good))
        self.assertEqual(result.stderr, "hmmlt-evaluate: standard input, line 2: no state of the draws can have given these "
                                        "values; taken as missing\n")
        expected = self.assert_done(self.stream(self.bits, good + missing + good)).stdout.splitlines()
        found = result.stdout.splitlines()
        self.assertEqual(found[2].split(",")[2], "-inf")
        self.assertEqual(found[2].split(",")[3:], expected[2].split(",")[3:])
        self.assertEqual(found[:2] + found[3:], expected[:2] + expected[3:])

    def test_channels_that_mean_something_else(self):
        chance = numpy.random.default_rng(2)
        frame = pandas.DataFrame({"rain": chance.normal(5, 0.001, 60), "wind": numpy.repeat([1000.0, 1001.0], 30)})
        frame["wind"] += chance.normal(0, 0.1, 60)

        def imported(name, data, *flags):
            data.to_csv(self.scratch / "in.csv", index=False)
            self.run_done("import", "--in", self.scratch / "in.csv", "--out", self.shared / name, *flags)

        imported("weather", frame, "--standardise", "--test", "0.2")
        chain = self.train("weather", self.shared / "gaussian.toml", 0)
        self.assert_done(self.evaluate([chain], "--predict", data="weather"))
        expected = self.read("predictions")
        imported("as-measured", frame, "--test", "0.2")
        self.assert_fails(self.evaluate([chain], data="as-measured"), 65, "expected y_0 less", "as it was measured",
                          "hmmlt-import --like")
        other = self.train("as-measured", self.shared / "gaussian.toml", 1)
        self.assert_fails(self.evaluate([other], data="weather"), 65, "expected y_0 as it was measured")
        imported("turned", frame[["wind", "rain"]], "--test", "0.2")
        self.assert_fails(self.evaluate([other], data="turned"), 65, "expected y_0 to be rain",
                          "as the chains were trained on, found wind")
        imported("later", frame[["wind", "rain"]].tail(12), "--like", chain)
        self.assert_done(self.evaluate([chain], "--predict", "--on", "train", data="later"))
        self.assertTrue(self.read("predictions").equals(expected))
        lines = frame.tail(12).to_csv(index=False, header=False)  # raw values: the chain knows how they were scaled
        answers = pandas.read_csv(io.StringIO(self.assert_done(self.stream([chain], lines)).stdout))
        self.assertLess((answers["log_density"] - expected["log_density"]).abs().max(), 1e-9)
        (chain / "scaling.parquet").unlink()
        self.assert_fails(self.evaluate([chain], data="weather"), 65, "expected scaling.parquet")

    def test_symbols_that_mean_something_else(self):
        turned = self.shared / "turned-text"
        shutil.copytree(self.shared / "text", turned)
        vocabulary = pandas.DataFrame({"symbol": range(7), "label": [*LABELS[:5], "f", "e"]})
        vocabulary.to_parquet(turned / "vocabulary.parquet", index=False)
        words = ["expected symbol 5 to be e, as the chains were trained on, found f"]
        self.assert_fails(self.evaluate(self.symbols, data="turned-text"), 65, *words)
        self.assert_fails(self.stream(self.symbols, "1\n", "--data", turned), 65, *words)

    def test_output_that_cannot_be_written(self):
        command = [self.bin_directory / "hmmlt-evaluate", "--stream", "--chains", self.symbols[0]]
        with open("/dev/full", "w") as full:
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, input="1\n", text=True)
        self.assert_fails(result, 74, "standard output", "No space left")
        (self.scratch / "file").write_text("mine")
        self.assert_fails(self.evaluate(self.bits, name="file"), 74, "file")
        self.assertEqual((self.scratch / "file").read_text(), "mine")

    def test_chains_that_do_not_belong_together(self):
        other = self.train("data", MODELS / "lt.toml", 2, "--set", "model.n_states=11")
        result = self.evaluate([*self.bits, other])
        self.assert_fails(result, 65, str(other), str(self.bits[0]), "model.n_states was 12, is 11")
        longer = self.train("text", self.shared / "symbols.toml", 4, "--sweeps", 50)
        self.assert_fails(self.evaluate([*self.symbols, longer], data="text"), 65, "sweeps was 40, is 50")
        moved = self.shared / "moved"
        shutil.copytree(self.shared / "text", moved)
        test = pandas.read_parquet(moved / "observations.parquet")
        test.assign(symbol=test["symbol"].fillna(1)).to_parquet(moved / "observations.parquet", index=False)
        elsewhere = self.train("moved", self.shared / "symbols.toml", 5)
        self.assert_fails(self.evaluate([*self.symbols, elsewhere], data="text"), 65, "input observations was")
        again = self.scratch / "again"
        shutil.copytree(self.bits[0], again)
        self.assert_fails(self.evaluate([*self.bits, again]), 65, "again", "are both chain 0 of seed 3")
        seed = self.train("text", self.shared / "symbols.toml", 0, seed=4)
        self.assert_done(self.evaluate([*self.symbols, seed], data="text"))  # another seed is another chain
        self.assertEqual(len(self.read("heldout_draws")), 12 * 3)

    def test_chains_of_different_instruction_sets_are_pooled_with_a_warning(self):
        self.assertEqual(self.assert_done(self.evaluate(self.bits)).stderr, "")
        expected = self.read("evaluation")
        other = self.scratch / "other"
        shutil.copytree(self.bits[1], other)
        for changes, words in [
            ({"instruction_set": "-march=native: sse4.2 avx"}, "other with -march=native: sse4.2 avx (BLAS core"),
            ({"blas": {"library": "OpenBLAS", "core": "Nehalem", "threads": 1}}, "(BLAS core Nehalem)"),
        ]:
            shutil.copy(self.bits[1] / "draws.parquet", other)
            change_provenance(other / "draws.parquet", **changes)
            result = self.assert_done(self.evaluate([self.bits[0], other], name="mixed"))
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertIn(f"warning: {self.bits[0]} was computed with ", result.stderr)
            self.assertIn(words, result.stderr)
            self.assertIn("make ISA=portable", result.stderr)
            pandas.testing.assert_frame_equal(self.read("evaluation", "mixed"), expected)  # a warning, no more
            result = self.assert_done(self.stream([self.bits[0], other], ""))
            self.assertIn("was computed with", result.stderr)

    def test_data_of_another_width_or_kind(self):
        self.assert_fails(self.evaluate(self.symbols, data="data"), 65, "expected symbols", "found 12 columns")
        self.assert_fails(self.evaluate(self.bits, data="text"), 65, "expected 12 columns", "found symbols")
        narrow = self.shared / "narrow"
        shutil.copytree(self.shared / "data", narrow, dirs_exist_ok=True)
        for path in [narrow, narrow / "test"]:
            frame = pandas.read_parquet(path / "observations.parquet").drop(columns="y_11")
            frame.to_parquet(path / "observations.parquet", index=False)
        self.assert_fails(self.evaluate([self.gaussian], data="narrow"), 65, "narrow", "expected 12 columns", "found 11")
        self.assert_fails(self.evaluate(self.bits, data="narrow"), 65, "expected 12 columns", "found 11")
        wide = self.shared / "more-symbols"
        shutil.copytree(self.shared / "text", wide, dirs_exist_ok=True)
        vocabulary = pandas.DataFrame({"symbol": range(8), "label": [*LABELS, "g"]})
        vocabulary.to_parquet(wide / "vocabulary.parquet", index=False)
        self.assert_fails(self.evaluate(self.symbols, data="more-symbols"), 65, "expected 7 symbols", "found 8")
        self.assert_fails(self.stream(self.symbols, "1\n", "--data", wide), 65, "expected 7 symbols", "found 8")
        self.assertFalse((self.scratch / "out").exists())

    def test_new_data_need_no_weights_and_may_have_gaps_but_no_impossible_values(self):
        new = self.shared / "new"
        new.mkdir(exist_ok=True)
        frame = pandas.read_parquet(self.shared / "data/test/observations.parquet")
        frame.loc[3:5, [f"y_{c}" for c in range(12)]] = None
        frame.loc[20, "y_5"] = None
        frame.to_parquet(new / "observations.parquet", index=False)
        self.assert_fails(self.evaluate(self.bits, data="new"), 65, "test/observations.parquet", "--on train")
        self.assert_done(self.evaluate(self.bits, "--on", "train", "--predict", data="new"))
        table = self.read("evaluation")
        self.assertEqual(set(table["n"]), {47})
        self.assertNotIn("f1", set(table["measure"]))
        self.assertLess(self.read("predictions")["log_density"].iloc[3:6].abs().max(), 1e-9)
        frame.assign(y_0=1e300).to_parquet(new / "observations.parquet", index=False)
        self.assert_fails(self.evaluate(self.bits, "--on", "train", data="new"), 65, "new/observations.parquet",
                          "y_0", "row 0", "expected a number from -1e+100 to 1e+100")

    def test_a_factorial_model_is_scored_but_not_filtered(self):
        self.assert_done(self.evaluate([self.factorial]))
        found = self.values(self.read("evaluation"))
        self.assertLess(found["log_predictive"], 0)
        self.assertIn("state_mean_f1", found)
        self.assertNotIn("f1", found)
        self.assert_fails(self.evaluate([self.factorial], "--predict"), 65, "--predict", "factorial")
        self.assert_fails(self.stream([self.factorial], ""), 65, "--stream", "factorial")

    def test_chains_that_cannot_be_read(self):
        early = self.train("text", self.shared / "symbols.toml", 6, "--sweeps", 5)
        self.assert_fails(self.evaluate([early], data="text"), 65, "draws.parquet", "holds no draws", "run.burn_in")
        chain = self.scratch / "chain"
        shutil.copytree(self.symbols[0], chain)
        draws = chain / "draws.parquet"
        whole = draws.read_bytes()
        draws.write_bytes(whole[:-100])
        self.assert_fails(self.evaluate([chain], data="text"), 65, "draws.parquet", "truncated")
        damaged = bytearray(whole)
        damaged[len(whole) // 3] ^= 1
        draws.write_bytes(damaged)
        self.assert_fails(self.evaluate([chain], data="text"), 65, "draws.parquet", "damaged")
        pandas.read_parquet(self.symbols[0] / "draws.parquet").to_parquet(draws, index=False)
        self.assert_fails(self.evaluate([chain], data="text"), 65, "draws.parquet", "a table that hmmlt wrote")
        draws.unlink()
        self.assert_fails(self.evaluate([chain], data="text"), 74, "draws.parquet", "No such file")
        self.assert_fails(self.evaluate([self.scratch / "none"], data="text"), 74, "none/draws.parquet")
        self.assertFalse((self.scratch / "out").exists())

    def test_usage(self):
        shown = self.run_stage("evaluate", "--help").stdout
        self.assertIn("Example:", shown)
        self.assert_fails(self.run_stage("evaluate", "--chains", self.bits[0], "--out", "x"), 64, "--data is required")
        self.assert_fails(self.run_stage("evaluate", "--chains", self.bits[0], "--data", "x"), 64, "--out is required")
        self.assert_fails(self.run_stage("evaluate", "--data", "x", "--out", "x"), 64, "--chains is required")
        self.assert_fails(self.evaluate(self.bits, "--on", "both"), 64, "--on", "test|train")
        self.assert_fails(self.evaluate(self.bits, "--stream"), 64, "--stream", "standard output")


if __name__ == "__main__":
    main(sys.argv)
