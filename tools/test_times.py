"""What phases of testing cost, and what failed in them: python tools/test_times.py BUILD PHASE=MILLISECONDS...

Reads what ctest left in BUILD/test-results/PHASE/PRESET.xml; writes BUILD/test-times.csv, where a row is a test, or a phase if
it names no test. Rows of other phases stay. Prints the slowest tests, the phases, and how to run again what failed.
"""

import csv
import pathlib
import re
import shlex
import sys
import xml.etree.ElementTree
from typing import NamedTuple

N_SLOWEST = 10


class Row(NamedTuple):
    phase: str
    test: str
    seconds: float


def read_results(build: pathlib.Path, phase: str) -> tuple[list[Row], list[str]]:
    """The tests of a phase, and the commands that run again those that failed; none if the phase has no tests."""
    rows, failed = [], []
    for path in sorted((build / "test-results" / phase).glob("*.xml")):
        for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
            name = case.get("name", "")
            rows.append(Row(phase, name, float(case.get("time", 0))))
            if did_fail(case):
                pattern = re.sub(r"([][\\^$.()*+?|])", r"\\\1", name)
                failed.append(f"ctest --preset {path.stem} -R {shlex.quote(f'^{pattern}$')}")
    return rows, failed


def did_fail(case: xml.etree.ElementTree.Element) -> bool:
    """A test whose program is missing has not run, and that is no skip of its own."""
    skipped = case.find("skipped")
    return case.find("failure") is not None or (skipped is not None and "SKIP_" not in skipped.get("message", ""))


def write_table(path: pathlib.Path, rows: list[Row]) -> None:
    phases = {row.phase for row in rows}
    if path.exists():
        with path.open() as file:
            others = [Row(row["phase"], row["test"], float(row["seconds"])) for row in csv.DictReader(file)]
        rows = [row for row in others if row.phase not in phases] + rows
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows((phase, test, f"{seconds:.2f}") for phase, test, seconds in rows)


def print_table(title: str, rows: list[tuple[str, float]]) -> None:
    if rows:
        print(f"\n  seconds  {title}", *(f"{seconds:9.1f}  {name}" for name, seconds in rows), sep="\n")


def main(arguments: list[str]) -> int:
    build = pathlib.Path(arguments[0])
    phases, tests, table, failed = [], [], [], []
    for argument in arguments[1:]:
        name, milliseconds = argument.split("=")
        phases.append(Row(name, "", int(milliseconds) / 1000))
        of_phase, failed_of_phase = read_results(build, name)
        table += [phases[-1], *of_phase]
        tests += of_phase
        failed += failed_of_phase
    write_table(build / "test-times.csv", table)
    slowest = sorted(tests, key=lambda row: -row.seconds)[:N_SLOWEST]
    print_table("slowest test", [(row.test, row.seconds) for row in slowest])
    print_table("phase", [(row.phase, row.seconds) for row in phases])
    print(f"{sum(row.seconds for row in phases):9.1f}  together; all tests: {build}/test-times.csv")
    for command in failed:
        print(f"failed: {command}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
