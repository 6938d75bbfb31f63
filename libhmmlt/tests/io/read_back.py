"""Other programs and hmmlt must agree about the files.

Runs hmmlt_sample_files to write every sample table, checks values, types, nulls, order, metadata and layout with
pyarrow, pandas and DuckDB, recomputes the content hash from its description in docs/formats.md, then writes the same tables with
each of these programs and lets hmmlt read them.

    python read_back.py path/to/hmmlt_sample_files
"""

import hashlib
import json
import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pandas
import pyarrow
import pyarrow.parquet

NULL = None
INT32, FLOAT32, FLOAT64, STRING = "int32", "float", "double", "string"
MAX, TINY = sys.float_info.max, 5e-324

# The content of sample_tables.hpp: file -> (table, [(column, type, nullable, values)]).
SAMPLES = {
    "observations": (
        "observations",
        [
            ("sequence", INT32, False, [0, 0, 1, 1]),
            ("t", INT32, False, [0, 1, 0, 1]),
            ("y_0", FLOAT64, True, [0.1, -0.0, MAX, TINY]),
            ("y_1", FLOAT64, True, [1.5, NULL, math.inf, math.nan]),
        ],
    ),
    "symbols": (
        "observations",
        [
            ("sequence", INT32, False, [0, 0, 0]),
            ("t", INT32, False, [0, 1, 2]),
            ("symbol", INT32, True, [0, NULL, 2**31 - 1]),
        ],
    ),
    "sequences": (
        "sequences",
        [("sequence", INT32, False, [0, 1, 2]), ("name", STRING, False, ["", 'Bach, "BWV 1"', "Müller 音"])],
    ),
    "truth": (
        "truth",
        [("sequence", INT32, False, [0, 0]), ("t", INT32, False, [0, 1])]
        + [(f"theta_{d}", INT32, False, [d % 2, 1]) for d in range(11)]
        + [("z", INT32, False, [4, 2])],
    ),
    "weights": (
        "weights",
        [
            ("feature", INT32, False, [0, 1]),
            ("w_0", FLOAT64, False, [0.25, -3.0]),
            ("w_1", FLOAT64, False, [1e-300, 7.0]),
        ],
    ),
    "vocabulary": (
        "vocabulary",
        [
            ("symbol", INT32, False, [0, 1]),
            ("label", STRING, False, ["60,55,52,48", "rest"]),
            ("name", STRING, True, ["C4 G3 E3 C3", NULL]),
        ],
    ),
    "scaling": (
        "scaling",
        [
            ("channel", INT32, False, [0, 1]),
            ("mean", FLOAT64, False, [-0.5, 1e12]),
            ("sd", FLOAT64, False, [1e-3, 1.0]),
        ],
    ),
    "trace": (
        "trace",
        [
            ("chain", INT32, False, [3, 3]),
            ("sweep", INT32, False, [1, 2]),
            ("log_joint", FLOAT64, True, [-1.5, 2.5]),
            ("h_10", FLOAT64, True, [0.5, 0.25]),
            ("F1", FLOAT64, True, [NULL, 0.75]),
        ],
    ),
    "timing": (
        "timing",
        [
            ("sweep", INT32, False, [1, 1]),
            ("block", STRING, False, ["states", "rates"]),
            ("seconds", FLOAT64, False, [0.5, 1e-6]),
        ],
    ),
    "heldout": (
        "heldout",
        [
            ("chain", INT32, False, [0]),
            ("sweep", INT32, False, [50]),
            ("sequence", INT32, False, [2]),
            ("log_likelihood", FLOAT64, False, [-8.25]),
            ("log_likelihood_expected", FLOAT64, False, [-7.5]),
            ("n", INT32, False, [400]),
        ],
    ),
    "draws": (
        "draws",
        [
            ("chain", INT32, False, [0, 0]),
            ("sweep", INT32, False, [500, 500]),
            ("variable", STRING, False, ["transition", "start"]),
            ("i", INT32, False, [4, 0]),
            ("j", INT32, False, [7, 2]),
            ("value", FLOAT64, False, [0.25, 1e-30]),
        ],
    ),
    "state_mean": (
        "state_mean",
        [
            ("sequence", INT32, False, [0, 1]),
            ("t", INT32, False, [0, 0]),
            ("p_0", FLOAT64, False, [0.125, 1.0]),
        ],
    ),
    "evaluation": (
        "evaluation",
        [
            ("sequence", INT32, False, [-1, 0]),
            ("n", INT32, False, [400, 0]),
            ("measure", STRING, False, ["log_predictive", "f1"]),
            ("value", FLOAT64, False, [-3300.5, 1.0]),
        ],
    ),
    "predictions": (
        "predictions",
        [
            ("sequence", INT32, False, [0, 0]),
            ("t", INT32, False, [0, 1]),
            ("log_density", FLOAT64, False, [-8.5, 0.25]),
            ("filtered_0", FLOAT64, False, [1.0, 1e-300]),
            ("smoothed_0", FLOAT64, False, [0.5, 0.0]),
            ("state", INT32, False, [17, 3]),
        ],
    ),
    "channels": (
        "channels",
        [("channel", INT32, False, [0, 1]), ("name", STRING, False, ["température", "x, y"])],
    ),
    "trace": (
        "trace",
        [
            ("chain", INT32, False, [3, 3]),
            ("sweep", INT32, False, [1, 2]),
            ("log_joint", FLOAT64, True, [-1.5, 2.5]),
            ("h_10", FLOAT64, True, [0.5, 0.25]),
            ("F1", FLOAT64, True, [NULL, 0.75]),
        ],
    ),
    "timing": (
        "timing",
        [
            ("sweep", INT32, False, [1, 1]),
            ("block", STRING, False, ["states", "rates"]),
            ("seconds", FLOAT64, False, [0.5, 1e-6]),
        ],
    ),
    "diagnostics": (
        "diagnostics",
        [
            ("name", STRING, False, ["lambda", "F1"]),
            ("n_chains", INT32, False, [4, 4]),
            ("n_draws", INT32, False, [1000, 3]),
        ]
        + [
            (name, FLOAT64, True, [1.25, NULL])
            for name in ("mean", "sd", "q5", "q95", "rhat", "ess_bulk", "ess_tail", "ess_per_second")
        ],
    ),
    "empty": ("sequences", [("sequence", INT32, False, []), ("name", STRING, False, [])]),
}
# long_table() of sample_tables.hpp: one row more than a row group holds.
ROW_GROUP_ROWS = 131072
ROWS = range(ROW_GROUP_ROWS + 1)
LONG = [
    ("sequence", INT32, False, [0 for _ in ROWS]),
    ("t", INT32, False, list(ROWS)),
    ("y_0", FLOAT64, True, [row / 8 for row in ROWS]),
    ("y_1", FLOAT64, True, [NULL if row % 3 == 0 else -row / 8 for row in ROWS]),
]
DUCKDB_TYPES = {INT32: "INTEGER", FLOAT32: "FLOAT", FLOAT64: "DOUBLE", STRING: "VARCHAR"}


