"""Puts the headline that a report wrote between two marks of a README, so that no number there is typed by hand.

python tools/readme_headline.py README.md            writes it anew
python tools/readme_headline.py --check README.md    fails if it is not what the report says

The first mark names the report, <!-- headline of reports/paper -->; the second is <!-- end of headline -->.
"""

import argparse
import os
import pathlib
import re
import sys

BEGIN, END = re.compile(r"^<!-- headline of (\S+) -->$", re.MULTILINE), "<!-- end of headline -->"


class Refused(Exception):
    """One sentence for the user, and the exit code."""

    def __init__(self, sentence: str, code: int):
        super().__init__(sentence)
        self.code = code


def linked(text: str, folder: str) -> str:
    """Links and pictures of the headline are relative to its report; here they start from the README."""

    def place(match: re.Match) -> str:
        target = match[2]
        outside = re.match(r"[a-z]+:|[/#]", target)
        return match[0] if outside else f"{match[1]}{folder}/{target}"

    return re.sub(r'(\]\(|src=")([^)"]+)', place, text)


def parts(readme: pathlib.Path) -> tuple[str, str, str, str]:
    """What stands before, the report that is named, what is between the marks, what stands after."""
    try:
        text = readme.read_text()
    except OSError as error:
        raise Refused(f"{readme}: {error.strerror}", 74) from None
    marks = list(BEGIN.finditer(text))
    if len(marks) != 1 or text.count(END) != 1 or text.index(END) < marks[0].end():
        raise Refused(
            f"{readme}: expected one line <!-- headline of reports/NAME --> and after it one {END}, found"
            f" {len(marks)} and {text.count(END)}",
            65,
        )
    begin, end = marks[0].end() + 1, text.index(END)
    return text[:begin], marks[0][1], text[begin:end], text[end:]


def headline_for(readme: pathlib.Path, report: str) -> str | None:
    path = readme.parent / report / "headline.md"
    return linked(path.read_text(), report) if path.exists() else None


def update(readme: pathlib.Path) -> None:
    before, report, _, after = parts(readme)
    headline = headline_for(readme, report)
    if headline is None:
        path = readme.parent / report / "headline.md"
        raise Refused(f"{path}: expected the headline of a report there, found none", 74)
    partial = readme.with_name(f".{readme.name}.partial")
    partial.write_text(f"{before}\n{headline}\n{after}")
    os.replace(partial, readme)


def check(readme: pathlib.Path) -> None:
    _, report, between, _ = parts(readme)
    headline = headline_for(readme, report)
    if between.strip() != (headline or "").strip():
        found = "another" if headline else "none"
        raise Refused(f"{readme}: its headline differs from {report}/headline.md, where there is {found}; make readme", 65)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="The headline of a report into a README.")
    parser.add_argument("readme", type=pathlib.Path, help="the file with the two marks")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if it is not up to date")
    arguments = parser.parse_args(argv)
    try:
        (check if arguments.check else update)(arguments.readme)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return refused.code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
