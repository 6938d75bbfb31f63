"""hmmlt-report: tables of chains become figures, a claims table and a page."""
