"""The experiments as they are planned: how many chains of what, and with which settings each of them really runs.

python experiments_test.py BIN_DIRECTORY
"""

import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib

import pyarrow as pa
import pyarrow.parquet as pq

from stage_case import ROOT, StageCase, checkout, main, without_make

EXPERIMENTS = ["cocktail", "synthetic", "chorales"]
FIVE = ["hdp_hmm", "sticky", "lt", "sticky_lt", "factorial"]


def gamma(shape, rate):
    return {"shape": shape, "rate": rate}


def concentrations(shape, rate):
    return {"priors.gamma": gamma(shape, rate), "priors.concentration": gamma(shape, rate)}


BETA = {"a": 1.0, "b": 1.0}
SAMPLED = {"prior": "exponential", "rate": 0.1}
# What each model is, whatever the experiment; the similarity's kind is the experiment's.
KINDS = {
    "hdp_hmm": {"model.similarity.kind": "constant", "priors.rho": 0.0},
    "sticky": {"model.similarity.kind": "constant", "priors.rho": BETA},
    "lt": {"model.similarity.lambda": SAMPLED, "priors.rho": 0.0},
    "sticky_lt": {"model.similarity.lambda": SAMPLED, "priors.rho": BETA},
    "factorial": {"model.dynamics": "factorial", "model.n_states": None},
}
# The paper's and the authors' settings, by experiment, variant and model (None: all of them); later rows win.
SETTINGS = [
    ("cocktail", None, None, {"model.emission": {"kind": "linear_gaussian", "weights": "known", "precision": gamma(0.1, 0.1)},
                              "sweeps": 5000, "run.record_every": 50, "run.sampler": "single", "chains": 5}),
    ("cocktail", "paper", None, {"model.n_states": 600, **concentrations(0.1, 0.1), "run.burn_in": 2000}),
    ("cocktail", "authors", None, {"model.n_states": 200, **concentrations(1.0, 0.1), "run.burn_in": 2500}),
    ("cocktail", "authors", "sticky_lt", concentrations(0.01, 0.01)),
    ("cocktail", "authors", "factorial", concentrations(0.1, 0.1)),
    ("synthetic", None, None, {"model.emission": {"kind": "linear_gaussian", "weights": "known", "precision": gamma(1.0, 0.1)},
                               "model.n_states": 400, **concentrations(1.0, 0.1), "run.burn_in": 100, "sweeps": 2000,
                               "run.sampler": "single", "chains": 10}),
    ("synthetic", None, "factorial", concentrations(0.1, 0.1)),
    ("chorales", None, None, {"model.n_states": 200, "priors.gamma": gamma(1.0, 0.1), "priors.concentration": gamma(0.1, 0.1),
                              "model.emission": {"kind": "categorical", "total_mass": 1.0}, "sweeps": 10000,
                              "run.record_every": 50, "run.sampler": "single", "chains": 5}),
]  # fmt: skip
for name in FIVE:
    SETTINGS += [(None, None, name, KINDS[name])]
for name in ["lt", "sticky_lt"]:
    SETTINGS += [("cocktail", None, name, {"model.similarity.kind": "laplacian"}),
                 ("synthetic", None, name, {"model.similarity.kind": "laplacian"}),
                 ("chorales", None, name, {"model.similarity.kind": "gaussian", "model.similarity.lambda": 5,
                                           "model.locations": {"kind": "euclidean", "n_dims": 2, "precision": 1.0,
                                                               "n_leapfrog": 10, "acceptance": 0.8}})]  # fmt: skip


def expected_settings(experiment, variant, model):
    out = {}
    for *where, settings in SETTINGS:
        if all(level in (None, wanted) for level, wanted in zip(where, [experiment, variant, model])):
            out |= settings
    return out


def value_at(table, path):
    for key in path.split("."):
        table = table.get(key) if isinstance(table, dict) else None
    return table


