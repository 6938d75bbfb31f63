"""Puts what a report wrote for a README between two marks of it, so that no number there is typed by hand.

python tools/readme_headline.py README.md...            writes it anew
python tools/readme_headline.py --check README.md...    fails if it is not what the report says

The first mark names part and report: <!-- headline of reports/paper --> is its headline.md, <!-- front of reports/paper -->
its front.md. The second is <!-- end of headline --> or <!-- end of front -->.
"""

import argparse
import os
import pathlib
import re
import sys

BEGIN = re.compile(r"^<!-- (headline|front) of (\S+) -->$", re.MULTILINE)
END = re.compile(r"^<!-- end of (headline|front) -->$", re.MULTILINE)


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


def parts(readme: pathlib.Path) -> tuple[str, pathlib.Path, str, str]:
    """What stands before, the file of the report that is named, what is between the marks, what stands after."""
    try:
        text = readme.read_text()
    except OSError as error:
        raise Refused(f"{readme}: {error.strerror}", 74) from None
    begins, ends = list(BEGIN.finditer(text)), list(END.finditer(text))
    paired = len(begins) == len(ends) == 1 and begins[0].end() < ends[0].start() and begins[0][1] == ends[0][1]
    if not paired:
        raise Refused(
            f"{readme}: expected one line <!-- headline of reports/NAME --> and after it one <!-- end of headline --> (or"
            f" front in the place of headline), found {len(begins)} and {len(ends)}",
            65,
        )
    begin, end = begins[0].end() + 1, ends[0].start()
    source = readme.parent / begins[0][2] / f"{begins[0][1]}.md"
    return text[:begin], source, text[begin:end], text[end:]


def from_report(readme: pathlib.Path, source: pathlib.Path) -> str | None:
    return linked(source.read_text(), str(source.parent.relative_to(readme.parent))) if source.exists() else None


def update(readme: pathlib.Path) -> None:
    before, source, _, after = parts(readme)
    text = from_report(readme, source)
    if text is None:
        raise Refused(f"{source}: expected the {source.stem} of a report there, found none", 74)
    partial = readme.with_name(f".{readme.name}.partial")
    partial.write_text(f"{before}\n{text}\n{after}")
    os.replace(partial, readme)


def check(readme: pathlib.Path) -> None:
    _, source, between, _ = parts(readme)
    text = from_report(readme, source)
    if between.strip() != (text or "").strip():
        found = "another" if text else "none"
        place = source.relative_to(readme.parent)
        raise Refused(f"{readme}: its {source.stem} differs from {place}, where there is {found}; make readme", 65)
    for picture in re.findall(r'src="([^"]+)"', between):
        if not (readme.parent / picture).is_file():
            raise Refused(f"{readme}: {picture}: expected a picture there, found none; make readme after a new report", 65)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="What a report wrote for READMEs, into them.")
    parser.add_argument("readmes", type=pathlib.Path, nargs="+", metavar="README", help="a file with the two marks")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if it is not up to date")
    arguments = parser.parse_args(argv)
    try:
        for readme in arguments.readmes:
            (check if arguments.check else update)(readme)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return refused.code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
