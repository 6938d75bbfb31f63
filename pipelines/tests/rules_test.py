"""The make rules as a user meets them: exactly what depends on a change runs again, and `make -n` tells the truth.

python rules_test.py BIN_DIRECTORY
"""

import os
import shutil
import signal
import subprocess
import sys
import time

from stage_case import ROOT, StageCase, main, result_bytes, without_make

CHAINS = [f"results/synthetic/tiny/set-1/{model}/single/chain-{k}" for model in ["hdp_hmm", "factorial"] for k in [0, 1]]
TARGETS = [f"{chain}/provenance.json" for chain in CHAINS]
# a variant of the experiment for this test: short sequences, few states, few sweeps
VARIANT = """
synthetic_tiny_sweeps := 20
synthetic_tiny_burn_in := 5
synthetic_tiny_record_every := 10
synthetic_tiny_draws_every := 5
synthetic_tiny_set := run.heldout_every=20
"""


class Rules(StageCase):
    def setUp(self):
        super().setUp()
        self.tree = self.scratch / "tree"
        self.tree.mkdir()
        for name in ["Makefile", "pipelines", "experiments", "tools", "reports"]:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, self.tree / name)
        (self.tree / "build/release").mkdir(parents=True)
        shutil.copytree(self.bin_directory, self.tree / "build/release/bin",
                        ignore=lambda _, names: [n for n in names if n not in ("hmmlt-train", "hmmlt-generate")])
        (self.tree / ".venv").symlink_to(ROOT / ".venv")
        (self.tree / "tools/setup.sh").write_text("#!/bin/sh\n")  # it would make another environment for this folder
        self.append("experiments/synthetic/experiment.mk", VARIANT)
        self.edit("experiments/synthetic/data/hdp_hmm.toml", "n_steps = 400", "n_steps = 30")
        self.edit("experiments/synthetic/models/hdp_hmm.toml", "n_states = 400", "n_states = 10")

    def append(self, name, text):
        with open(self.tree / name, "a") as file:
            file.write(text)

    def edit(self, name, old, new):
        path = self.tree / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def make(self, *arguments, targets=TARGETS):
        result = subprocess.run(["make", *arguments, *targets], cwd=self.tree, capture_output=True, text=True,
                                timeout=120, env=without_make())
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def planned(self):
        """The chains that `make -n` would run."""
        lines = self.make("-n").splitlines()
        return {line.split("--out ")[1].split(" ")[0] for line in lines if "--out results/" in line}

    def ran(self, output):
        return {line.split(":")[0] for line in output.splitlines() if " sweeps" in line and "already" not in line}

    def assert_runs(self, chains):
        self.assertEqual(self.planned(), set(chains))
        self.assertEqual(self.ran(self.make("-j2")), set(chains))
        self.assertEqual(self.planned(), set())

    def test_exactly_what_depends_on_a_change_runs_again(self):
        hdp_hmm, factorial = CHAINS[:2], CHAINS[2:]
        self.assert_runs(CHAINS)
        for name in ["experiments/synthetic/models/hdp_hmm.toml", "build/release/bin/hmmlt-train",
                     "datasets/synthetic/prepared/set-1/observations.parquet"]:
            os.utime(self.tree / name)  # another time, the same content
            self.assert_runs([])
        self.edit("experiments/synthetic/models/hdp_hmm.toml", "n_states = 10", "n_states = 11")
        self.assert_runs(hdp_hmm)
        self.edit("experiments/synthetic/experiment.mk", "tiny_sweeps := 20", "tiny_sweeps := 25")
        before = result_bytes(self.tree / CHAINS[0])
        self.assert_runs(CHAINS)
        self.assertNotEqual(before, result_bytes(self.tree / CHAINS[0]))
        self.append("build/release/bin/hmmlt-train", "x")  # another build
        self.assert_runs(CHAINS)
        # data that are prepared again to the same bytes change nothing; other data do
        data = "datasets/synthetic/prepared/set-1/provenance.json"
        (self.tree / data).unlink()
        self.make(targets=[data])
        self.assert_runs([])
        self.edit("experiments/synthetic/data/hdp_hmm.toml", "n_steps = 30", "n_steps = 31")
        self.make(targets=[data])
        self.assert_runs(CHAINS)

    def test_an_interrupted_make_goes_on_where_it_stopped(self):
        self.edit("experiments/synthetic/experiment.mk", "tiny_sweeps := 20", "tiny_sweeps := 20000")
        target = TARGETS[0]
        process = subprocess.Popen(["make", target], cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env=without_make(), start_new_session=True)
        while not (self.tree / CHAINS[0] / "checkpoint.journal").exists():
            time.sleep(0.02)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        self.assertIn("interrupted after sweep", output)
        self.assertIn("sweeps after the", self.make(targets=[target]))

    def test_the_queue_lists_every_chain_of_a_collection(self):
        self.append("experiments/synthetic/experiment.mk", "tiny_runs := synthetic/tiny/set-1/hdp_hmm/single\n"
                    "synthetic_tiny_chains := 0 1 2\n")
        self.make(targets=TARGETS[:1])
        self.assertIn("3 chains: 1 done, 2 waiting", self.make("queue", "NAME=tiny", targets=[]))
        result = subprocess.run(["make", "queue", "NAME=nothing"], cwd=self.tree, capture_output=True, text=True,
                                env=without_make())
        self.assertIn("NAME=nothing: expected demo", result.stderr)

    def test_a_report_of_nothing_says_what_to_run(self):
        for name, words in [("paper", "no run of paper is complete in results yet; make paper runs them"),
                            ("nothing", "NAME=nothing: expected demo")]:
            result = subprocess.run(["make", "report", f"NAME={name}"], cwd=self.tree, capture_output=True, text=True,
                                    env=without_make())
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    main(sys.argv)