class Experiments(StageCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        checkout(cls.tree)
        cls.plans = {target: cls.plan(target) for target in ["paper", "replication", "demo", "beyond", *EXPERIMENTS]}

    @classmethod
    def plan(cls, target, *variables):
        """The commands of hmmlt-train in the order of `make -n`, as {path of the chain: arguments}."""
        text = subprocess.run(["make", "-n", target, *variables], cwd=cls.tree, capture_output=True, text=True, check=True,
                              timeout=300, env=without_make()).stdout.replace("\\\n", " ")  # fmt: skip
        commands = [shlex.split(line)[1:] for line in text.splitlines() if "hmmlt-train --data" in line]
        return {re.sub(r"^results[^/]*/", "", command[command.index("--out") + 1]): command for command in commands}

    def counts(self, target, n_levels):
        return collections.Counter("/".join(path.split("/")[:n_levels]) for path in self.plans[target])

    def test_the_paper_has_120_chains(self):
        self.assertEqual(self.counts("paper", 2), {"cocktail/paper": 25, "cocktail/authors": 25, "synthetic/paper": 50,
                                                   "chorales/authors": 20})  # fmt: skip
        together = {path: flags for name in EXPERIMENTS for path, flags in self.plans[name].items()}
        self.assertEqual(self.plans["paper"], together)
        self.assertTrue(all("/single/" in path for path in self.plans["paper"]))

    def test_the_replication_has_three_data_sets_both_samplers_and_the_grid_of_lambda(self):
        plan = self.plans["replication"]
        runs = collections.Counter(path.rsplit("/", 1)[0] for path in plan)
        wanted = {}
        for sampler in ["single", "blocked"]:
            for n in [1, 2, 3]:
                wanted |= {f"cocktail/paper/party-{n}/{m}/{sampler}": 5 for m in FIVE}
                wanted |= {f"cocktail/paper/party-{n}/{m}-start-truth/{sampler}": 2 for m in FIVE}
                wanted |= {f"synthetic/paper/set-{n}/{m}/{sampler}": 10 for m in FIVE}
                wanted |= {f"synthetic/paper/set-{n}/{m}-start-truth/{sampler}": 2 for m in FIVE}
        for n in [0, 1, 2]:
            for variant in ["paper", "authors"]:
                for model in ["hdp_hmm", "sticky", "lt", "sticky_lt", "lt-lambda-5", "sticky_lt-lambda-5"]:
                    wanted[f"chorales/{variant}/split-{n}/{model}/blocked"] = 5
        for value in ["0.01", "0.1", "1", "5", "10"]:
            wanted[f"chorales/authors/split-0/lt-lambda-{value}/blocked"] = 5
        self.assertEqual(runs, wanted)
        stated = re.search(r"^replication:.* (\d+) chains", (ROOT / "Makefile").read_text(), re.MULTILINE)
        self.assertEqual(int(stated[1]), len(plan))

    def test_length_divides_every_number_of_sweeps(self):
        full, tenth = self.plans["paper"], self.plan("paper", "LENGTH=tenth")
        self.assertEqual(full.keys(), tenth.keys())
        number = re.compile(r"^(run\.(?:burn_in|record_every|draws_every)=)?(\d+)$")
        for path, flags in full.items():
            at = flags.index("--sweeps") + 1
            for i, (one, other) in enumerate(zip(flags, tenth[path])):
                found = number.match(one)
                if i == at or (found and found[1]):
                    self.assertEqual(int(number.match(other)[2]), int(found[2]) // 10, (path, one))
                elif one.startswith("results/"):
                    self.assertEqual(other, one.replace("results/", "results-tenth/", 1))
                else:
                    self.assertEqual(one, other)

    def test_an_unknown_length_or_level_is_refused(self):
        for arguments, words in [(["paper", "LENGTH=third"], "full half tenth"),
                                 (["results/chorales/paper/split-0/lt-lamda-5/single/chain-0/provenance.json"],
                                  "chorales_level_lamda")]:  # fmt: skip
            result = subprocess.run(["make", "-n", *arguments], cwd=self.tree, capture_output=True, text=True,
                                    env=without_make())
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(words, result.stderr)

    def test_the_demo_has_all_experiments_and_models(self):
        self.assertEqual(self.counts("demo", 2).keys(), {f"{name}/demo" for name in EXPERIMENTS})
        self.assertEqual(len({path.rsplit("/", 1)[0] for path in self.plans["demo"]}), 14)

    def write_data(self):
        """A few steps of data of either shape, in place of the real ones."""
        model = ROOT / "experiments/synthetic/data/hdp_hmm.toml"
        self.assert_done(self.run_stage("generate", "--model", model, "--seed", 1, "--set", "generate.n_steps=4", "--out",
                                        self.scratch / "bits"))  # fmt: skip
        for folder in ["symbols", "symbols/test"]:
            (self.scratch / folder).mkdir()
            table = pa.table({"sequence": [0, 0, 1, 1], "t": [0, 1, 0, 1], "symbol": [0, 1, 1, 2]})
            pq.write_table(table, self.scratch / folder / "observations.parquet")

    def resolved(self, path, flags, data=None):
        """The configuration that one sweep of the chain says it ran with."""
        flags = list(flags)
        flags[flags.index("--data") + 1] = data or self.scratch / ("symbols" if path.startswith("chorales") else "bits")
        flags[flags.index("--model") + 1] = ROOT / flags[flags.index("--model") + 1]
        flags[flags.index("--sweeps") + 1] = 1
        flags[flags.index("--out") + 1] = self.scratch / path
        self.assert_done(self.run_stage("train", *flags))
        return tomllib.loads(json.loads((self.scratch / path / "provenance.json").read_text())["config"])

    def test_chains_run_with_the_settings_of_the_paper_and_of_the_authors(self):
        self.write_data()
        runs = collections.Counter(path.rsplit("/", 1)[0] for path in self.plans["paper"])
        for run, n_chains in runs.items():
            experiment, variant, _, model, _ = run.split("/")
            flags = self.plans["paper"][f"{run}/chain-0"]
            config = self.resolved(f"{run}/chain-0", flags)
            config |= {"sweeps": int(flags[flags.index("--sweeps") + 1]), "chains": n_chains}
            for key, value in expected_settings(experiment, variant, model.split("-")[0]).items():
                self.assertEqual(value_at(config, key), value, f"{run}: {key}")

    def test_levels_and_emission_variants_reach_the_model(self):
        self.write_data()
        plan = self.plans["replication"]
        for path, key, value in [
            ("chorales/paper/split-1/lt/blocked/chain-0", "model.emission", {"kind": "categorical", "concentration": 1.0}),
            ("chorales/authors/split-1/lt/blocked/chain-0", "model.emission", {"kind": "categorical", "total_mass": 1.0}),
            ("chorales/authors/split-1/lt/blocked/chain-1", "model.similarity.lambda", SAMPLED),
            ("chorales/authors/split-0/lt-lambda-0.01/blocked/chain-0", "model.similarity.lambda", 0.01),
            ("cocktail/paper/party-2/lt-start-truth/single/chain-0", "run.start", "truth"),
            ("cocktail/paper/party-2/factorial-start-truth/single/chain-0", "run.start", "truth"),
            ("cocktail/paper/party-2/lt/blocked/chain-0", "run.sampler", "blocked"),
        ]:
            self.assertEqual(value_at(self.resolved(path, plan[path]), key), value, path)
        self.assertIn("datasets/chorales/prepared/a/split-1", plan["chorales/paper/split-1/lt/blocked/chain-0"])
        self.assertIn("datasets/chorales/prepared/a", plan["chorales/paper/split-0/lt/blocked/chain-0"])

    def test_beyond_draws_data_from_its_models_and_trains_each_of_them(self):
        plan = self.plans["beyond"]
        stated = re.search(r"^beyond:.* (\d+) chains", (ROOT / "experiments/beyond/experiment.mk").read_text(), re.MULTILINE)
        self.assertEqual(int(stated[1]), len(plan))
        parts = sorted(path.name for path in (ROOT / "experiments").glob("beyond_*"))
        self.assertEqual(sorted({path.split("/")[0] for path in plan}), parts)
        for path, flags in plan.items():
            if not path.endswith("/chain-0"):
                continue
            data = flags[flags.index("--data") + 1]
            source, seed = re.fullmatch(r"datasets/(?:beyond|cocktail)/prepared/(\w+)/\w+-(\d+)", data).groups()
            small = self.scratch / data
            if not small.exists() and "cocktail" in data:
                source = "weights"  # a party takes a corpus; any bits with weights do to see that the models train
            if not small.exists():
                model = ROOT / f"experiments/beyond/data/{source}.toml"
                self.assert_done(self.run_stage("generate", "--model", model, "--seed", seed, "--set", "generate.n_steps=12",
                                                "--out", small))  # fmt: skip
            config = self.resolved(path, flags, small)
            _, _, _, model, sampler, _ = path.split("/")
            self.assertEqual(value_at(config, "run.sampler"), sampler)
            if "-dims-" in model:
                self.assertEqual(value_at(config, "model.locations.n_dims"), int(model.rpartition("-")[2]))

    def test_the_report_is_told_what_make_does(self):
        for target in ["demo", "paper", "replication", "beyond"]:
            for path, flags in self.plans[target].items():
                experiment, variant, _, model, *_ = path.split("/")
                about = tomllib.loads((ROOT / f"experiments/{experiment}/experiment.toml").read_text())
                burn_in = {v["name"]: v["burn_in"] for v in about["variants"]}[variant]
                self.assertIn(f"run.burn_in={burn_in}", flags, path)
                name, *levels = model.split("-")
                self.assertIn(name, [m["name"] for m in about["models"]])
                self.assertLessEqual(set(levels[::2]), {level["name"] for level in about.get("levels", [])}, path)


if __name__ == "__main__":
    main(sys.argv)
