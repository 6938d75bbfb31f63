"""A committed report against chains trained now: the same numbers, others, or another instruction set."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "reports"), str(ROOT / "pipelines/tests")]

import numpy as np
from traces import provenance, write_chain

from hmmlt_report import tables
from hmmlt_report.chains import read_run
from hmmlt_report.experiment import read_experiment


class CheckReport(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.results, self.report = pathlib.Path(scratch.name, "results"), pathlib.Path(scratch.name, "report")
        self.run_directory = self.results / "synthetic/paper/set-1/lt/single"
        self.f1 = 0.5 + 0.01 * np.random.default_rng(4).normal(size=(2, 60))
        self.train([0, 1])
        self.report.mkdir()
        run = read_run(self.run_directory, self.results)
        chains = tables.by_chain(read_experiment(ROOT / "experiments/synthetic"), [run])
        tables.write_parquet(chains, self.report, "chains")
        tables.write_csv(tables.origins([run]), self.report, "provenance")

    def train(self, chains, **changes):
        about = provenance("run.burn_in = 20\n") | changes
        for k in chains:
            where = write_chain(self.run_directory / f"chain-{k}", k, {"f1": self.f1[k]}, provenance=about)
            (where / "provenance.json").write_text(json.dumps(about))

    def check(self, chain=0):
        command = [sys.executable, ROOT / "reports/check_report.py", "--report", self.report, "--results", self.results]
        return subprocess.run([*command, "--chain", str(chain), "--runs", self.run_directory], capture_output=True, text=True, timeout=60)

    def test_the_same_chain(self):
        for file in (self.run_directory / "chain-1").iterdir():
            file.unlink()
        (self.run_directory / "chain-1").rmdir()  # one chain is enough
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 of 1 numbers of 1 chains are the same", result.stdout)

    def test_another_number_is_named(self):
        self.f1[1, 40] += 1e-6
        self.train([1])
        self.assertEqual(self.check().returncode, 0)
        result = self.check(chain=1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("synthetic/paper/set-1/lt/single/chain-1: f1 was 0.", result.stdout)
        self.assertIn("0 of 1 numbers of 1 chains are the same", result.stdout)

    def test_another_instruction_set_or_no_common_chain(self):
        self.train([0, 1], instruction_set="another")
        result = self.check()
        self.assertEqual(result.returncode, 65)
        self.assertIn("nothing can be compared", result.stderr)
        self.run_directory = self.results / "synthetic/paper/set-2/lt/single"
        self.train([0])
        self.assertIn("has chain 0 of none of these runs", self.check().stderr)

    def test_a_table_that_is_not_there_or_no_table(self):
        (self.report / "provenance.csv").write_text('a,b\n1,"2')
        result = self.check()
        self.assertEqual(result.returncode, 65)
        self.assertIn("provenance.csv: cannot be read as CSV", result.stderr)
        (self.report / "provenance.csv").unlink()
        result = self.check()
        self.assertEqual(result.returncode, 74)
        self.assertIn("provenance.csv: expected a table there, found none", result.stderr)


if __name__ == "__main__":
    unittest.main()