def key(value):
    """A value as something that compares by its bits."""
    return struct.pack("<d", value) if isinstance(value, float) else value


def check(what, found, expected):
    if found != expected:
        raise SystemExit(f"{what}: expected {expected!r}, found {found!r}")


def check_values(what, found, expected):
    check(what, [key(value) for value in found], [key(value) for value in expected])


def content_sha256(metadata, columns):
    """The hash as docs/formats.md describes it."""
    sha = hashlib.sha256()

    def number(value):
        sha.update(struct.pack("<Q", value))

    def text(value):
        number(len(value))
        sha.update(value)

    text(metadata[b"hmmlt.table"])
    number(int(metadata[b"hmmlt.schema_version"]))
    text(metadata[b"hmmlt.provenance"])
    number(len(columns))
    number(len(columns[0][3]))
    for name, kind, _, values in columns:
        text(name.encode())
        text({INT32: b"int32", FLOAT32: b"float32", FLOAT64: b"float64", STRING: b"string"}[kind])
        has_nulls = any(value is NULL for value in values)
        number(int(has_nulls))
        if has_nulls:
            sha.update(bytes(int(value is not NULL) for value in values))
        for value in values:
            if kind == STRING:
                text((value or "").encode())
            else:
                layout = {INT32: "<i", FLOAT32: "<f", FLOAT64: "<d"}[kind]
                sha.update(struct.pack(layout, 0 if value is NULL else value))
    return sha.hexdigest()


def check_pyarrow(path, table, columns):
    data = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    check(f"{path}: columns", data.column_names, [column[0] for column in columns])
    for name, kind, nullable, values in columns:
        check(f"{path}: type of {name}", str(data.schema.field(name).type), kind)
        check(f"{path}: nullability of {name}", data.schema.field(name).nullable, nullable)
        check_values(f"{path}: pyarrow: {name}", data[name].to_pylist(), values)
    file = pyarrow.parquet.ParquetFile(path)
    metadata = file.metadata.metadata
    check(f"{path}: keys", sorted(metadata), sorted(
        [b"hmmlt.table", b"hmmlt.schema_version", b"hmmlt.provenance", b"hmmlt.content_sha256"]))
    check(f"{path}: table", metadata[b"hmmlt.table"], table.encode())
    check(f"{path}: schema version", metadata[b"hmmlt.schema_version"], b"1")
    check(f"{path}: seed", json.loads(metadata[b"hmmlt.provenance"])["seed"], str(2**64 - 1))
    check(f"{path}: content hash", metadata[b"hmmlt.content_sha256"].decode(), content_sha256(metadata, columns))
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    n_rows = len(columns[0][3])
    check(f"{path}: row groups", [group.num_rows for group in groups],
          [min(ROW_GROUP_ROWS, n_rows - first) for first in range(0, n_rows, ROW_GROUP_ROWS)])
    for group in groups:
        for index, (name, kind, _, _) in enumerate(columns):
            chunk = group.column(index)
            check(f"{path}: compression of {name}", chunk.compression, "ZSTD")
            check(f"{path}: dictionary of {name}", chunk.has_dictionary_page, kind not in (FLOAT32, FLOAT64))
            check(f"{path}: split bytes of {name}", "BYTE_STREAM_SPLIT" in chunk.encodings, kind in (FLOAT32, FLOAT64))


