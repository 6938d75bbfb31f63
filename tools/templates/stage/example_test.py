"""hmmlt-example as a user meets it: tables, messages, exit codes.

python example_test.py BIN_DIRECTORY
"""

import sys

import pyarrow as pa
import pyarrow.parquet as pq

from stage_case import StageCase, main, result_bytes


class Example(StageCase):
    def setUp(self):
        super().setUp()
        self.data = self.scratch / "data"
        self.data.mkdir()
        columns = {"sequence": [0, 0, 0, 1], "t": [0, 1, 2, 0], "y_0": [1.0, None, 3.0, 4.0]}
        pq.write_table(pa.table(columns), self.data / "observations.parquet")

    def run_example(self, name="out", **options):
        return self.run_stage("example", "--data", self.data, "--out", self.scratch / name, **options)

    def test_counts_steps(self):
        self.assert_done(self.run_example())
        table = pq.read_table(self.scratch / "out/example.parquet").to_pydict()
        self.assertEqual(table, {"sequence": [0, 1], "n_steps": [3, 1], "n_observed": [2, 1]})
        self.assertTrue((self.scratch / "out/provenance.json").exists())

    def test_the_same_data_give_the_same_bytes(self):
        for name in ["one", "two"]:
            self.assert_done(self.run_example(name))
        self.assertEqual(result_bytes(self.scratch / "one"), result_bytes(self.scratch / "two"))

    def test_help_says_how(self):
        self.assertIn("hmmlt-example --data", self.assert_done(self.run_stage("example", "--help")).stdout)

    def test_data_that_are_not_there_are_named(self):
        (self.data / "observations.parquet").unlink()
        self.assert_fails(self.run_example(), 74, "observations.parquet")
        self.assertFalse((self.scratch / "out/provenance.json").exists())


if __name__ == "__main__":
    main(sys.argv)
