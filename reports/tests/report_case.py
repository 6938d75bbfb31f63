"""hmmlt-report inside the test's own process: its libraries take seconds to load, and here they are loaded once."""

import contextlib
import io
import subprocess

from stage_case import StageCase

from hmmlt_report import cli


class ReportCase(StageCase):
    def run_report(self, *arguments):
        """As run_stage("report", ...), of which each test program has one call, for the launcher."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = cli.main([str(argument) for argument in arguments])
            except SystemExit as end:  # of the command line's reader
                code = end.code
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