def check_page_checksums(path):
    """The last byte of a column is inside a page: damage there must be found by the page's checksum."""
    group = pyarrow.parquet.ParquetFile(path).metadata.row_group(0)
    for index in range(group.num_columns):
        chunk = group.column(index)
        start = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
        damaged = bytearray(path.read_bytes())
        damaged[start + chunk.total_compressed_size - 1] ^= 1
        try:
            pyarrow.parquet.read_table(pyarrow.BufferReader(bytes(damaged)), page_checksum_verification=True)
        except OSError as error:
            check(f"{path}: {error}", "CRC checksum verification failed" in str(error), True)
        else:
            raise SystemExit(f"{path}: column {index} was damaged, and its pages have no checksum that shows it")


def check_pandas(path, columns):
    frame = pandas.read_parquet(path)
    check(f"{path}: pandas: columns", list(frame.columns), [column[0] for column in columns])
    for name, _, _, values in columns:
        found = frame[name]
        check(f"{path}: pandas: missing {name}", [bool(m) for m in found.isna()],
              [value is NULL or value != value for value in values])
        for row, value in enumerate(values):
            if value is not NULL and value == value:
                check(f"{path}: pandas: {name} in row {row}", found[row], value)


def check_duckdb(path, columns):
    connection = duckdb.connect()
    described = connection.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
    check(f"{path}: DuckDB: columns", [(row[0], row[1]) for row in described],
          [(name, DUCKDB_TYPES[kind]) for name, kind, _, _ in columns])
    rows = connection.execute(f"SELECT * FROM '{path}'").fetchall()
    for index, (name, _, _, values) in enumerate(columns):
        check_values(f"{path}: DuckDB: {name}", [row[index] for row in rows], values)


def write_foreign(directory, sample, columns):
    arrays = {name: pyarrow.array(values, type=kind) for name, kind, _, values in columns}
    wide = {INT32: "int64", FLOAT32: "float32", FLOAT64: "float64", STRING: "large_string"}
    # any order will do, except among the scalars of a trace, which have no other
    order = columns if sample == "trace" else reversed(columns)
    pyarrow.parquet.write_table(
        pyarrow.table({name: arrays[name].cast(wide[kind]) for name, kind, _, _ in order}),
        directory / f"{sample}.pyarrow.parquet")
    exact = pyarrow.table(arrays)
    connection = duckdb.connect()
    connection.register("exact", exact)
    connection.execute(f"COPY (SELECT * FROM exact) TO '{directory}/{sample}.duckdb.parquet' (FORMAT parquet)")
    if any(value is not NULL and value != value for column in columns for value in column[3]):
        return  # pandas has one word for missing and for NaN
    frame = exact.to_pandas()  # integers with gaps become floats
    frame.to_parquet(directory / f"{sample}.pandas.parquet")
    frame.convert_dtypes().to_parquet(directory / f"{sample}.pandas-nullable.parquet")


def main(program):
    with tempfile.TemporaryDirectory() as scratch:
        ours, foreign = Path(scratch, "ours"), Path(scratch, "foreign")
        ours.mkdir()
        foreign.mkdir()
        subprocess.run([program, "write", ours], check=True)
        check("files", sorted(path.name for path in ours.iterdir()), sorted(f"{name}.parquet" for name in [*SAMPLES, "long"]))
        for sample, (table, columns) in SAMPLES.items():
            path = ours / f"{sample}.parquet"
            check_pyarrow(path, table, columns)
            check_pandas(path, columns)
            check_duckdb(path, columns)
            write_foreign(foreign, sample, columns)
            if columns[0][3]:
                check_page_checksums(path)
        check_pyarrow(ours / "long.parquet", "observations", LONG)
        check_duckdb(ours / "long.parquet", LONG)
        subprocess.run([program, "read", foreign], check=True)
    print(f"{len(SAMPLES)} sample tables agree in pyarrow, pandas and DuckDB")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
