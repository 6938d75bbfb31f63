"""hmmlt-generate as a user meets it: bytes, tables, messages, exit codes.

python generate_test.py BIN_DIRECTORY
"""

import fcntl
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pyarrow.parquet as pq

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "experiments/synthetic/data/hdp_hmm.toml"


def run(*arguments, **options):
    command = [BIN / "hmmlt-generate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def parquet_bytes(folder):
    return {p.relative_to(folder): p.read_bytes() for p in sorted(folder.rglob("*.parquet"))}


class Generate(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def generate(self, name="set", seed=1, *more, **options):
        return run("--model", MODEL, "--seed", seed, "--out", self.scratch / name, *more, **options)

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, "one sentence: " + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_writes_the_data_directory(self):
        self.assertEqual(self.generate().returncode, 0)
        names = {str(n) for n in parquet_bytes(self.scratch / "set")}
        tables = {"observations.parquet", "truth.parquet", "weights.parquet"}
        self.assertEqual(names, tables | {f"test/{t}" for t in tables})
        y = pq.read_table(self.scratch / "set/observations.parquet")
        self.assertEqual((y.num_rows, y.column_names), (400, ["sequence", "t", *(f"y_{c}" for c in range(12))]))
        self.assertEqual(pq.read_table(self.scratch / "set/weights.parquet").num_rows, 17)
        provenance = json.loads((self.scratch / "set/provenance.json").read_text())
        self.assertEqual(provenance["seed"], "1")

    def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not(self):
        for name, seed in (("a", 5), ("b", 5), ("c", 6)):
            self.assertEqual(self.generate(name, seed).returncode, 0)
        a, b, c = (parquet_bytes(self.scratch / name) for name in "abc")
        self.assertEqual(a, b)
        self.assertNotEqual(a[pathlib.Path("observations.parquet")], c[pathlib.Path("observations.parquet")])

    def test_train_and_test_differ_but_share_the_weights(self):
        self.generate()
        read = lambda name: pq.read_table(self.scratch / "set" / name)
        self.assertTrue(read("weights.parquet").equals(read("test/weights.parquet")))
        self.assertFalse(read("observations.parquet").equals(read("test/observations.parquet")))

    def test_blas_runs_on_one_thread_and_a_core_of_the_users_choice_is_kept(self):
        self.generate("own", env={**os.environ, "OPENBLAS_CORETYPE": "Sandybridge"})
        blas = json.loads((self.scratch / "own/provenance.json").read_text())["blas"]
        self.assertEqual((blas["core"], blas["threads"]), ("Sandybridge", 1))

    def test_override(self):
        self.assertEqual(self.generate("set", 1, "--set", "generate.n_steps=7").returncode, 0)
        self.assertEqual(pq.read_table(self.scratch / "set/observations.parquet").num_rows, 7)

    def test_help_and_version(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example:", result.stdout)
        self.assertTrue(run("--version").stdout.startswith("hmmlt "))

    def test_usage_errors(self):
        self.assert_fails(run("--seed", 1, "--out", self.scratch / "x"), 64, "--model")
        self.assert_fails(run("--model", MODEL, "--seed", "-1", "--out", self.scratch / "x"), 64, "--seed", "-1")
        self.assert_fails(self.generate("x", 1, "--no-such-flag"), 64, "--no-such-flag")
        self.assert_fails(self.generate("x", 1, "--set", "generate.n_steps=many"), 64, "n_steps", "many")
        self.assertFalse((self.scratch / "x").exists())

    def test_model_errors(self):
        self.assert_fails(
            run("--model", self.scratch / "no.toml", "--seed", 1, "--out", self.scratch / "x"), 74, "no.toml"
        )
        bad = self.scratch / "bad.toml"
        for broken, words in (
            (MODEL.read_text().replace("n_states = 100", "n_states = 0"), ("bad.toml:3", "model.n_states", "0")),
            (MODEL.read_text().replace("n_states", "n_statse"), ("model.n_statse", "n_states")),
            (MODEL.read_text() + "\nn_stepz = 3\n", ("n_stepz", "n_steps")),
            (MODEL.read_text().replace('"constant"', '"circular"'), ("similarity.kind", "circular", "constant")),
            ("[model\n", ("bad.toml:1",)),
        ):
            bad.write_text(broken)
            self.assert_fails(run("--model", bad, "--seed", 1, "--out", self.scratch / "x"), 65, *words)
        self.assertFalse((self.scratch / "x").exists())

    def test_a_disk_that_fills_up_leaves_no_half_written_file(self):
        def small_files_only():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        result = self.generate(preexec_fn=small_files_only)
        self.assert_fails(result, 74, "observations.parquet")
        self.assertEqual([p for p in (self.scratch / "set").rglob("*") if p.is_file()], [])

    def test_a_signal_stops_it_cleanly(self):
        command = [BIN / "hmmlt-generate", "--model", MODEL, "--seed", "1", "--out", self.scratch / "set"]
        process = subprocess.Popen(
            [*map(str, command), "--set", "generate.n_steps=1000000"], stderr=subprocess.PIPE, text=True
        )
        while process.poll() is None and not (self.scratch / "set").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        self.assertEqual([p for p in self.scratch.rglob("*.partial")], [])

    def test_two_processes_on_one_directory(self):
        (self.scratch / "set").mkdir()
        lock = os.open(self.scratch / "set", os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.assert_fails(self.generate(), 74, "another process is writing it")
        os.close(lock)
        self.assertEqual(self.generate().returncode, 0)

    def test_a_set_that_was_cut_short_does_not_claim_to_be_complete(self):
        self.assertEqual(self.generate("set", 1).returncode, 0)
        command = [BIN / "hmmlt-generate", "--model", MODEL, "--seed", "2", "--out", self.scratch / "set"]
        process = subprocess.Popen([*map(str, command), "--set", "generate.n_steps=300000"])
        while not (self.scratch / "set/.observations.parquet.partial").exists() and process.poll() is None:
            time.sleep(0.001)
        process.kill()
        process.wait()
        self.assertFalse((self.scratch / "set/provenance.json").exists())
        self.assertEqual(self.generate("set", 1).returncode, 0)
        self.assertTrue((self.scratch / "set/provenance.json").exists())

    def test_tables_of_other_data_are_not_mixed_in(self):
        self.assertEqual(self.generate("set", 1).returncode, 0)
        before = (self.scratch / "set/provenance.json").read_bytes()
        (self.scratch / "set/channels.parquet").write_bytes(b"names of other channels")
        self.assert_fails(self.generate("set", 1), 74, "set: it holds channels.parquet", "none of the tables to write")
        self.assertEqual((self.scratch / "set/provenance.json").read_bytes(), before)

    def test_an_output_that_is_a_file(self):
        (self.scratch / "file").write_text("mine")
        self.assert_fails(self.generate("file"), 74, "file")
        self.assertEqual((self.scratch / "file").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
