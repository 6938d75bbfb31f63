"""hmmlt-prepare-pascal as a user meets it: sounds of all kinds in, a party out; bytes, messages, exit codes.

python prepare_pascal_test.py BIN_DIRECTORY
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np
import pyarrow.parquet as pq

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "experiments/cocktail/data"
RATE = 25000
TABLES = {"observations.parquet", "truth.parquet", "weights.parquet"}


def wav(samples, rate=RATE, bits=16):
    """Bytes of a WAV file; samples in [-1, 1], a row per channel or just one; bits 16, 24, or 32 for float."""
    channels = np.atleast_2d(np.asarray(samples, dtype=float))
    interleaved = channels.T.ravel()
    if bits == 32:
        data = interleaved.astype("<f4").tobytes()
    else:
        whole = np.rint(interleaved * 2 ** (bits - 1)).astype("<i4")
        data = b"".join(struct.pack("<i", value)[: bits // 8] for value in whole)
    frame = len(channels) * bits // 8
    form = struct.pack("<HHIIHH", 3 if bits == 32 else 1, len(channels), rate, rate * frame, frame, bits)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def sentence(speaker, number):
    """0.1 to 0.3 s of something, on the grid of 16 bits."""
    rng = np.random.default_rng([speaker, number])
    return np.rint(rng.uniform(-0.9, 0.9, 2500 + 250 * number + 100 * speaker) * 32768) / 32768


def parquet_bytes(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.parquet"))}


def family(path, name):
    table = pq.read_table(path)
    return np.array([table[c].to_numpy() for c in table.column_names if c.startswith(name + "_")])


class PreparePascal(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def corpus(self, name="corpus", n_speakers=18, n_sentences=3, **options):
        for speaker in range(n_speakers):
            folder = self.scratch / name / f"s{speaker:02}"
            folder.mkdir(parents=True)
            for number in range(n_sentences):
                (folder / f"{number}.wav").write_bytes(wav(sentence(speaker, number), **options))
        return self.scratch / name

    def one_voice(self, content, file_name="a.wav"):
        """A corpus of one speaker with one file."""
        shutil.rmtree(self.scratch / "one", ignore_errors=True)
        (self.scratch / "one/s1").mkdir(parents=True)
        path = self.scratch / "one/s1" / file_name
        path.write_bytes(content)
        return path

    def command(self, corpus, out, *more, seed=1, config=CONFIGS / "paper.toml"):
        command = [BIN / "hmmlt-prepare-pascal", "--corpus", corpus, "--config", config, "--seed", seed]
        return [*command, "--out", self.scratch / out, *more]

    def run_command(self, command, **options):
        command = [c if isinstance(c, bytes) else os.fsencode(str(c)) for c in command]
        result = subprocess.run(command, capture_output=True, timeout=60, **options)
        result.stdout, result.stderr = (t.decode(errors="replace") for t in (result.stdout, result.stderr))
        return result

    # Short parties: the sentences here are a tenth of real ones.
    SHORT = ("--set", "party.duration=4.0", "--set", "signal.n_steps=200", "--set", "party.initial_silence=4600")

    def prepare(self, corpus, out="party", *more, seed=1, **options):
        return self.run_command(self.command(corpus, out, *self.SHORT, *more, seed=seed), **options)

    def prepare_one(self, path, **options):
        one = ("--set", "party.n_conversations=1", "--set", "party.n_speakers=1")
        return self.prepare(path.parent.parent, "party", *one, **options)

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, "one sentence: " + result.stderr)
        for word in words:
            self.assertIn(str(word), result.stderr)
        self.assertEqual([p for p in (self.scratch / "party").rglob("*") if p.is_file()], [])

    def test_writes_the_data_directory(self):
        result = self.prepare(self.corpus())
        self.assertEqual(result.returncode, 0, result.stderr)
        party = self.scratch / "party"
        self.assertEqual(set(parquet_bytes(party)), TABLES | {f"test/{t}" for t in TABLES})
        for part in (party, party / "test"):
            self.assertEqual(family(part / "observations.parquet", "y").shape, (12, 200))
            self.assertEqual(family(part / "weights.parquet", "w").shape, (12, 17))
            theta = family(part / "truth.parquet", "theta")
            self.assertEqual(theta.shape, (16, 200))
            self.assertLessEqual(theta.reshape(4, 4, 200).sum(axis=1).max(), 1, "one speaker in each conversation")
            self.assertTrue(0.05 < theta.mean() < 0.25)
        statistics = json.loads((party / "statistics.json").read_text())
        self.assertEqual(statistics["corpus"], "corpus")
        theta = family(party / "truth.parquet", "theta")
        self.assertEqual(statistics["train"]["n_steps"], 200)
        self.assertAlmostEqual(statistics["train"]["on_fraction"], theta.mean())
        self.assertEqual(statistics["train"]["n_joint_states"], len(np.unique(theta, axis=1).T))
        self.assertEqual(len({s["name"] for s in statistics["speakers"]}), 16)
        z = pq.read_table(party / "truth.parquet")["z"].to_numpy()
        self.assertEqual(len(np.unique(z)), statistics["train"]["n_joint_states"])
        self.assertIn("200 steps", result.stdout)
        provenance = json.loads((party / "provenance.json").read_text())
        self.assertEqual((provenance["seed"], list(provenance["inputs"])), ("1", ["corpus"]))

    def test_without_noise_the_signal_can_be_computed_back(self):
        self.assertEqual(self.prepare(self.corpus(), "party", "--set", "mix.noise_sd=0.0").returncode, 0)
        for part in (self.scratch / "party", self.scratch / "party/test"):
            y, theta = family(part / "observations.parquet", "y"), family(part / "truth.parquet", "theta")
            w = family(part / "weights.parquet", "w").T  # feature x channel
            self.assertTrue((w > 0).all() and (w < 1).all())
            signal = np.zeros(theta.shape)
            for t in range(theta.shape[1]):
                on = np.flatnonzero(theta[:, t])
                signal[on, t] = np.linalg.lstsq(w[1:][on].T, y[:, t] - w[0], rcond=None)[0]
            np.testing.assert_allclose(y, w.T @ np.vstack([np.ones(theta.shape[1]), signal]), atol=1e-12)
            for row, on in zip(signal, theta):
                if on.sum() > 1:
                    self.assertAlmostEqual(row[on > 0].mean(), 1.0)
                    self.assertAlmostEqual(row[on > 0].std(), 0.5)

    def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not(self):
        corpus = self.corpus()
        for out, seed in (("a", 5), ("b", 5), ("c", 6)):
            self.assertEqual(self.prepare(corpus, out, seed=seed).returncode, 0)
        a, b, c = (parquet_bytes(self.scratch / out) for out in "abc")
        self.assertEqual(a, b)
        read = lambda out: (self.scratch / out / "statistics.json").read_bytes()
        self.assertEqual(read("a"), read("b"))
        for name in a:
            self.assertNotEqual(a[name], c[name])

    def test_train_and_test_differ_but_share_speakers_and_weights(self):
        self.prepare(self.corpus())
        read = lambda name: pq.read_table(self.scratch / "party" / name)
        self.assertTrue(read("weights.parquet").equals(read("test/weights.parquet")))
        self.assertFalse(read("truth.parquet").equals(read("test/truth.parquet")))

    def test_a_corpus_that_changes_changes_the_provenance(self):
        corpus = self.corpus()
        inputs = []
        for out in "ab":
            self.assertEqual(self.prepare(corpus, out).returncode, 0)
            inputs.append(json.loads((self.scratch / out / "provenance.json").read_text())["inputs"]["corpus"])
            (corpus / "s00" / "another.wav").write_bytes(wav(sentence(0, 99)))
        self.assertNotEqual(*inputs)

    def test_the_committed_configs(self):
        corpus = self.corpus()
        steps = {}
        for variant in ("paper", "authors"):
            result = self.run_command(self.command(corpus, variant, config=CONFIGS / f"{variant}.toml"))
            self.assertEqual(result.returncode, 0, result.stderr)
            steps[variant] = family(self.scratch / variant / "truth.parquet", "theta").shape[1]
        self.assertEqual(steps["paper"], 2000)
        self.assertTrue(500 <= steps["authors"] < 600, steps)

    def test_the_corpus_may_name_itself(self):
        corpus = self.corpus()
        (corpus / "corpus.json").write_text('{"name": "Speech of the town"}')
        self.assertIn("Speech of the town", self.prepare(corpus).stdout)
        shutil.rmtree(self.scratch / "party")
        for broken in ("{", "[]", '{"name": 3}'):
            (corpus / "corpus.json").write_text(broken)
            self.assert_fails(self.prepare(corpus), 65, "corpus.json", "name")

    def test_encodings_of_the_same_samples_give_the_same_data(self):
        corpora = {f"bits-{bits}": self.corpus(f"bits-{bits}", bits=bits) for bits in (16, 24, 32)}
        corpora["stereo"] = self.scratch / "stereo"
        for path in sorted(corpora["bits-16"].rglob("*.wav")):
            copy = corpora["stereo"] / path.parent.name / path.name.upper()  # .WAV will do
            copy.parent.mkdir(parents=True, exist_ok=True)
            mono = sentence(int(path.parent.name[1:]), int(path.stem))
            copy.write_bytes(wav([mono, -0.5 * mono]))
        for name, corpus in corpora.items():
            self.assertEqual(self.prepare(corpus, f"out-{name}").returncode, 0)
        read = lambda name: family(self.scratch / f"out-{name}/observations.parquet", "y")
        for name in corpora:
            np.testing.assert_array_equal(read(name), read("bits-16"))

    def test_hidden_files_and_folders_without_sounds_do_not_count(self):
        corpus = self.corpus()
        self.assertEqual(self.prepare(corpus, "a").returncode, 0)
        for stray in ("README.txt", "notes/plan.txt", ".cache/x.wav", "s00/._0.wav", "s00/0.txt"):
            (corpus / stray).parent.mkdir(exist_ok=True)
            (corpus / stray).write_text("not a sound")
        self.assertEqual(self.prepare(corpus, "b").returncode, 0)
        self.assertEqual(parquet_bytes(self.scratch / "a"), parquet_bytes(self.scratch / "b"))

    def test_files_that_are_no_sentences(self):
        good = wav(sentence(0, 0))
        not_finite = np.zeros(3000)
        not_finite[7] = np.nan
        for content, words in (
            (b"", ("empty",)),
            (b"this is a text\n", ("expected a WAV file",)),
            (good[:11], ("expected a WAV file",)),
            (good[:30], ("damaged",)),
            (good[:-1000], ("truncated", len(good) - 44, len(good) - 1044)),
            (good[:-1], ("truncated",)),
            (good[:44], ("truncated", "found 0")),
            (b"RIFF" + struct.pack("<I", 24) + b"WAVEfmt " + b"\xff" * 20, ("damaged",)),
            (wav(sentence(0, 0), rate=16000), ("25000", "16000")),
            (wav([]), ("no samples",)),
            (wav(not_finite, bits=32), ("finite", "nan", "sample 7")),
        ):
            path = self.one_voice(content)
            self.assert_fails(self.prepare_one(path), 65, path, *words)

    def test_files_that_cannot_be_read(self):
        path = self.one_voice(b"")
        path.unlink()
        path.symlink_to("nowhere.wav")
        self.assert_fails(self.prepare_one(path), 74, path, "No such file")
        path.unlink()
        os.mkfifo(path)  # must not wait for a writer
        self.assert_fails(self.prepare_one(path), 65, path, "not a regular file")
        path.unlink()
        path.mkdir()
        self.assert_fails(self.prepare_one(path), 65, path, "not a regular file")

    def test_too_few_speakers(self):
        self.assert_fails(self.prepare(self.corpus(n_speakers=15)), 65, "corpus", "16 speakers", "found 15")

    def test_folders_that_cannot_be_read(self):
        self.assert_fails(self.prepare(self.scratch / "nowhere"), 74, "nowhere", "No such file")
        (self.scratch / "file").write_text("mine")
        self.assert_fails(self.prepare(self.scratch / "file"), 74, "file", "Not a directory")
        corpus = self.corpus()
        (corpus / "s03x").symlink_to("s03x")
        self.assert_fails(self.prepare(corpus), 74, corpus / "s03x", "symbolic links")

    def test_a_folder_and_a_file_without_permission(self):
        lower = []
        if os.geteuid() == 0:  # permissions do not bind root with all its capabilities
            lower = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"]
            if shutil.which("setpriv") is None or subprocess.run([*lower, "true"], capture_output=True).returncode:
                self.skipTest("root's capabilities cannot be lowered here")
        corpus = self.corpus()
        self.addCleanup(os.chmod, corpus / "s03", 0o755)
        os.chmod(corpus / "s03", 0)
        command = [*lower, *self.command(corpus, "party", *self.SHORT)]
        self.assert_fails(self.run_command(command), 74, corpus / "s03", "Permission denied")
        path = self.one_voice(wav(sentence(0, 0)))
        os.chmod(path, 0)
        one = ("--set", "party.n_conversations=1", "--set", "party.n_speakers=1")
        command = [*lower, *self.command(path.parent.parent, "party", *self.SHORT, *one)]
        self.assert_fails(self.run_command(command), 74, path, "Permission denied")

    def test_names_that_are_not_utf_8(self):
        corpus = self.corpus(n_speakers=15)
        folder = os.path.join(os.fsencode(corpus), b"s\xff\xfe")
        os.mkdir(folder)
        with open(os.path.join(folder, b"\xe9t\xe9.wav"), "wb") as file:
            file.write(wav(sentence(15, 0)))
        result = self.prepare(corpus)
        self.assertEqual(result.returncode, 0, result.stderr)
        statistics = json.loads((self.scratch / "party/statistics.json").read_bytes().decode("utf-8"))
        self.assertIn("s\ufffd\ufffd", [s["name"] for s in statistics["speakers"]])

    def test_usage_and_config_errors(self):
        corpus = self.corpus(n_speakers=1, n_sentences=1)
        self.assert_fails(self.run_command(self.command(corpus, "party")[:-2]), 64, "--out")
        self.assert_fails(self.prepare(corpus, "party", "--set", "signal.value=loud"), 64, "signal.value", "loud")
        self.assert_fails(self.prepare(corpus, "party", "--set", "signal.n_steps=201"), 64, "n_steps", "200")
        bad = self.scratch / "bad.toml"
        bad.write_text((CONFIGS / "paper.toml").read_text().replace("silence_sd", "silence_ds"))
        self.assert_fails(self.run_command(self.command(corpus, "party", config=bad)), 65, "silence_sd")
        bad.write_text((CONFIGS / "paper.toml").read_text() + "noise = 3\n")
        self.assert_fails(self.run_command(self.command(corpus, "party", config=bad)), 65, "mix.noise", "noise_sd")
        self.assert_fails(self.run_command(self.command(corpus, "party", config="no.toml")), 74, "no.toml")

    def test_help(self):
        result = self.run_command([BIN / "hmmlt-prepare-pascal", "--help"])
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example:", result.stdout)

    def test_a_disk_that_fills_up_leaves_no_half_written_file(self):
        def small_files_only():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        self.assert_fails(self.prepare(self.corpus(), preexec_fn=small_files_only), 74, "observations.parquet")

    def test_killed_in_the_middle_and_run_again(self):
        corpus = self.corpus()
        long = ("--set", "signal.step=5", "--set", "signal.n_steps=20000")
        self.assertEqual(self.prepare(corpus, "whole", *long).returncode, 0)
        self.assertEqual(self.prepare(corpus, "party", seed=2).returncode, 0)
        process = subprocess.Popen(list(map(str, self.command(corpus, "party", *self.SHORT, *long))))
        marks = [self.scratch / "party" / name for name in (".observations.parquet.partial", ".truth.parquet.partial")]
        while not any(mark.exists() for mark in marks) and process.poll() is None:
            time.sleep(0.0005)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)
        self.assertFalse((self.scratch / "party/provenance.json").exists())
        self.assertEqual(self.prepare(corpus, "party", *long).returncode, 0)
        self.assertEqual(parquet_bytes(self.scratch / "party"), parquet_bytes(self.scratch / "whole"))
        self.assertEqual([p for p in (self.scratch / "party").rglob("*.partial")], [])


if __name__ == "__main__":
    unittest.main()
