"""The stand-in speech corpus: its resampler, its sentences, its voices, and the tool that makes it."""

import csv
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import wave

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "datasets/cocktail"
sys.path.insert(0, str(TOOLS))
from resample import resample
from standin_voice import GRAMMAR, RATE, Failure, check_voice, file_name, sentences_of, speak


def tone(frequency, rate, seconds=0.5, amplitude=10000):
    return np.rint(amplitude * np.sin(2 * np.pi * frequency * np.arange(int(seconds * rate)) / rate)).astype("<i2")


class Resample(unittest.TestCase):
    def test_a_tone_stays_the_same_tone(self):
        for rate, new_rate in ((22050, 25000), (25000, 22050), (16000, 25000)):
            for frequency in (50, 440, 3000, 0.8 * min(rate, new_rate) / 2):
                out = resample(tone(frequency, rate), rate, new_rate)
                expected = tone(frequency, new_rate)
                self.assertLessEqual(abs(len(out) - len(expected)), 1)
                middle = slice(1000, 10000)  # away from the ends, where the tone begins and stops
                error = out[middle].astype(float) - expected[middle]
                self.assertLess(np.abs(error).max(), 3.0, f"{rate} -> {new_rate}, {frequency} Hz")

    def test_what_the_new_rate_cannot_hold_is_gone(self):
        out = resample(tone(11000, 25000), 25000, 16000)
        self.assertLess(np.abs(out[1000:-1000].astype(int)).max(), 2)

    def test_no_images_above_the_old_band(self):
        out = resample(tone(9000, 22050, 1.0), 22050, 25000)[2000:22000].astype(float)
        spectrum = np.abs(np.fft.rfft(out * np.hanning(len(out)))) ** 2
        frequency = np.fft.rfftfreq(len(out), 1 / 25000)
        self.assertLess(spectrum[frequency > 11025].max() / spectrum.max(), 1e-8)  # 80 dB

    def test_the_same_rate_changes_nothing_that_can_be_heard(self):
        sound = tone(440, 25000)
        self.assertLess(np.abs(resample(sound, 25000, 25000)[200:-200].astype(int) - sound[200:-200]).max(), 2)

    def test_the_loudest_samples_are_clipped_not_wrapped(self):
        square = np.repeat([32767, -32768], 5000).astype("<i2")  # the filter overshoots at the edge
        out = resample(square, 22050, 25000)
        self.assertEqual((out.max(), out.min()), (32767, -32768))
        self.assertGreater(out[500:5600].min(), 20000)
        self.assertLess(out[5700:10800].max(), -20000)


class Sentences(unittest.TestCase):
    def test_they_follow_the_grammar_and_differ(self):
        said = sentences_of("s01", 200)
        self.assertEqual(len(set(said)), 200)
        self.assertEqual(len({file_name(words) for words in said}), 200)
        for words in said:
            self.assertTrue(all(word in slot for word, slot in zip(words, GRAMMAR, strict=True)))
        for slot in range(6):
            self.assertEqual({words[slot] for words in said}, set(GRAMMAR[slot]), "every word is said")
        self.assertEqual(sentences_of("s01", 20), said[:20])
        self.assertNotEqual(sentences_of("s02", 20), said[:20])

    def test_names_are_those_of_grid(self):
        self.assertEqual(file_name(("bin", "blue", "at", "f", "two", "now")), "bbaf2n.wav")
        self.assertEqual(file_name(("set", "white", "with", "z", "zero", "again")), "swwzza.wav")


class Voices(unittest.TestCase):
    def test_34_speakers_who_sound_different(self):
        with (TOOLS / "speakers.csv").open(newline="") as table:
            speakers = list(csv.DictReader(table))
        self.assertEqual(len({s["variant"] for s in speakers}), 34)
        same = ("bin", "blue", "at", "f", "two", "now")
        sounds = {s["speaker"]: speak(s, same) for s in speakers}
        self.assertEqual(len({sound.tobytes() for sound in sounds.values()}), 34)
        for speaker, sound in sounds.items():
            level = np.abs(sound.astype(int))
            self.assertTrue(1000 < level.max() < 32767, f"{speaker} is audible and does not clip")
            self.assertTrue(level[:50].max() > 0 and level[-50:].max() > 0, "no silence around the sentence")
            self.assertTrue(1.0 < len(sound) / RATE < 3.0)
        self.assertTrue(1.6 < np.mean([len(sound) for sound in sounds.values()]) / RATE < 2.1)

    def test_a_voice_that_espeak_does_not_have(self):
        voice = {"speaker": "x", "accent": "en", "variant": "f2", "pitch": "50", "range": "100", "speed": "150"}
        check_voice(voice)
        with self.assertRaisesRegex(Failure, "x.*no voice en\\+nobody"):
            check_voice({**voice, "variant": "nobody"})
        with self.assertRaisesRegex(Failure, "x.*no voice en-gb\\+f2"):  # this name of the accent takes no variants
            check_voice({**voice, "accent": "en-gb"})
        with self.assertRaisesRegex(Failure, "x.*does not exist"):
            check_voice({**voice, "accent": "xx"})


