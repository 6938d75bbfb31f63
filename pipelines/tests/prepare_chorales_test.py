"""hmmlt-prepare-chorales as a user meets it: scores made here, good and broken ones; tables, messages, exit codes.

python prepare_chorales_test.py BIN_DIRECTORY
"""

import hashlib
import io
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import pyarrow.parquet as pq

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
DATASET = pathlib.Path(__file__).resolve().parents[2] / "datasets/chorales"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None  # flushing to disk would take most of the time
CONTAINER = '<container><rootfiles><rootfile full-path="{}"/></rootfiles></container>'


def score(soprano="C5 D5 E5 C5", fifths=0, mode="major", names=("Soprano", "Alto", "Tenor", "Bass")):
    """Four voices in quarter notes; alto, tenor and bass hold G4, E4 and C3."""
    notes = soprano.split()
    voices = [[(n, 1) for n in notes], [("G4", len(notes))], [("E4", len(notes))], [("C3", len(notes))]]
    key = f"<key><fifths>{fifths}</fifths><mode>{mode}</mode></key>"
    listed = "".join(f'<score-part id="P{i}"><part-name>{n}</part-name></score-part>' for i, n in enumerate(names))
    parts = "".join(
        f'<part id="P{i}"><measure number="1"><attributes><divisions>1</divisions>{key}</attributes>'
        + "".join(
            f"<note><pitch><step>{n[0]}</step><octave>{n[1]}</octave></pitch><duration>{d}</duration></note>"
            for n, d in voice
        )
        + "</measure></part>"
        for i, voice in zip(range(len(names)), voices)
    )
    return f'<?xml version="1.0"?>\n<score-partwise><part-list>{listed}</part-list>{parts}</score-partwise>\n'


