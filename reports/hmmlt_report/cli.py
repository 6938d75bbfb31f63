"""The command line of hmmlt-report: a report of experiments' runs, or of a user's own chains."""

import argparse
import pathlib
import sys

EXAMPLE = """examples:
  hmmlt-report --name paper --results results --runs results/*/paper/*/*/single --out reports/paper
  hmmlt-report --run results/sensors/run/chain-* --out results/sensors/report

exit codes: 0, 64 usage, 65 data, 74 I/O, 130 interrupted"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str):
        print(f"hmmlt-report: {message}", file=sys.stderr)
        raise SystemExit(64)


def parse(argv: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="hmmlt-report",
        description="Figures, tables and a page from chains; with --run the page is self-contained.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--name", help="of the report; with --run its title (default: the data and the model)")
    parser.add_argument(
        "--results", type=pathlib.Path, default=pathlib.Path("results"), help="where runs lie (default: results)"
    )
    parser.add_argument(
        "--runs",
        type=pathlib.Path,
        nargs="+",
        help="run directories: RESULTS/<experiment>/<variant>/<data>/<model>/<sampler>",
    )
    parser.add_argument(
        "--planned",
        type=pathlib.Path,
        metavar="FILE",
        help="a list of all runs that there should be, <experiment>/<variant>/<data>/<model>/<sampler> each; the page names"
        " those that are missing",
    )
    parser.add_argument(
        "--run", type=pathlib.Path, nargs="+", metavar="CHAIN", help="chain directories of one model on your own data"
    )
    parser.add_argument(
        "--data", type=pathlib.Path, help="with --run: the data directory (default: the one the chains were trained on)"
    )
    parser.add_argument(
        "--out", type=pathlib.Path, required=True, help="directory to write; an older report there is replaced"
    )
    arguments = parser.parse_args(argv)
    if bool(arguments.runs) == bool(arguments.run):
        parser.error("expected either --runs (experiments) or --run (your own chains); see --help")
    if arguments.runs and not arguments.name:
        parser.error("--runs needs --name")
    if arguments.planned and not arguments.runs:
        parser.error("--planned belongs to --runs")
    if arguments.data and not arguments.run:
        parser.error("--data belongs to --run; experiments know their data")
    return arguments


def say(line: str) -> None:
    print(f"hmmlt-report: {line}", file=sys.stderr, flush=True)


def main(argv: list[str]) -> int:
    arguments = parse(argv)
    from .chains import ReportError, read_planned  # after the command line: plotting libraries take a second to load
    from .output import may_replace

    try:
        if not may_replace(arguments.out):
            raise ReportError(
                f"{arguments.out}: expected no directory, an empty one or an older report, found other files"
            )
        if arguments.runs:
            from .report import write_report

            root = pathlib.Path(__file__).resolve().parents[2]
            planned = read_planned(arguments.planned) if arguments.planned else []
            write_report(arguments.name, arguments.runs, planned, arguments.results, root, arguments.out, say)
        else:
            from .user_run import write_user_report

            write_user_report(arguments.run, arguments.data, arguments.name, arguments.out, say)
    except ReportError as error:
        say(str(error))
        return error.code
    except OSError as error:
        say(f"{error.filename or arguments.out}: {error.strerror or error}")
        return 74
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    print(arguments.out / "index.html")
    return 0