class Corpus(unittest.TestCase):
    """With the first four speakers; `whole` is a corpus of one sentence each."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        (cls.scratch / "few.csv").write_text("\n".join((TOOLS / "speakers.csv").read_text().splitlines()[:5]))
        result = cls.make("whole", "--sentences", 1)
        assert result.returncode == 0, result.stderr

    @classmethod
    def command(cls, name, *more):
        flags = ["--speakers", cls.scratch / "few.csv", "--out", cls.scratch / name]
        return [sys.executable, TOOLS / "standin_corpus.py", *flags, *map(str, more)]

    @classmethod
    def make(cls, name, *more, **options):
        return subprocess.run(cls.command(name, *more), capture_output=True, text=True, timeout=120, **options)

    def contents(self, name):
        return {p.relative_to(self.scratch / name): p.read_bytes() for p in (self.scratch / name).rglob("*.wav")}

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_the_corpus(self):
        corpus = json.loads((self.scratch / "whole/corpus.json").read_text())
        self.assertEqual((corpus["speakers"], corpus["sentences"], corpus["sample_rate"]), (4, 4, RATE))
        self.assertIn("espeak-ng", corpus["name"])
        files = self.contents("whole")
        self.assertEqual({path.parent.name for path in files}, {"s01", "s02", "s03", "s04"})
        seconds = []
        for path in files:
            with wave.open(str(self.scratch / "whole" / path)) as sound:
                self.assertEqual((sound.getnchannels(), sound.getsampwidth(), sound.getframerate()), (1, 2, RATE))
                seconds.append(sound.getnframes() / RATE)
        found = corpus["seconds"]
        np.testing.assert_allclose(
            [found["mean"], found["sd"], found["min"], found["max"]],
            [np.mean(seconds), np.std(seconds), min(seconds), max(seconds)],
            atol=1e-4,
        )

    def test_what_is_there_is_kept_and_what_does_not_belong_goes(self):
        copy = self.scratch / "copy"
        shutil.copytree(self.scratch / "whole", copy)
        files = self.contents("copy")
        times = lambda: {path: (copy / path).stat().st_mtime_ns for path in files}
        before = times()
        (copy / "s01/of_a_larger_corpus.wav").write_bytes(b"more")
        self.assertEqual(self.make("copy", "--sentences", 1).returncode, 0)
        self.assertEqual(self.contents("copy"), files)
        self.assertEqual(times(), before)
        (copy / ".recipe").write_text("an older one")
        (copy / next(iter(files))).write_bytes(b"old")
        self.assertEqual(self.make("copy", "--sentences", 1).returncode, 0)
        self.assertEqual(self.contents("copy"), files)

    def test_killed_in_the_middle_and_run_again(self):
        self.assertEqual(self.make("uncut", "--sentences", 6).returncode, 0)
        process = subprocess.Popen(self.command("cut", "--sentences", "6"))
        while len(list((self.scratch / "cut").glob("*/*.wav"))) < 5 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        self.assertEqual(process.wait(), -9)
        self.assertFalse((self.scratch / "cut/corpus.json").exists())
        kept = {p: (self.scratch / "cut" / p).stat().st_mtime_ns for p in self.contents("cut")}
        self.assertEqual(self.make("cut", "--sentences", 6).returncode, 0)
        self.assertEqual({p: (self.scratch / "cut" / p).stat().st_mtime_ns for p in kept}, kept)
        self.assertEqual(self.contents("cut"), self.contents("uncut"))
        self.assertEqual(list((self.scratch / "cut").rglob("*.partial")), [])
        read = lambda name: (self.scratch / name / "corpus.json").read_bytes()
        self.assertEqual(read("cut"), read("uncut"))

    def test_errors(self):
        (self.scratch / "mine").mkdir()
        (self.scratch / "mine/thesis.txt").write_text("dear")
        self.assert_fails(self.make("mine"), 65, "mine", "thesis.txt")
        self.assert_fails(self.make("x", "--sentences", 0), 64, "--sentences", "0")
        self.assert_fails(self.make("x", "--sentences", "many"), 64, "--sentences", "many")
        self.assert_fails(self.make("x", env={**os.environ, "PATH": "/nowhere"}), 74, "espeak-ng")
        self.assert_fails(self.make("x", "--speakers", self.scratch / "no.csv"), 74, "no.csv")
        (self.scratch / "file").write_text("mine")
        self.assert_fails(self.make("file"), 74, "file")
        (self.scratch / "busy").mkdir()
        lock = os.open(self.scratch / "busy", os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.assert_fails(self.make("busy"), 74, "another process")
        os.close(lock)


if __name__ == "__main__":
    unittest.main()
