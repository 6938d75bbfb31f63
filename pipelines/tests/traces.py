"""Chain directories for tests: traces as any program may write them, or as hmmlt itself does."""

import json
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "libhmmlt/tests/io"))
import read_back

NAMES = {"int32": read_back.INT32, "float": read_back.FLOAT32, "double": read_back.FLOAT64, "string": read_back.STRING}


def write_table(path, name, columns, provenance):
    """With the metadata and the content hash of docs/formats.md, unless provenance is None."""
    table = pa.table(columns)
    if provenance is not None:
        metadata = {
            b"hmmlt.table": name.encode(),
            b"hmmlt.schema_version": b"1",
            b"hmmlt.provenance": json.dumps(provenance, sort_keys=True).encode(),
        }
        content = [(f.name, NAMES[str(f.type)], f.nullable, table[f.name].to_pylist()) for f in table.schema]
        metadata[b"hmmlt.content_sha256"] = read_back.content_sha256(metadata, content).encode()
        table = table.replace_schema_metadata(metadata)
    pq.write_table(table, path)


def change_provenance(path, **changes):
    """A table of hmmlt as if it had been made otherwise, with the content hash that belongs to it."""
    table = pq.read_table(path)
    metadata = dict(table.schema.metadata)
    metadata[b"hmmlt.provenance"] = json.dumps(
        json.loads(metadata[b"hmmlt.provenance"]) | changes, sort_keys=True, separators=(",", ":")).encode()
    content = [(f.name, NAMES[str(f.type)], f.nullable, table[f.name].to_pylist()) for f in table.schema]
    metadata[b"hmmlt.content_sha256"] = read_back.content_sha256(metadata, content).encode()
    pq.write_table(table.replace_schema_metadata(metadata), path)


def provenance(config="", seed=1, data="00"):
    return {
        "config": config,
        "seed": str(seed),
        "inputs": {"observations": data},
        "executable_sha256": "11",
        "instruction_set": "none",
        "blas": {"library": "none", "core": "none", "threads": 1},
    }


def write_chain(directory, chain, scalars, provenance=None, seconds=None, first_sweep=1):
    """scalars: name -> values by sweep, None where not computed. `seconds` of each sweep, in two blocks."""
    directory.mkdir(parents=True, exist_ok=True)
    n = len(next(iter(scalars.values())))
    sweep = np.arange(first_sweep, first_sweep + n)
    columns = {"chain": pa.array(np.full(n, chain), pa.int32()), "sweep": pa.array(sweep, pa.int32())}
    columns |= {name: pa.array(values, pa.float64(), from_pandas=False) for name, values in scalars.items()}
    write_table(directory / "trace.parquet", "trace", columns, provenance)
    if seconds is not None:
        columns = {
            "sweep": pa.array(np.repeat(sweep, 2), pa.int32()),
            "block": ["states", "rates"] * n,
            "seconds": np.full(2 * n, seconds / 2),
        }
        write_table(directory / "timing.parquet", "timing", columns, provenance)
    return directory