def packed(entries, compression=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def mxl(text, name="score.xml"):
    return packed([("META-INF/container.xml", CONTAINER.format(name)), (name, text)])


def bounded():
    """A careless reader would need far more than this memory and time."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def run(*arguments, **options):
    command = [BIN / "hmmlt-prepare-chorales", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, **options)


def table(path):
    return pq.read_table(path).to_pydict()


def chords(folder):
    """name -> labels of a prepared set."""
    labels = table(folder / "vocabulary.parquet")["label"]
    names = table(folder / "sequences.parquet")["name"]
    sequences = {name: [] for name in names}
    observations = table(folder / "observations.parquet")
    for sequence, t, symbol in zip(*(observations[c] for c in ("sequence", "t", "symbol"))):
        assert t == len(sequences[names[sequence]])
        sequences[names[sequence]].append(labels[symbol])
    return sequences


class PrepareChorales(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=MEMORY)
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.corpus = self.scratch / "scores"
        self.corpus.mkdir()

    def write(self, name, content):
        (self.corpus / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def prepare(self, *more, out="out", **options):
        return run("--corpus", self.corpus, "--out", self.scratch / out, *more, **options)

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        self.assertEqual(result.stderr.count("\n"), 1, "one sentence: " + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertFalse((self.scratch / "out").exists())

    def reason(self, name, content):
        """What is said about one broken score among good ones, which are prepared all the same."""
        self.write("a.xml", score())
        self.write("b.xml", score("E5 C5"))
        self.write(name, content)
        result = self.prepare("--n-test", 1, preexec_fn=bounded)
        (self.corpus / name).unlink()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        self.assertIn("3 scores, 2 valid, 2 major, 0 minor", result.stdout)
        first = result.stdout.splitlines()[0]
        self.assertTrue(first.startswith(f'"{name}" is not used: '), first)
        return first.split(": ", 1)[1]

    def test_writes_the_data_directory(self):
        self.write("one.xml", score("C5 D5 E5 C5"))
        self.write("two.musicxml", score("D5 D5", fifths=2))  # D major: everything goes down by 2
        self.write("three.mxl", mxl(score("E5 C5")))
        self.write("minor.MXL", mxl(score("A4", mode="minor")))
        self.write("notes.txt", "not a score")
        (self.corpus / "folder.xml").mkdir()
        result = self.prepare("--n-test", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("4 scores, 4 valid, 3 major, 1 minor", result.stdout)
        self.assertIn("3 scores, 8 tokens, 4 types", result.stdout)
        out = self.scratch / "out"
        self.assertEqual(
            {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()},
            {
                part + name
                for part in ("", "test/")
                for name in ("observations.parquet", "sequences.parquet", "vocabulary.parquet", "provenance.json")
            },
        )
        self.assertEqual(
            chords(out) | chords(out / "test"),
            {
                "one": ["72,67,64,48", "74,67,64,48", "76,67,64,48", "72,67,64,48"],
                "two": ["72,65,62,46", "72,65,62,46"],
                "three": ["76,67,64,48", "72,67,64,48"],
            },
        )
        vocabulary = table(out / "vocabulary.parquet")
        self.assertEqual(vocabulary, table(out / "test/vocabulary.parquet"))
        self.assertEqual(vocabulary["symbol"], list(range(4)))  # by first appearance: one, three, two
        self.assertEqual(vocabulary["label"][:3], ["72,67,64,48", "74,67,64,48", "76,67,64,48"])
        self.assertEqual(vocabulary["name"][3], "C5 F4 D4 B-2")

    def test_mode_and_recipe(self):
        for name in "abc":
            self.write(name + ".xml", score("C5 G4 E5"))
            self.write(name + "-minor.xml", score("A4 C5", mode="minor"))
        for mode, n_scores in (("major", 3), ("minor", 3), ("both", 6)):
            result = self.prepare("--mode", mode, "--n-test", 1, "--recipe", "b")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"recipe b, mode {mode}: {n_scores} scores", result.stdout)
        self.assertIn("67,67,64,48", table(self.scratch / "out/vocabulary.parquet")["label"])
        self.prepare("--n-test", 1, "--recipe", "a")
        self.assertIn("67,64,48", table(self.scratch / "out/vocabulary.parquet")["label"])

    def test_splits(self):
        for i in range(30):
            self.write(f"s{i:02}.xml", score(" ".join(f"{'CDEFGAB'[i % 7]}5" for _ in range(i // 2 + 1))))
        names = lambda out: table(self.scratch / out / "test/sequences.parquet")["name"]
        for out, more in (
            ("0", ()),
            ("again", ("--split-number", 0, "--seed", 1)),
            ("1", ("--split-number", 1)),
            ("seed", ("--seed", 2)),
            ("b", ("--recipe", "b")),
        ):
            self.assertEqual(self.prepare("--n-test", 10, *more, out=out).returncode, 0)
        self.assertEqual(len(names("0")), 10)
        self.assertEqual(names("0"), sorted(names("0")))
        self.assertEqual(names("0"), names("again"))
        self.assertEqual(names("0"), names("b"))  # a split belongs to the scores, not to the recipe
        self.assertEqual(len({tuple(names(out)) for out in ("0", "1", "seed")}), 3)
        vocabularies = {str(table(self.scratch / out / "vocabulary.parquet")) for out in ("0", "1", "seed")}
        self.assertEqual(len(vocabularies), 1)  # no split changes the numbers
        parquet = lambda out: [p.read_bytes() for p in sorted((self.scratch / out).rglob("*.parquet"))]
        self.assertEqual(parquet("0"), parquet("again"))

    def test_grouped_splits_keep_duplicates_together(self):
        for i in range(12):
            self.write(f"s{i:02}.xml", score("CDEFGA"[i // 2] + "5"))
        parted = 0
        for number in range(6):
            result = self.prepare("--n-test", 4, "--split", "grouped", "--split-number", number)
            self.assertIn("0 with an exact duplicate to train on", result.stdout)
            test = table(self.scratch / "out/test/sequences.parquet")["name"]
            self.assertEqual(sorted(int(n[1:]) // 2 for n in test)[::2], sorted(int(n[1:]) // 2 for n in test)[1::2])
            parted += "0 with an exact" not in self.prepare("--n-test", 4, "--split-number", number).stdout
        self.assertGreater(parted, 0)

    def test_provenance(self):
        self.write("a.xml", score())
        self.write("b.xml", score())
        self.prepare("--n-test", 1)
        provenance = json.loads((self.scratch / "out/provenance.json").read_text())
        digest = hashlib.sha256(score().encode()).hexdigest()
        listing = "".join(f"{digest}  {name}.xml\n" for name in "ab")
        self.assertEqual(provenance["inputs"], {"corpus": hashlib.sha256(listing.encode()).hexdigest()})
        self.assertEqual(provenance["seed"], "1")
        self.assertIn('recipe = "a"\n', provenance["config"])

    def test_broken_scores_are_named_and_the_others_used(self):
        whole = mxl(score())
        for name, content, reason in (
            ("x.xml", score()[:300], "not well-formed XML"),
            ("x.xml", b"", "not well-formed XML"),
            ("x.mxl", whole[:-10], "not a complete zip archive"),
            ("x.mxl", whole[: len(whole) // 2], "not a complete zip archive"),
            ("x.mxl", packed([]), "its zip archive holds no MusicXML file"),
            ("x.mxl", packed([("readme.txt", "nothing")]), "its zip archive holds no MusicXML file"),
            ("x.mxl", packed([("META-INF/container.xml", "<container")]), "its zip archive holds no MusicXML file"),
            ("x.mxl", b"PK", "not a complete zip archive"),
            ("x.mxl", b"not a zip archive", "not well-formed XML"),
            ("x.xml", "<score-partwise/>", "found no part"),
            ("x.xml", "<html/>", 'found "html"'),
            ("x.xml", score(names=("Piano",)), 'found "Piano"'),
            ("x.xml", score().replace("<divisions>1</divisions>", "", 1), "expected <divisions> before"),
            ("x.xml", score().replace("<divisions>1<", "<divisions>0<", 1), 'as <divisions>, found "0"'),
            ("x.xml", score().replace("<duration>1<", "<duration>1e300<", 1), 'as <duration>, found "1e300"'),
            ("x.xml", score().replace("<duration>1<", "<duration>-1<", 1), 'as <duration>, found "-1"'),
            ("x.xml", score("C5").replace("<note>", "<!--").replace("</note>", "-->"), "nothing sounds"),
            ("x.xml", b"\xff\xfe\x00\xd8", "not well-formed XML"),
        ):
            with self.subTest(reason=reason, size=len(content)):
                self.assertIn(reason, self.reason(name, content))

    def test_a_damaged_archive(self):
        whole = bytearray(mxl(score()))
        whole[whole.index(b"score.xml") + 40] ^= 0xFF  # inside the compressed score
        self.assertIn("damaged zip archive", self.reason("x.mxl", bytes(whole)))

    def test_zip_bombs(self):
        zeros = b" " * (200 << 20)
        bomb = mxl(zeros)
        self.assertLess(len(bomb), 1 << 20)
        self.assertIn("larger than 16 MiB", self.reason("x.mxl", bomb))
        # one that lies about the size of what it holds
        honest = struct.pack("<I", len(zeros))
        self.assertEqual(bomb.count(honest), 2)
        self.assertIn("zip archive", self.reason("x.mxl", bomb.replace(honest, struct.pack("<I", 100))))
        # one whose container goes off
        container = packed([("META-INF/container.xml", zeros), ("score.xml", score())])
        self.assertIn("larger than 16 MiB", self.reason("x.mxl", container))
        # and one that is not packed
        self.assertIn("larger than 16 MiB", self.reason("x.xml", b"<a>" + zeros[: 17 << 20]))

    def test_the_largest_file_that_is_read_needs_little_memory(self):
        self.assertIn('found "a"', self.reason("x.xml", b"<a>" + b"<b/>" * 4000000 + b"</a>"))

    def test_entities_are_not_expanded(self):
        laughs = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
        doctype = f'<!DOCTYPE score-partwise [<!ENTITY l0 "lol">{laughs}<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        for entity in ("l9", "x"):
            text = score(names=(f"&{entity};", "Alto", "Tenor", "Bass")).replace("<score-p", doctype + "<score-p", 1)
            self.assertIn(f'found "&{entity};", "Alto"', self.reason("x.xml", text))

    def test_names_inside_an_archive_are_only_names(self):
        outside = self.scratch / "outside.xml"
        for i, name in enumerate(("../outside.xml", str(outside), "a/b/../../c.xml", "sc\u00f6re.xml", "B.XML")):
            self.write(f"s{i}.mxl", mxl(score("C5 " * (i + 1)), name))
        # a container that names a file outside the archive: the score that is there is used
        outside.write_text(score("F5"))
        self.write("s5.mxl", packed([("META-INF/container.xml", CONTAINER.format(outside)), ("x.xml", score("D5"))]))
        # no container at all, and a name that is no UTF-8
        self.write("s6.mxl", packed([("entry.xml", score("E5"))]).replace(b"entry.xml", b"\xff\xfe\xe9\xe9\xe9.xml"))
        result = self.prepare("--n-test", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("7 scores, 7 valid", result.stdout)
        found = chords(self.scratch / "out") | chords(self.scratch / "out/test")
        self.assertEqual([len(found[f"s{i}"]) for i in range(7)], [1, 2, 3, 4, 5, 1, 1])
        self.assertEqual(found["s5"], ["74,67,64,48"])
        self.assertEqual(outside.read_text(), score("F5"))

    def test_a_file_name_that_is_not_utf8(self):
        self.write("a.xml", score())
        self.write("b.xml", score())
        (pathlib.Path(os.fsdecode(os.fsencode(self.corpus) + b"/caf\xe9.xml"))).write_text(score())
        result = self.prepare("--n-test", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('"caf\\xe9.xml" is not used: its name is not UTF-8', result.stdout)

    def test_what_is_not_a_file(self):
        self.write("a.xml", score())
        self.write("b.xml", score())
        os.mkfifo(self.corpus / "pipe.xml")
        result = self.prepare("--n-test", 1)
        self.assertIn('"pipe.xml" is not used: not a regular file', result.stdout)
        (self.corpus / "pipe.xml").unlink()
        (self.corpus / "dangling.xml").symlink_to("nowhere.xml")
        self.assertEqual(self.prepare("--n-test", 1).returncode, 74)

    def test_folders(self):
        self.assert_fails(self.prepare(), 65, str(self.corpus), ".mxl", "found none")
        self.corpus.rmdir()
        self.assert_fails(self.prepare(), 74, str(self.corpus), "No such file or directory")
        self.corpus.write_text("a file")
        self.assert_fails(self.prepare(), 74, str(self.corpus), "Not a directory")

    @unittest.skipIf(os.geteuid() == 0 and not pathlib.Path("/usr/bin/setpriv").exists(), "root may read everything")
    def test_what_may_not_be_read(self):
        self.write("a.xml", score())
        (self.corpus / "a.xml").chmod(0)
        self.scratch.chmod(0o777)
        as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        command = [*as_nobody, BIN / "hmmlt-prepare-chorales", "--corpus", self.corpus, "--out", self.scratch / "out"]
        if as_nobody and subprocess.run([*as_nobody, "test", "-x", command[4]]).returncode != 0:
            self.skipTest("the build is not readable for another user")
        attempt = lambda: subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
        self.assert_fails(attempt(), 74, "a.xml", "Permission denied")
        self.corpus.chmod(0)
        self.assert_fails(attempt(), 74, "scores", "Permission denied")
        self.corpus.chmod(0o700)

    def test_too_few_scores(self):
        for i in range(5):
            self.write(f"s{i}.xml", score())
        self.assert_fails(self.prepare(), 65, "more than 17 scores", "found 5")
        self.assert_fails(self.prepare("--n-test", 5), 65, "more than 5 scores", "found 5")
        self.assert_fails(self.prepare("--n-test", 1, "--mode", "minor"), 65, "found 0")
        self.assert_fails(self.prepare("--n-test", 2, "--split", "grouped"), 65, "duplicates", "5 scores in 1 groups")

    def test_two_scores_of_one_name(self):
        self.write("a.xml", score())
        self.write("a.mxl", mxl(score()))
        self.assert_fails(self.prepare("--n-test", 1), 65, "one score of each name", '"a.mxl" and "a.xml"')

    def test_usage_errors(self):
        self.assert_fails(run("--out", self.scratch / "out"), 64, "--corpus")
        self.assert_fails(self.prepare("--recipe", "c"), 64, "--recipe", "a|b", "c")
        self.assert_fails(self.prepare("--mode", "dorian"), 64, "--mode", "dorian")
        self.assert_fails(self.prepare("--n-test", 0), 64, "--n-test", "0")
        self.assert_fails(self.prepare("--split-number", "-1"), 64, "--split-number")
        self.assertIn("Example:", run("--help").stdout)

    def test_a_list_and_check_values(self):
        for name, notes in (("a", "C5 D5"), ("b", "E5"), ("c", "F5"), ("ignored", "G5")):
            self.write(name + ".xml", score(notes))
        digest = lambda name: hashlib.sha256((self.corpus / (name + ".xml")).read_bytes()).hexdigest()
        rows = [f"{n},{n}.xml,{digest(n)},1,major,0,{k}" for n, k in (("a", 2), ("b", 1), ("c", 1))]
        text = "a\t72,67,64,48 74,67,64,48\nb\t76,67,64,48\nc\t77,67,64,48\n".encode()
        checks = f"a,major,3,3,3,0,4,4,{len(text)},{hashlib.sha256(text).hexdigest()}\n"
        files = {
            "scores.csv": "id,file,sha256,valid,mode,tonic,chords_a\n" + "\n".join(rows) + "\n",
            "checks.csv": "recipe,mode,scores,valid,major,minor,tokens,types,bytes,sha256\n" + checks,
        }

        def attempt(name=None, old="", new="", more=()):
            for file, content in files.items():
                (self.scratch / file).write_text(content.replace(old, new, 1) if file == name else content)
            paths = ("--list", self.scratch / "scores.csv", "--check", self.scratch / "checks.csv")
            return self.prepare(*paths, "--n-test", 1, *more)

        result = attempt("checks.csv", ",4,4,", ",5,4,")
        self.assert_fails(result, 65, "checks.csv", "recipe a, mode major", "expected tokens = 5, found 4")
        self.assert_fails(attempt("checks.csv", hashlib.sha256(text).hexdigest(), "0" * 64), 65, "sha256 = 0000")
        self.assert_fails(attempt("scores.csv", "major,0,1", "major,0,7"), 65, "b.xml", "chords_a = 7, found 1", "is the")
        self.assert_fails(attempt("scores.csv", "c,c.xml", "c,d.xml"), 74, "d.xml", "No such file")
        self.assert_fails(attempt("scores.csv", "b,b.xml,", "b,b.xml"), 65, "scores.csv:3", "expected 7 fields")
        self.assert_fails(attempt(more=("--recipe", "b")), 65, "a row for recipe b, mode major")
        good = (self.corpus / "b.xml").read_text()
        (self.corpus / "b.xml").write_text("<score-partwise/>")
        self.assert_fails(attempt(), 65, "b.xml", "valid = 1, found 0 (expected one part", "is not the one")
        (self.corpus / "b.xml").write_text(good)
        result = attempt()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 scores, 3 valid", result.stdout)
        self.assertIn("as expected", result.stdout)


@unittest.skipUnless(list(DATASET.glob("raw/music21-*/bach")), "the corpus is not here; make chorales-data fetches it")
class Bach(unittest.TestCase):
    """The real corpus; the published check values are in datasets/chorales/checks.csv."""

    def test_check_values(self):
        corpus = sorted(DATASET.glob("raw/music21-*/bach"))[-1]
        for recipe, digest in (
            ("a", "27b26fcc2dea8480d8174508ca2d72549ecf94706808f073f3af82d7011e20af"),
            ("b", "547bd3c0aed8b5f2e0cb2b4575cd94035e7d38565faa0379056f188ec82cd50d"),
        ):
            with tempfile.TemporaryDirectory(dir=MEMORY) as out:
                paths = ("--list", DATASET / "scores.csv", "--check", DATASET / "checks.csv", "--out", out)
                result = run("--corpus", corpus, "--recipe", recipe, *paths)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("402 scores, 398 valid, 217 major, 181 minor", result.stdout)
                self.assertIn("20401 tokens", result.stdout)
                found = chords(pathlib.Path(out)) | chords(pathlib.Path(out) / "test")
                self.assertEqual(len(table(pathlib.Path(out) / "sequences.parquet")["name"]), 200)
            # The tables say what was hashed.
            text = "".join(f"{name}\t{' '.join(found[name])}\n" for name in sorted(found, key=str.encode))
            self.assertEqual(hashlib.sha256(text.encode()).hexdigest(), digest)


if __name__ == "__main__":
    unittest.main()
