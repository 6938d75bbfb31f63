"""Runs hmmlt-report from a checkout: python reports/hmmlt_report.py --help."""

import sys

from hmmlt_report.cli import main  # the package beside this file

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
