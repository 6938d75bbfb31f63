"""What `make queue` says of chains: read from what they leave in their folders.

python queue_test.py BIN_DIRECTORY
"""

import signal
import sys
import time

import pyarrow.compute
import pyarrow.parquet

from stage_case import ROOT, StageCase, main

sys.path.insert(0, str(ROOT / "pipelines/cluster"))
import show_queue  # noqa: E402


class Queue(StageCase):
    def setUp(self):
        super().setUp()
        model = ROOT / "experiments/synthetic/data/hdp_hmm.toml"
        self.assert_done(self.run_stage("generate", "--model", model, "--seed", 1, "--out", self.scratch / "data"))

    def flags(self, name, sweeps):
        return ["--data", self.scratch / "data", "--model", ROOT / "experiments/synthetic/models/hdp_hmm.toml", "--chain", 0,
                "--seed", 1, "--sweeps", sweeps, "--checkpoint-seconds", 1, "--set", "model.n_states=20",
                "--set", "run.burn_in=1", "--set", "run.draws_every=10", "--out", self.scratch / name]

    def look(self, name, sweeps, jobs={}):
        return show_queue.look(self.scratch / name, sweeps, jobs)

    def test_a_chain_waits_runs_stops_and_is_done(self):
        self.assertEqual(self.look("chain", 30).state, "waiting")
        process = self.start_stage("train", *self.flags("chain", 1000000))
        while self.look("chain", 1000000).sweep < 20:
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        chain = self.look("chain", 1000000)
        self.assertEqual(chain.state, "running")
        self.assertGreater(chain.seconds_left(), 0)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=30)[1]
        chain = self.look("chain", 1000000)
        self.assertEqual(chain.state, "stopped")
        self.assertIn(f"interrupted after sweep {chain.sweep} of", said)

        self.assert_done(self.run_stage("train", *self.flags("done", 30)))
        self.assertEqual(self.look("done", 30).state, "done")
        # speed by the journal is that of the table of times
        sweep, rate = show_queue.journal_progress(self.scratch / "done/checkpoint.journal")
        timing = pyarrow.parquet.read_table(self.scratch / "done/timing.parquet")
        self.assertEqual(sweep, 30)
        self.assertAlmostEqual(30 / rate, pyarrow.compute.sum(timing["seconds"]).as_py(), places=9)

    def test_a_journal_that_was_cut_off_counts_up_to_its_last_whole_record(self):
        self.assert_done(self.run_stage("train", *self.flags("chain", 30)))
        journal = self.scratch / "chain/checkpoint.journal"
        whole = journal.read_bytes()
        for n_bytes in [0, 5, 20, len(whole) - 1]:
            journal.write_bytes(whole[:n_bytes])
            sweep, _ = show_queue.journal_progress(journal)
            self.assertEqual(sweep, 29 if n_bytes == len(whole) - 1 else 0)

    def test_lines_are_written_for_people(self):
        chain = show_queue.Chain(self.scratch, 5000, "running", 1000, 2131.4, "job 7")
        self.assertEqual(show_queue.table([chain]), [
            f"running     1000/5000        2131/s           2 s left  {self.scratch}  (job 7)", "1 chain: 1 running"])
        self.assertEqual([show_queue.number(value) for value in [0.0, 0.0123, 2.456, 213.14, 2131.4, 123456.0]],
                         ["0", "0.0123", "2.46", "213", "2131", "123456"])
        (self.scratch / "chains.tar").touch()
        self.assertEqual(self.look("chain", 30).state, "packed")

    def test_a_job_is_queued_or_failed(self):
        folder = self.scratch / "chain"
        folder.mkdir()
        (folder / "slurm.job").write_text("a1b2c3 7\n")
        self.assertEqual(self.look("chain", 30, {"7": "PENDING"}).state, "queued")
        self.assertIn("priority", self.look("chain", 30, {"7": "PENDING (Priority)"}).note)
        self.assertEqual(self.look("chain", 30, {"7": "RUNNING"}).state, "running")
        self.assertEqual(self.look("chain", 30).state, "waiting")
        (folder / "slurm.log").write_text("hmmlt-train: x.toml: model.n_stats: unknown key\n")
        chain = self.look("chain", 30)
        self.assertEqual(chain.state, "failed")
        self.assertIn("n_stats", chain.note)

    def test_one_damaged_chain_does_not_hide_the_others(self):
        (self.scratch / "chain/checkpoint.journal").mkdir(parents=True)
        chain = show_queue.look_or_say_why_not(self.scratch / "chain", 30, {})
        self.assertEqual(chain.state, "failed")
        self.assertIn("cannot be read", chain.note)


if __name__ == "__main__":
    main(sys.argv)
