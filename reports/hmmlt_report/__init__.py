"""hmmlt-report: tables of chains become figures, a claims table and one self-contained page."""
