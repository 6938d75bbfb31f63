"""The same make on a real Slurm of one node: jobs are cancelled and requeued, the node dies, and the bytes are those of
a local run.

python slurm_test.py BIN_DIRECTORY                     below two minutes; skipped without root or Slurm
HMMLT_SLURM=long python slurm_test.py BIN_DIRECTORY    all of `make demo`, jobs that run out of time, and more
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pyarrow.compute
import pyarrow.parquet

import one_node_slurm
from stage_case import ROOT, StageCase, main, result_bytes, without_make

EXIT_SKIPPED = 77  # ctest counts it as neither passed nor failed
LONG = os.environ.get("HMMLT_SLURM") == "long"
only_long = unittest.skipUnless(LONG, "make test-slurm has it")
MODELS = ["hdp_hmm", "lt"]
RUNS = [f"synthetic/tiny/set-1/{model}/blocked" for model in MODELS]
CHAINS = [f"{run}/chain-{k}" for run in RUNS for k in [0, 1]]
GOALS = ["run", "NAME=demo"] if LONG else [
    f"results/{run}/{table}" for run in RUNS for table in ["diagnostics/diagnostics.parquet", "evaluation/evaluation.parquet"]]
# a variant of the experiment for this test, whose sweeps take few milliseconds each; it is all that the demo runs
VARIANT = """
chorales_demo_runs :=
cocktail_demo_runs :=
synthetic_demo_runs := {runs}
synthetic_tiny_sweeps := {sweeps}
synthetic_tiny_burn_in := 5
synthetic_tiny_chains := 0 1
synthetic_tiny_record_every := 50
synthetic_tiny_draws_every := 100
synthetic_tiny_set := run.heldout_every=200 model.n_states=30
synthetic_tiny_lt_train_job := {job}
"""


def make_tree(tree, bin_directory, sweeps, job=""):
    """A copy of the workspace with the variant in it, and the programs it needs."""
    tree.mkdir()
    for name in ["Makefile", "pipelines", "experiments", "tools", "reports"]:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tree / name)
    (tree / "build/release/bin").mkdir(parents=True)
    for stage in ["train", "generate", "diagnose", "evaluate"]:
        shutil.copy2(bin_directory / f"hmmlt-{stage}", tree / "build/release/bin")
    (tree / ".venv").symlink_to(ROOT / ".venv")
    with open(tree / "experiments/synthetic/experiment.mk", "a") as file:
        file.write(VARIANT.format(runs=" ".join(RUNS), sweeps=sweeps, job=job))
    (tree / "tools/setup.sh").write_text("#!/bin/sh\n")  # the environment is that of the workspace
    data = tree / "experiments/synthetic/data/hdp_hmm.toml"
    data.write_text(data.read_text().replace("n_steps = 400", "n_steps = 200"))


class Slurm(StageCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="hmmlt-slurm-", dir="/tmp")  # the path of a socket must be short
        cls.addClassCleanup(folder.cleanup)
        cls.sweeps_per_second = cls.speed(pathlib.Path(folder.name) / "speed")
        cls.slurm = cls.enterClassContext(one_node_slurm.OneNodeSlurm(pathlib.Path(folder.name)))

    @classmethod
    def speed(cls, tree):
        """Sweeps per second of the faster model, on this machine as busy as it is now."""
        make_tree(tree, cls.bin_directory, sweeps=1000)
        chain = f"results/{CHAINS[0]}"
        subprocess.run(["make", f"{chain}/provenance.json"], cwd=tree, env=without_make(), stdout=subprocess.DEVNULL, check=True)
        timing = pyarrow.parquet.read_table(tree / chain / "timing.parquet")
        return pyarrow.compute.max(timing["sweep"]).as_py() / pyarrow.compute.sum(timing["seconds"]).as_py()

    def sweeps_of(self, seconds):
        """So many that a chain is not over before something can be done to it."""
        return round(seconds * self.sweeps_per_second)

    def tree(self, name, bin_directory=None, **options):
        tree = self.scratch / name
        make_tree(tree, bin_directory or self.bin_directory, **options)
        return tree

    def start_make(self, tree, *arguments, **environment):
        environment = {**without_make(self.slurm.environment), "HMMLT_SLURM_PAUSE": "1", **environment}
        process = subprocess.Popen(["make", "-j4", *arguments], cwd=tree, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.addCleanup(lambda: process.poll() is None and (process.terminate(), process.communicate()))
        return process

    def finish(self, process):
        output, _ = process.communicate(timeout=900)  # a machine may have much else to do
        return process.returncode, output

    def wait_for(self, condition, what, seconds=300):
        end = time.monotonic() + seconds
        while not (found := condition()):
            self.assertLess(time.monotonic(), end, f"waited for {what}; squeue:\n{self.slurm.run('squeue', '-l').stdout}")
            time.sleep(0.1)
        return found

    def running(self, name=""):
        """The jobs that run, as {name: number}, of those whose name holds `name`."""
        lines = self.slurm.run("squeue", "--noheader", "--states=RUNNING", "--format=%j %i").stdout.splitlines()
        return {job: number for job, number in map(str.split, lines) if name in job}

    def busy(self, tree, but=()):
        """A running chain that has something to lose, and its job; None if there is none."""
        found = [(chain, job) for chain, job in self.running("chain-").items()
                 if chain not in but and (tree / "results" / chain / "checkpoint.journal").exists()]
        return found[0] if found else None

    def assert_same_results(self, ours, local):
        for chain in CHAINS:
            expected = result_bytes(local / "results" / chain)
            self.assertIn("trace.parquet", expected)
            self.assertEqual(result_bytes(ours / "results" / chain), expected, chain)
        for run in RUNS:
            folder = f"results/{run}/evaluation"
            self.assertEqual(result_bytes(ours / folder), result_bytes(local / folder), run)
            tables = [pyarrow.parquet.read_table(tree / f"results/{run}/diagnostics/diagnostics.parquet")
                      for tree in [ours, local]]
            timed = [name for name in tables[0].column_names if "second" in name]
            self.assertEqual(*(table.drop_columns(timed) for table in tables))

    def run_both(self, disturb, sweeps, job=""):
        local = self.tree("local", sweeps=sweeps)
        code, output = self.finish(self.start_make(local, *GOALS))
        self.assertEqual(code, 0, output)
        ours = self.tree("slurm", local / "build/release/bin", sweeps=sweeps, job=job)
        process = self.start_make(ours, "EXECUTOR=slurm", *GOALS)
        disturb(ours)
        code, output = self.finish(process)
        self.assertEqual(code, 0, output + self.slurm.logs())
        self.assert_same_results(ours, local)
        self.assertEqual((ours / "reports/demo/index.html").exists(), LONG)
        return ours, output

    def test_cancelled_requeued_and_with_a_node_that_dies_it_gives_the_same_bytes(self):
        stopped = []

        def disturb(tree):
            chain, job = self.wait_for(lambda: self.busy(tree), "a chain to cancel")
            self.slurm.run("scancel", job)
            stopped.append(chain)
            chain, job = self.wait_for(lambda: self.busy(tree, stopped), "a chain to requeue")
            self.slurm.run("scontrol", "requeue", job)
            stopped.append(chain)
            self.wait_for(lambda: self.busy(tree, stopped), "a chain to lose")
            self.slurm.kill_node()
            self.wait_for(lambda: "DOWN" in self.slurm.node_state(), "the loss of the node")
            self.slurm.start_node()

        tree, output = self.run_both(disturb, self.sweeps_of(seconds=2))
        self.assertIn("ended as CANCELLED", output)
        self.assertIn("sweeps after the", output)  # what was cancelled or requeued went on, it did not begin anew
        for chain in stopped:
            self.assertIn("interrupted after sweep", (tree / "results" / chain / "slurm.log").read_text())
        self.assertFalse(list(tree.glob("results/**/slurm.job")), "no job is left")

    @only_long
    def test_a_chain_longer_than_its_time_limit_comes_to_its_end(self):
        # A minute is the least that Slurm knows; the controller looks every half minute and warns a minute ahead, so that
        # the job is told at the first look. A chain of forty seconds takes two jobs or three.
        chain = CHAINS[2]
        target = f"results/{chain}/provenance.json"
        sweeps = self.sweeps_of(seconds=40)
        ours = self.tree("slurm", sweeps=sweeps, job="memory=500M time=1")
        code, output = self.finish(self.start_make(ours, "EXECUTOR=slurm", target))
        self.assertEqual(code, 0, output + self.slurm.logs())
        self.assertIn("ended as FAILED with exit code 130; submitted again", output)
        local = self.tree("local", sweeps=sweeps)
        code, output = self.finish(self.start_make(local, target))
        self.assertEqual(code, 0, output)
        self.assertEqual(result_bytes(ours / "results" / chain), result_bytes(local / "results" / chain))

    def test_an_error_of_the_stage_is_an_error_of_make_at_once(self):
        tree = self.tree("tree", sweeps=10)
        model = tree / "experiments/synthetic/models/hdp_hmm.toml"
        model.write_text(model.read_text().replace("[model]", "[model]\nn_stats = 3"))
        code, output = self.finish(self.start_make(tree, "EXECUTOR=slurm", f"results/{CHAINS[0]}/provenance.json"))
        self.assertEqual(code, 2, output)
        self.assertIn("failed with exit code 65", output)
        self.assertIn("n_stats", output)
        self.assertNotIn("submitted again", output)

    def test_what_slurm_refuses_is_said_in_its_words(self):
        tree = self.tree("tree", sweeps=10)
        code, output = self.finish(self.start_make(tree, "EXECUTOR=slurm", f"results/{CHAINS[0]}/provenance.json",
                                                   SBATCH_PARTITION="nowhere"))
        self.assertEqual(code, 2, output)
        self.assertIn("invalid partition", output)

    def test_an_interrupted_make_cancels_its_jobs_and_goes_on_later(self):
        tree = self.tree("tree", sweeps=self.sweeps_of(seconds=5))
        chain = CHAINS[0]
        target = f"results/{chain}/provenance.json"
        process = self.start_make(tree, "EXECUTOR=slurm", target)
        self.wait_for(lambda: self.busy(tree), chain)
        os.killpg(process.pid, signal.SIGINT)
        code, output = self.finish(process)
        self.assertNotEqual(code, 0)
        self.assertIn("interrupted, job", output)
        self.assertEqual(self.running(), {})
        code, output = self.finish(self.start_make(tree, "EXECUTOR=slurm", target))
        self.assertEqual(code, 0, output)
        self.assertIn("sweeps after the", output)

    @only_long
    def test_a_job_that_a_killed_make_left_behind_is_cancelled_first(self):
        tree = self.tree("tree", sweeps=self.sweeps_of(seconds=5))
        target = f"results/{CHAINS[0]}/provenance.json"
        process = self.start_make(tree, "EXECUTOR=slurm", target)
        self.wait_for(lambda: self.busy(tree), "the chain")
        os.killpg(process.pid, signal.SIGKILL)
        self.finish(process)
        code, output = self.finish(self.start_make(tree, "EXECUTOR=slurm", target))
        self.assertEqual(code, 0, output)
        self.assertIn("of an earlier make was cancelled first", output)
        self.assertIn("sweeps after the", output)

    @only_long
    def test_if_make_alone_is_killed_its_jobs_end(self):
        tree = self.tree("tree", sweeps=self.sweeps_of(seconds=20))
        process = self.start_make(tree, "EXECUTOR=slurm", f"results/{CHAINS[0]}/provenance.json")
        self.wait_for(lambda: self.busy(tree), "the chain")
        os.kill(process.pid, signal.SIGKILL)
        self.wait_for(lambda: self.running() == {} and not list(tree.glob("results/**/slurm.job")), "the end of its job")
        self.assertIn("interrupted, job", self.finish(process)[1])
        self.assertFalse((tree / f"results/{CHAINS[0]}/provenance.json").exists())

    @only_long
    def test_inside_an_allocation_a_stage_is_still_a_job_of_its_own(self):
        tree = self.tree("tree", sweeps=10)
        said = subprocess.run(["salloc", "--quiet", "--mem=100M", "make", "EXECUTOR=slurm", f"results/{CHAINS[0]}/provenance.json"],
                              cwd=tree, env=without_make(self.slurm.environment),
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertIn("10 sweeps", said.stdout)
        self.assertTrue((tree / "results" / CHAINS[0] / "slurm.log").exists())


if __name__ == "__main__":
    if reason := one_node_slurm.missing():
        print(f"skipped: {reason}")
        sys.exit(EXIT_SKIPPED)
    main(sys.argv)
