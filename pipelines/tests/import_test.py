"""hmmlt-import as a user meets it: tables, summary, messages, exit codes.

python import_test.py BIN_DIRECTORY
"""

import decimal
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

BIN = pathlib.Path(sys.argv.pop(1)).resolve()


class Import(unittest.TestCase):
    def setUp(self):
        memory = "/dev/shm"  # results are flushed to disk, which takes most of the time elsewhere
        scratch = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def run_stage(self, source, *flags, out="out", **options):
        command = [BIN / "hmmlt-import", "--in", source, "--out", self.scratch / out, *flags]
        return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60, **options)

    def csv(self, content, *flags, name="data.csv", out="out"):
        path = self.scratch / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.run_stage(path, *flags, out=out)

    def table(self, name, out="out"):
        return pq.read_table(self.scratch / out / f"{name}.parquet").to_pydict()

    def assert_reads(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, "one sentence: " + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertFalse((self.scratch / "out").exists())

    def test_wide_csv(self):
        result = self.csv("subject;when;a;b;remark\n"
                          "s2;2024-01-01T00:00:00;1.5;;ok\n"
                          "s1;2024-01-01T02:00:00;2;NA;ok\n"
                          "s1;2024-01-01T00:00:00;-0.25;4;late\n")  # fmt: skip
        self.assert_reads(result)
        self.assertEqual(
            self.table("observations"),
            {"sequence": [0, 1, 1], "t": [0, 0, 1], "y_0": [1.5, -0.25, 2.0], "y_1": [None, 4.0, None]},
        )
        self.assertEqual(self.table("sequences"), {"sequence": [0, 1], "name": ["s2", "s1"]})
        self.assertEqual(self.table("channels"), {"channel": [0, 1], "name": ["a", "b"]})
        for words in ("semicolons", "3 rows", "2 sequences of 1 to 2 steps (median 1.5), by subject", "by when",
                      "y_0 = a, y_1 = b", "2 of 6 cells", "remark (text)", "put in the order"):  # fmt: skip
            self.assertIn(words, result.stdout)
        provenance = json.loads((self.scratch / "out/provenance.json").read_text())
        self.assertEqual((list(provenance["inputs"]), provenance["seed"]), (["data.csv"], None))

    def test_long_csv_equals_wide_csv(self):
        frame = pd.DataFrame({"id": list("ppqq"), "t": [0, 1, 0, 1], "x": [1.0, 2.0, None, 4.0], "y": [5.0, 6, 7, 8]})
        frame.to_csv(self.scratch / "wide.csv", index=False)
        frame.melt(["id", "t"]).to_csv(self.scratch / "long.csv", index=False)
        for name in ("wide", "long"):
            self.assert_reads(self.run_stage(self.scratch / f"{name}.csv", out=name))
        for table in ("observations", "sequences", "channels"):
            self.assertEqual(self.table(table, "wide"), self.table(table, "long"))

    def test_parquet_of_pandas(self):
        times = pd.date_range("2024-01-01", periods=4, freq="h")
        frame = pd.DataFrame({"x": [1.5, math.nan, 3, 4], "n": [1, None, 3, 4], "k": pd.Categorical(list("abab"))}, times)
        frame.to_parquet(self.scratch / "f.parquet")
        result = self.run_stage(self.scratch / "f.parquet")
        self.assert_reads(result)
        observations = self.table("observations")
        self.assertEqual(observations["y_0"], [1.5, None, 3, 4])
        self.assertEqual(observations["y_1"], [1, None, 3, 4])
        self.assertIn("by __index_level_0__", result.stdout)
        self.assertIn("k (text)", result.stdout)

    def test_parquet_types(self):
        table = pa.table(
            {
                "decimal": pa.array([decimal.Decimal("1.25"), None], pa.decimal128(10, 2)),
                "small": pa.array([1, 2], pa.uint8()),
                "flag": pa.array([True, False]),
                "list": pa.array([[1.0], [2.0]]),
                "word": pa.array(["a", "b"], pa.large_string()),
            }
        )
        pq.write_table(table, self.scratch / "f.pq")
        result = self.run_stage(self.scratch / "f.pq")
        self.assert_reads(result)
        observations = self.table("observations")
        self.assertEqual([observations[f"y_{i}"] for i in range(3)], [[1.25, None], [1, 2], [1, 0]])
        self.assertIn("list (list<", result.stdout)

    def test_its_own_observations_come_back(self):
        self.assert_reads(self.csv("id,t,a\np,0,1.5\np,1,\nq,0,3\n"))
        again = self.run_stage(self.scratch / "out/observations.parquet", "--sequence", "sequence", out="again")
        self.assert_reads(again)
        self.assertEqual(self.table("observations"), self.table("observations", "again"))

    def test_symbols(self):
        result = self.csv("token\nthe\ncat\n\"\"\nthe\n", "--header", "yes")
        self.assert_reads(result)
        self.assertEqual(self.table("observations")["symbol"], [1, 0, None, 1])
        self.assertEqual(self.table("vocabulary"), {"symbol": [0, 1], "label": ["cat", "the"]})
        self.assertFalse((self.scratch / "out/channels.parquet").exists())
        self.assert_reads(self.csv("n\n10\n9\n10\n", "--symbol", "n", out="numbers"))
        self.assertEqual(self.table("vocabulary", "numbers")["label"], ["9", "10"])

    def test_test_part(self):
        text = "id,w\n" + "".join(f"s{s},w{s}\ns{s},v\n" for s in range(10))
        self.assert_reads(self.csv(text, "--test", "0.3", "--seed", "7"))
        train, test = self.table("sequences")["name"], self.table("test/sequences")["name"]
        self.assertEqual((len(train), len(test), set(train) | set(test)), (7, 3, {f"s{s}" for s in range(10)}))
        self.assertEqual(self.table("vocabulary"), self.table("test/vocabulary"))
        self.assertTrue((self.scratch / "out/test/provenance.json").exists())
        self.assertEqual(json.loads((self.scratch / "out/provenance.json").read_text())["seed"], "7")
        self.assert_reads(self.csv(text, "--test-sequences", "s3", "s8", out="named"))
        self.assertEqual(self.table("test/sequences", "named")["name"], ["s3", "s8"])

    def test_the_same_file_gives_the_same_bytes(self):
        for out in ("a", "b"):
            self.assert_reads(self.csv("a,b\n1,2\n,4\n", "--test", "0.5", out=out))
        files = sorted(p.relative_to(self.scratch / "a") for p in (self.scratch / "a").rglob("*.parquet"))
        self.assertEqual(len(files), 6)
        for name in files:
            self.assertEqual((self.scratch / "a" / name).read_bytes(), (self.scratch / "b" / name).read_bytes())

    def test_other_spellings_of_one_file(self):
        expected = None
        for i, content in enumerate((
            "x,y\n1,2.5\n,4\n", "\ufeffx,y\r\n1,2.5\r\nNA,4\r\n", "x\ty\r1\t2.5\rnull\t4\r", "x;y\n1;2.5\nNaN;4\n",
            '"x","y"\n"1","2.5"\n"","4"\n', "x, y\n1, 2.5\n , 4\n", "x,y\n\n1,2.5\n\nN/A,4\n\n",
        )):  # fmt: skip
            self.assert_reads(self.csv(content, out=f"out{i}"))
            found = self.table("observations", f"out{i}")
            expected = expected or found
            self.assertEqual(found, expected, content)

    def test_a_pipe(self):
        pipe = self.scratch / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_text("a,b\n1,2\n3,4\n"))
        writer.start()
        self.assert_reads(self.run_stage(pipe))
        writer.join()
        self.assertEqual(self.table("observations")["y_1"], [2, 4])

    def test_malformed_csv(self):
        for content, *words in (
            (b"", "empty"),
            (b"a,b\n", "line 1", "header"),
            (b"a,b\n1,2\n3\n", "line 3", "expected 2 columns", "found 1"),
            (b"a,b,a\n1,2,3\n", "line 1", "two columns are called a"),
            (b"a,b\n1,inf\n", "line 2", "column b", "finite", "inf"),
            (b"a,b\n1,2\n3,x\n5,6\n", "line 3", "column b", '"x"', "--missing"),
            (b"a;b\n1,5;2\n2,5;3\n", "line 2", "column a", "decimal point"),
            (b"caf\xe9,b\n1,2\n", "line 1", "UTF-8"),
            (b"a,b\n1,\x00\n", "line 2", "NUL"),
            (b'a,b\n1,"2\n', "line 2", "quote"),
            (b"\xff\xfea\x00", "UTF-16"),
            (b"t,a\n0,1\n0,2\n", "line 2 and line 3", "t"),
            (b"t,a\nyesterday,1\ntoday,2\n", "line 2", "ISO 8601", '"yesterday"'),
            (b"a,b\nx,y\nz,w\n", "a and b", "--symbol"),
            (b"t,variable,value\n0,x,1\n0,x,2\n", "line 2 and line 3", "variable"),
        ):
            with self.subTest(content):
                self.assert_fails(self.csv(content), 65, "data.csv", *words)

    def test_malformed_parquet(self):
        path = self.scratch / "f.parquet"
        pq.write_table(pa.table({"name": [1.5, 2.5], "other": [1, 2]}), path, store_schema=False)
        good = path.read_bytes()
        for content, *words in (
            (good[:-20], "truncated"),
            (good[: len(good) // 2], "truncated"),
            (b"", "not a Parquet file"),
            (good.replace(b"name", b"n\xe9me"), "UTF-8"),
            (good[:4] + b"\xff" * (len(good) - 12) + good[-8:], "f.parquet"),
        ):
            path.write_bytes(content)
            self.assert_fails(self.run_stage(path), 65, "f.parquet", *words)
        twice = pa.Table.from_arrays([pa.array([1.0]), pa.array([2.0])], names=["a", "a"])
        pq.write_table(twice, path)
        self.assert_fails(self.run_stage(path), 65, "two columns are called a")
        pq.write_table(pa.table({"a": pa.array([], pa.float64())}), path)
        self.assert_fails(self.run_stage(path), 65, "expected rows, found none")
        pq.write_table(pa.table({"a": [1.0, math.inf], "b": [1.0, 2.0]}), path)
        self.assert_fails(self.run_stage(path), 65, "row 1", "column a", "inf")

    def test_usage_errors(self):
        for flags, *words in (
            (("--columns", "a,z"), "--columns", "z", "a, b"),
            (("--time", "a", "--sequence", "a"), "a is asked for twice"),
            (("--test", "1.5"), "--test", "1.5"),
            (("--test", "0.5", "--test-sequences", "x"), "exclude each other"),
            (("--test-sequences", "x"), "no sequence x"),
            (("--layout", "tall"), "--layout", "tall"),
            (("--symbl", "a"), "--symbl"),
            (("--symbol", "a", "--standardise"), "--standardise", "symbols"),
        ):
            with self.subTest(flags):
                self.assert_fails(self.csv("a,b\n1,2\n3,4\n", *flags), 64, *words)
        self.assert_fails(self.run_stage(self.scratch / "no.csv"), 74, "no.csv", "No such file")

    def test_standardise(self):
        rows = [(1000.5, 0.001), (1000.7, 0.004), (None, 0.002), (1000.1, 0.009), (1000.9, 5.0)]
        text = "a,b,c\n" + "".join(f"{'' if a is None else a},{b},7.1\n" for a, b in rows)
        result = self.csv(text, "--standardise", "--test", "0.2")
        self.assert_reads(result)
        self.assertIn("c is constant: only its mean is taken off", result.stdout)
        train, scaling = self.table("observations"), self.table("scaling")
        for name, column, values in (("y_0", 0, [1000.5, 1000.7, 1000.1]), ("y_1", 1, [0.001, 0.004, 0.002, 0.009])):
            mean, sd = np.mean(values), np.std(values)  # of the training part alone
            self.assertAlmostEqual(scaling["mean"][column], mean, places=10)
            self.assertAlmostEqual(scaling["sd"][column] / sd, 1, places=9)
            found = [y for y in train[name] if y is not None]
            np.testing.assert_allclose(found, (np.array(values) - mean) / sd, atol=1e-8)
        self.assertEqual(train["y_0"][2], None)
        self.assertEqual((train["y_2"], scaling["sd"][2]), ([0.0] * 4, 1.0))
        self.assertAlmostEqual(self.table("test/observations")["y_1"][0], (5 - scaling["mean"][1]) / scaling["sd"][1])
        self.assertEqual(self.table("test/scaling"), scaling)
        config = json.loads((self.scratch / "out/provenance.json").read_text())["config"]
        self.assertIn("import.standardise = true", config)
        self.assert_reads(self.csv("a\n1e300\n-1e300\n", "--standardise", out="large"))
        self.assertEqual(self.table("observations", "large")["y_0"], [1, -1])

    def test_new_data_like_others(self):
        self.assert_reads(self.csv("a,token,b\n1,10,5\n3,30,7\n", "--columns", "b,token", "--standardise", out="old"))
        result = self.csv("token,extra,b\n20,9,6\n50,9,9\n", "--like", self.scratch / "old", out="new")
        self.assert_reads(result)
        self.assertIn("y_0 = b, y_1 = token", result.stdout)
        self.assertIn(f"scaled as in {self.scratch / 'old'}", result.stdout)
        self.assertEqual([self.table("observations", "new")[y] for y in ("y_0", "y_1")], [[0, 3], [0, 3]])
        self.assertEqual(self.table("scaling", "new"), self.table("scaling", "old"))
        inputs = json.loads((self.scratch / "new/provenance.json").read_text())["inputs"]
        self.assertEqual(sorted(inputs), ["data.csv", "like/channels", "like/scaling"])
        old = self.scratch / "old"
        self.assert_fails(self.csv("b,c\n1,2\n", "--like", old), 64, "--like", "old", "token")
        self.assert_fails(self.csv("b\n1\n", "--like", old, "--standardise"), 64, "--like", "leave out")
        self.assert_fails(self.csv("b\n1\n", "--like", self.scratch), 65, "channels.parquet or vocabulary.parquet")
        self.assert_reads(self.csv("token\ncat\nthe\non\n", out="words"))
        words = self.scratch / "words"
        self.assert_reads(self.csv("token\nthe\nNA\nthe\n", "--header", "yes", "--like", words, out="more"))
        self.assertEqual(self.table("observations", "more")["symbol"], [2, None, 2])
        self.assertEqual(self.table("vocabulary", "more"), self.table("vocabulary", "words"))
        self.assert_fails(self.csv("token\nthe\ncut\n", "--header", "yes", "--like", words), 65, "symbol cut", "cat")
        self.assert_fails(self.csv("x\n1\n2\n", "--like", words), 65, "expected symbols", "--symbol")

    def test_tables_of_other_data_are_not_mixed_in(self):
        self.assert_reads(self.csv("a,b\n1,2\n3,4\n", "--test", "0.5"))
        result = self.csv("a,b\n1,2\n3,4\n")
        self.assertEqual(result.returncode, 74)
        self.assertIn("out/test: it holds", result.stderr)
        self.assert_reads(self.csv("a,b\n1,2\n3,4\n", "--test", "0.5"))

    def test_help(self):
        result = self.run_stage("x", "--help")
        self.assertEqual(result.returncode, 0)
        for words in ("Example:", "--sequence", "NA, N/A, NaN"):
            self.assertIn(words, result.stdout)


if __name__ == "__main__":
    unittest.main()
