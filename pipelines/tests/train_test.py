"""hmmlt-train as a user meets it: tables, resumption, refusals, faults.

python train_test.py BIN_DIRECTORY
"""

import json
import os
import random
import resource
import shutil
import signal
import sys
import time

import pandas
import pyarrow.parquet as pq

from stage_case import ROOT, StageCase, main, result_bytes

GENERATOR = ROOT / "experiments/synthetic/data/hdp_hmm.toml"
MODELS = ROOT / "experiments/synthetic/models"
SMALL = ["--set", "model.n_states=12", "--set", "run.burn_in=10", "--set", "run.record_every=10",
         "--set", "run.draws_every=10"]
N_KILLS = int(os.environ.get("HMMLT_KILLS", "4"))  # `make torture` asks for more


class Train(StageCase):
    def setUp(self):
        super().setUp()
        self.data = self.scratch / "data"
        self.assert_done(self.run_stage(
            "generate", "--model", GENERATOR, "--seed", 1, "--out", self.data, "--set", "generate.n_steps=60"))

    def flags(self, name, sweeps, model="lt", more=SMALL, chain=0):
        return ["--data", self.data, "--model", MODELS / f"{model}.toml", "--chain", chain, "--seed", 3,
                "--sweeps", sweeps, "--out", self.scratch / name, *more]

    def train(self, name="chain", sweeps=40, model="lt", more=SMALL, chain=0, **options):
        return self.run_stage("train", *self.flags(name, sweeps, model, more, chain), **options)

    def test_writes_the_tables_of_a_chain(self):
        self.assert_done(self.train())
        chain = self.scratch / "chain"
        trace = pandas.read_parquet(chain / "trace.parquet")
        self.assertEqual(list(trace["sweep"]), list(range(1, 41)))
        for name in ["log_joint", "log_likelihood", "states_used", "gamma", "alpha", "lambda", "h_11", "f1", "accuracy"]:
            self.assertIn(name, trace)
        self.assertNotIn("rho", trace)
        self.assertEqual(list(trace[trace["f1"].notna()]["sweep"]), [10, 20, 30, 40])
        self.assertTrue(trace["log_joint"].notna().all())
        heldout = pandas.read_parquet(chain / "heldout.parquet")
        self.assertEqual(list(heldout["sweep"]), [10, 20, 30, 40])
        self.assertTrue((heldout["n"] == 60).all())
        draws = pandas.read_parquet(chain / "draws.parquet")
        self.assertEqual(sorted(draws["sweep"].unique()), [20, 30, 40])
        rows = draws[(draws["sweep"] == 40) & (draws["variable"] == "transition")].groupby("i")["value"].sum()
        self.assertTrue(((rows - 1).abs() < 1e-5).all())
        mean = pandas.read_parquet(chain / "state_mean.parquet")
        self.assertEqual(mean.shape, (60, 2 + 16))
        self.assertTrue(mean["p_3"].between(0, 1).all())
        timing = pandas.read_parquet(chain / "timing.parquet")
        self.assertEqual(len(timing), 40 * 17)
        provenance = json.loads((chain / "provenance.json").read_text())
        self.assertEqual(provenance["arguments"], {"chain": "0", "sweeps": "40"})
        self.assertIn("test/observations", provenance["inputs"])

    def test_an_estimate_says_time_and_memory_and_writes_nothing(self):
        for model in ["lt", "factorial"]:
            more = SMALL if model == "lt" else []
            result = self.assert_done(self.train("none", 5000, model, more=[*more, "--estimate"]))
            self.assertRegex(result.stdout, r"^5000 sweeps: about .* on this machine as busy as it is now, \d+ MiB\n")
            self.assertRegex(result.stdout, r"cores=1 memory=\d+M time=\d+\n$")
        self.assertFalse((self.scratch / "none").exists())

    def test_the_same_bytes_again_and_other_bytes_for_another_chain(self):
        self.assert_done(self.train("a"))
        self.assert_done(self.train("b"))
        self.assert_done(self.train("c", chain=1))
        a, b, c = (result_bytes(self.scratch / name) for name in "abc")
        self.assertEqual(a, b)
        self.assertEqual(len(a), 4)
        self.assertNotEqual(a["trace.parquet"], c["trace.parquet"])

    def test_every_model_of_the_experiment_runs_and_extends(self):
        for model in ["hdp_hmm", "sticky", "lt", "sticky_lt", "factorial"]:
            small = SMALL[2:] if model == "factorial" else SMALL
            short = [*small, "--set", "run.heldout_every=20"]
            self.assert_done(self.train(f"{model}-once", 40, model, short))
            self.assert_done(self.train(f"{model}-twice", 15, model, short))
            result = self.assert_done(self.train(f"{model}-twice", 40, model, short))
            self.assertIn("25 sweeps after the 15 it had", result.stdout)
            self.assertEqual(result_bytes(self.scratch / f"{model}-once"), result_bytes(self.scratch / f"{model}-twice"))

    def test_in_a_beam_a_chain_extends_and_the_likelihood_is_known_where_it_is_recorded(self):
        for sampler in ["single", "blocked"]:
            more = [*SMALL, "--set", "model.dynamics=beam", "--set", f"run.sampler={sampler}"]
            self.assert_done(self.train(f"{sampler}-once", 40, more=more))
            self.assert_done(self.train(f"{sampler}-twice", 15, more=more))
            self.assert_done(self.train(f"{sampler}-twice", 40, more=more))
            self.assertEqual(result_bytes(self.scratch / f"{sampler}-once"), result_bytes(self.scratch / f"{sampler}-twice"))
            trace = pandas.read_parquet(self.scratch / f"{sampler}-once/trace.parquet")
            self.assertEqual(list(trace[trace["log_likelihood"].notna()]["sweep"]), [10, 20, 30, 40])
            self.assertTrue(trace["log_joint"].notna().all())
        prior = [*more, "--set", "run.start=prior"]
        self.assert_done(self.train("prior", 20, more=prior))
        scores = self.assert_done(self.run_stage(
            "evaluate", "--data", self.data, "--chains", self.scratch / "single-once", "--predict", "--out",
            self.scratch / "scores"))
        self.assertIn("log likelihood per step", scores.stdout)

    def test_numbers_are_written_as_people_write_them(self):
        tiny = [*SMALL, "--set", "model.n_states=2", "--set", "run.heldout_every=5000"]
        self.assertRegex(self.assert_done(self.train("one", 1, more=tiny)).stdout, r"one: 1 sweep in 1 s, \d\S* sweeps/s\n$")
        result = self.assert_done(self.train("one", 1, more=tiny))
        self.assertIn("one: has its 1 sweep already", result.stdout)
        fast = self.assert_done(self.train("many", 3000, more=tiny)).stdout
        self.assertRegex(fast, r"many: 3000 sweeps in (\d+ min )?\d+ s, \d+(\.\d+)? sweeps/s\n$")  # 2130, not 2.13e+03

    def test_a_semi_markov_chain_from_data_to_scores(self):
        for durations in ['{ kind = "poisson", omega = { shape = 4.0, rate = 1.0 } }',
                          '{ kind = "negative_binomial", p = { a = 2.0, b = 4.0 }, r = [1, 4] }']:
            name = durations[10:13]
            model = self.scratch / f"{name}.toml"
            model.write_text(f"""[model]
dynamics = "semi_markov"
durations = {durations}
n_states = 6
emission = {{ kind = "gaussian", n_channels = 2 }}
[priors]
gamma = 4.0
concentration = {{ shape = 4.0, rate = 1.0 }}
[generate]
n_steps = 60
n_sequences = 2
""")
            data = self.scratch / f"{name}-data"
            self.assert_done(self.run_stage("generate", "--model", model, "--seed", 2, "--out", data))
            truth = pandas.read_parquet(data / "truth.parquet")
            self.assertEqual(len(truth), 120)
            flags = ["--data", data, "--model", model, "--chain", 0, "--seed", 1, *SMALL[2:]]
            self.assert_done(self.run_stage("train", *flags, "--sweeps", 40, "--out", self.scratch / f"{name}-once"))
            self.assert_done(self.run_stage("train", *flags, "--sweeps", 15, "--out", self.scratch / f"{name}-twice"))
            self.assert_done(self.run_stage("train", *flags, "--sweeps", 40, "--out", self.scratch / f"{name}-twice"))
            self.assertEqual(result_bytes(self.scratch / f"{name}-once"), result_bytes(self.scratch / f"{name}-twice"))
            trace = pandas.read_parquet(self.scratch / f"{name}-once/trace.parquet")
            self.assertTrue(trace["log_likelihood"].notna().all())
            scores = ["--data", data, "--chains", self.scratch / f"{name}-once", "--out", self.scratch / f"{name}-scores"]
            self.assert_done(self.run_stage("evaluate", *scores))
            heldout = pandas.read_parquet(self.scratch / f"{name}-once/heldout.parquet")
            drawn = pandas.read_parquet(self.scratch / f"{name}-scores/heldout_draws.parquet")
            both = heldout.merge(drawn, on=["chain", "sweep", "sequence"])
            self.assertEqual(len(both), 2 * 3)
            self.assertLess(((both["log_likelihood_x"] - both["log_likelihood_y"]) / both["log_likelihood_x"]).abs().max(), 1e-5)
            self.assert_done(self.run_stage("evaluate", *scores, "--predict"))
            self.assert_fails(self.run_stage("train", *flags, "--sweeps", 5, "--out", self.scratch / "none", "--set",
                                             "run.sampler=single"), 64, "run.sampler", "blocked")
            self.assert_fails(self.run_stage("train", *flags, "--sweeps", 5, "--out", self.scratch / "none", "--set",
                                             "priors.rho=0.5"), 64, "priors.rho")

    def test_a_finished_chain_is_left_alone(self):
        self.assert_done(self.train())
        before = (self.scratch / "chain/provenance.json").stat().st_mtime_ns
        self.assertIn("already", self.assert_done(self.train()).stdout)
        self.assertEqual((self.scratch / "chain/provenance.json").stat().st_mtime_ns, before)
        # cut short while the tables were being written: they are made again from the journal
        expected = result_bytes(self.scratch / "chain")
        (self.scratch / "chain/provenance.json").unlink()
        (self.scratch / "chain/draws.parquet").unlink()
        self.assert_done(self.train())
        self.assertEqual(result_bytes(self.scratch / "chain"), expected)

    def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(self):
        sweeps = 400
        more = [*SMALL, "--checkpoint-seconds", 0]
        self.assert_done(self.train("whole", sweeps))
        expected = result_bytes(self.scratch / "whole")
        chance = random.Random(7)
        started = time.monotonic()
        self.assert_done(self.train("timed", sweeps, more=more))
        usual = time.monotonic() - started
        identical = 0
        for kill in range(N_KILLS):
            name = f"killed-{kill}"
            for attempt in range(50):
                process = self.start_stage("train", *self.flags(name, sweeps, more=more))
                try:
                    process.wait(chance.uniform(0.0, usual))
                except BaseException:
                    process.kill()
                process.communicate()
                if process.returncode == 0:
                    break
                self.assertEqual(process.returncode, -signal.SIGKILL)
                if (self.scratch / name / "provenance.json").exists():  # killed after its last write: it must be whole
                    break
            else:
                self.assert_done(self.train(name, sweeps, more=more))
            identical += result_bytes(self.scratch / name) == expected
            shutil.rmtree(self.scratch / name)
        print(f"killed at random moments: {identical}/{N_KILLS} identical", file=sys.stderr)
        self.assertEqual(identical, N_KILLS)

    def test_an_interrupt_saves_the_sweep_and_says_so(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            name = f"stopped-{number}"
            process = self.start_stage("train", *self.flags(name, 1000000))
            while not list((self.scratch / name).glob("checkpoint.journal")):
                time.sleep(0.02)
            time.sleep(0.3)
            process.send_signal(number)
            _, message = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130, message)
            self.assertIn("interrupted after sweep", message)
            self.assertFalse((self.scratch / name / "trace.parquet").exists())
            done = int(message.split("sweep ")[1].split(" ")[0])
            self.assert_done(self.train(name, done + 5))
            self.assert_done(self.train(name + "-whole", done + 5))
            self.assertEqual(result_bytes(self.scratch / name), result_bytes(self.scratch / (name + "-whole")))

    def test_another_configuration_or_data_is_refused_with_the_difference(self):
        self.assert_done(self.train())
        other = [*SMALL, "--set", "run.burn_in=11"]
        self.assert_fails(self.train(more=other, sweeps=50), 65, "run.burn_in was 10, is 11", "--restart different")
        self.assert_fails(self.train(chain=2, sweeps=50), 65, "chain was 0, is 2")
        self.assert_fails(self.train(sweeps=20), 65, "it has 40 sweeps already, 20 are asked for")
        self.assert_done(self.run_stage("generate", "--model", GENERATOR, "--seed", 2, "--out", self.data, "--set",
                                        "generate.n_steps=60"))
        self.assert_fails(self.train(sweeps=50), 65, "input observations was", "is")
        result = self.train(sweeps=50, more=[*SMALL, "--restart", "different"])
        self.assert_done(result)
        self.assertIn("begun anew", result.stderr)
        self.assert_done(self.train("fresh", 50))
        self.assertEqual(result_bytes(self.scratch / "chain"), result_bytes(self.scratch / "fresh"))

    def test_a_damaged_checkpoint_falls_back_to_the_one_before(self):
        self.assert_done(self.train("whole", 40))
        self.assert_done(self.train(sweeps=20))
        self.assert_done(self.train(sweeps=30))
        state = self.scratch / "chain/checkpoint.state"
        state.write_bytes(state.read_bytes()[:-100])
        result = self.assert_done(self.train(sweeps=40))
        self.assertIn("checkpoint.state: damaged; the checkpoint before it stands in", result.stderr)
        self.assertEqual(result_bytes(self.scratch / "chain"), result_bytes(self.scratch / "whole"))
        for name in ["checkpoint.state", "checkpoint.previous"]:
            path = self.scratch / "chain" / name
            damaged = bytearray(path.read_bytes())
            damaged[len(damaged) // 2] ^= 1
            path.write_bytes(damaged)
        self.assert_fails(self.train(sweeps=45), 65, "checkpoints are damaged", "--restart different")
        self.assert_done(self.train(sweeps=45, more=[*SMALL, "--restart", "different"]))

    def test_a_damaged_journal_is_noticed(self):
        self.assert_done(self.train(sweeps=20))
        journal = self.scratch / "chain/checkpoint.journal"
        damaged = bytearray(journal.read_bytes())
        damaged[len(damaged) // 2] ^= 4
        journal.write_bytes(damaged)
        self.assert_fails(self.train(sweeps=30), 65, "damaged")
        journal.unlink()
        self.assert_fails(self.train(sweeps=30), 65, "checkpoints are damaged", "--restart different")
        self.assert_done(self.train(sweeps=30, more=[*SMALL, "--restart", "different"]))

    def test_two_processes_on_one_chain(self):
        process = self.start_stage("train", *self.flags("chain", 1000000))
        while not list((self.scratch / "chain").glob("checkpoint.journal")):
            time.sleep(0.02)
        self.assert_fails(self.train(), 74, "another process is writing it")
        process.kill()
        process.communicate()

    def test_a_full_disk_loses_nothing(self):
        self.assert_done(self.train("whole", 60))
        self.assert_done(self.train(sweeps=20))
        limit = (self.scratch / "chain/checkpoint.journal").stat().st_size + 2000

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.assert_fails(self.train(sweeps=60, preexec_fn=small_files), 74, "cannot write", "File too large")
        self.assert_done(self.train(sweeps=60))
        self.assertEqual(result_bytes(self.scratch / "chain"), result_bytes(self.scratch / "whole"))

    def test_a_full_file_system_loses_nothing(self):
        place = self.mount_tmpfs("small", "300k")
        more = [*SMALL, "--checkpoint-seconds", 0]
        self.assert_done(self.train("whole", 300))
        self.assert_done(self.train("small/chain", 20, more=more))
        self.assert_fails(self.train("small/chain", 300, more=more), 74, "cannot write", "chain", "No space left")
        self.assertEqual(list(place.rglob("*.partial")), [])
        self.assert_fails(self.train("small/chain", 300, more=more), 74, "No space left")
        self.remount(place, "size=16m")
        result = self.assert_done(self.train("small/chain", 300, more=more))
        self.assertGreaterEqual(int(result.stdout.split("after the ")[1].split()[0]), 20)
        self.assertEqual(result_bytes(place / "chain"), result_bytes(self.scratch / "whole"))

    def test_a_file_system_that_is_full_when_the_tables_are_written(self):
        place = self.mount_tmpfs("small", "4m")
        self.assert_done(self.train("whole", 60))
        self.assert_done(self.train("small/chain", 60))
        (place / "chain/provenance.json").unlink()
        (place / "chain/draws.parquet").unlink()
        with open(place / "in the way", "wb", buffering=0) as rest, self.assertRaises(OSError):
            while True:
                rest.write(bytes(4096))
        self.assert_fails(self.train("small/chain", 60), 74, "cannot write", "No space left")
        self.assertFalse((place / "chain/provenance.json").exists())
        (place / "in the way").unlink()
        self.assert_done(self.train("small/chain", 60))
        self.assertEqual(result_bytes(place / "chain"), result_bytes(self.scratch / "whole"))

    def test_a_read_only_file_system(self):
        place = self.mount_tmpfs("fixed", "16m")
        self.assert_done(self.train("whole", 40))
        self.assert_done(self.train("fixed/chain", 20))
        self.remount(place, "ro")
        before = {p.name: p.read_bytes() for p in (place / "chain").iterdir()}
        self.assert_fails(self.train("fixed/chain", 40), 74, "fixed/chain", "Read-only file system")
        self.assert_fails(self.train("fixed/other", 40), 74, "fixed/other", "Read-only file system")
        self.assert_done(self.train("fixed/chain", 20))  # there is nothing to do
        for stage, more in [("diagnose", []), ("evaluate", ["--data", self.data])]:
            result = self.run_stage(stage, *more, "--chains", place / "chain", "--out", place / "new")
            self.assert_fails(result, 74, "fixed/new", "Read-only file system")
        self.assertEqual({p.name: p.read_bytes() for p in (place / "chain").iterdir()}, before)
        self.remount(place, "rw")
        self.assert_done(self.train("fixed/chain", 40))
        self.assertEqual(result_bytes(place / "chain"), result_bytes(self.scratch / "whole"))

    def test_times_of_files_mean_nothing(self):
        self.assert_done(self.train("whole", 40))
        chain = self.scratch / "chain"
        for sweeps, year in [(20, 2100), (30, 1971), (40, 2037)]:  # as if the clock had jumped
            self.assert_done(self.train(sweeps=sweeps))
            for path in [*chain.iterdir(), *self.data.rglob("*"), chain]:
                when = (year - 1970) * 365.25 * 86400 + (7 if path.name == "checkpoint.previous" else 0)
                os.utime(path, (when, when))
        self.assertIn("already", self.assert_done(self.train(sweeps=40)).stdout)
        self.assertEqual(result_bytes(chain), result_bytes(self.scratch / "whole"))

    def test_a_directory_of_other_tables_is_not_mixed_with(self):
        other = self.scratch / "chain"
        other.mkdir()
        shutil.copy(self.data / "observations.parquet", other)
        self.assert_fails(self.train(), 74, "chain: it holds observations.parquet", "none of the tables to write")
        self.assertEqual([p.name for p in other.iterdir()], ["observations.parquet"])
        (other / "observations.parquet").rename(other / "notes.txt")  # a user's own notes may stay
        self.assert_done(self.train())
        # begun anew without a test part, nothing of the old run stays
        self.assertTrue((other / "heldout.parquet").exists())
        shutil.rmtree(self.data / "test")
        self.assert_done(self.train(more=[*SMALL, "--restart", "different"]))
        self.assertFalse((other / "heldout.parquet").exists())

    def test_other_stages_leave_a_chain_alone_until_it_is_done(self):
        self.assert_done(self.train("a"))
        self.assert_done(self.train("b", chain=1))
        a, b = self.scratch / "a", self.scratch / "b"
        before = (a / "provenance.json").read_bytes()
        for stage, more in [("diagnose", []), ("evaluate", ["--data", self.data])]:
            flags = [*more, "--chains", a, b, "--out"]
            self.assert_fails(self.run_stage(stage, *flags, a), 64, "the stage reads from there")
            self.assertEqual((a / "provenance.json").read_bytes(), before)
            self.assert_done(self.run_stage(stage, *flags, self.scratch / stage))
            (b / "provenance.json").rename(self.scratch / "away")  # as while a longer run is on its way
            self.assert_fails(self.run_stage(stage, *flags, self.scratch / stage), 65, "training has not come to its end")
            (self.scratch / "away").rename(b / "provenance.json")

    def test_places_that_cannot_be_read_or_written(self):
        (self.scratch / "file").write_text("in the way")
        before = (self.data / "provenance.json").read_bytes()
        self.assert_fails(self.train("data"), 64, "--out", "the stage reads from there")
        self.assertEqual((self.data / "provenance.json").read_bytes(), before)
        self.assert_fails(self.train("file/chain"), 74, "file")
        self.assert_fails(
            self.run_stage("train", "--data", self.scratch / "none", "--model", MODELS / "lt.toml", "--chain", 0,
                           "--seed", 1, "--sweeps", 1, "--out", self.scratch / "x"), 74, "none/observations.parquet")
        self.assertFalse((self.scratch / "x").exists())

    def test_what_is_wrong_with_the_data(self):
        path = self.data / "observations.parquet"
        good = pandas.read_parquet(path)
        cases = [
            (lambda d: d.assign(y_3=d["y_3"].where(d.index != 5, float("inf"))), ["y_3", "row 5", "expected a number from -1e+100 to 1e+100"]),
            (lambda d: d.drop(index=7), ["expected t = 7 in sequence 0, found 8"]),
            (lambda d: pandas.concat([d, d.iloc[[7]]]), ["expected t = 8 in sequence 0, found 7"]),
            (lambda d: d.assign(sequence=d["sequence"] + 1), ["expected sequence 0, found 1"]),
            (lambda d: d.head(0), ["at least one row"]),
            (lambda d: d.drop(columns="y_11"), ["weights of 11 channels as in the data, found 12"]),
        ]
        for change, words in cases:
            change(good).to_parquet(path, index=False)
            (self.data / "test/observations.parquet").unlink(missing_ok=True)
            self.assert_fails(self.train(), 65, *words)
        good.sample(frac=1, random_state=1).to_parquet(path, index=False)  # rows in any order are fine
        self.assert_done(self.train())
        truth = pandas.read_parquet(self.data / "truth.parquet")
        truth.assign(theta_2=2).to_parquet(self.data / "truth.parquet", index=False)
        self.assert_fails(self.train("other"), 65, "theta_2", "expected 0 or 1, found 2")
        truth.head(50).to_parquet(self.data / "truth.parquet", index=False)
        self.assert_fails(self.train("other"), 65, "expected the sequences and steps of the observations")

    def test_missing_values_and_missing_truth(self):
        path = self.data / "observations.parquet"
        data = pandas.read_parquet(path)
        data.loc[3:9, [f"y_{c}" for c in range(12)]] = None
        data.loc[20, "y_5"] = None
        data.to_parquet(path, index=False)
        (self.data / "truth.parquet").unlink()
        self.assert_done(self.train())
        self.assertNotIn("f1", pq.read_table(self.scratch / "chain/trace.parquet").column_names)

    def test_the_truth_as_a_start(self):
        def flags_of(start):
            return [*SMALL, "--set", "model.n_states=40", "--set", f"run.start={start}", "--set", "run.record_every=1"]

        def after_a_sweep(start):
            self.assert_done(self.train(start, more=flags_of(start), sweeps=1))
            return pandas.read_parquet(self.scratch / start / "trace.parquet")["f1"].iloc[0]

        self.assertGreater(after_a_sweep("truth"), after_a_sweep("time_blocks") + 0.1)
        more = flags_of("truth")
        (self.data / "truth.parquet").unlink()
        self.assert_fails(self.train("other", more=more), 64, "--set run.start=truth: run.start", "needs the true bits")
        model = self.scratch / "model.toml"
        model.write_text((MODELS / "lt.toml").read_text() + "\n[run]\nstart = 'truth'\n")
        flags = self.flags("other", 40)
        flags[flags.index("--model") + 1] = model
        self.assert_fails(self.run_stage("train", *flags), 65, "model.toml:", "run.start: ", "needs the true bits")

    def test_a_run_without_draws_is_told(self):
        result = self.assert_done(self.train(sweeps=10))
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("10 sweeps with run.burn_in = 10 and run.draws_every = 10: no draw is stored", result.stderr)
        self.assertEqual(self.assert_done(self.train(sweeps=20)).stderr, "")

    def test_usage(self):
        self.assertIn("Example:", self.run_stage("train", "--help").stdout)
        self.assert_fails(self.train(chain=-1), 64, "--chain", "expected a whole number from 0")
        self.assert_fails(self.train(sweeps=0), 64, "--sweeps")
        self.assert_fails(self.train(more=["--set", "run.smapler=single"]), 64, "run.smapler", "sampler")
        self.assert_fails(self.train(more=["--restart", "maybe"]), 64, "--restart", "never|different|always")


if __name__ == "__main__":
    main(sys.argv)
