"""Checks that docs/cpp.md shows the program that the tests build and run, and that links in Markdown lead somewhere."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page: pathlib.Path) -> set[str]:
    """What headings are called in links, as GitHub spells it, and anchors that are named."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ +(.+)$", text, re.MULTILINE)
    spelled = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)
    return {*spelled, *re.findall(r'<a id="([^"]+)">', text)}


def broken_links(page: pathlib.Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    out = []
    for link in LINK.findall(text):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = page.parent / path if path else page
        if not target.exists():
            out.append(f"{page.relative_to(ROOT)}: the link {link}: expected a file there, found none")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            out.append(f"{page.relative_to(ROOT)}: the link {link}: expected such a heading, found none")
    return out


def main() -> int:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.md"]
    pages = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    found = [line for name in pages if name and (ROOT / name).exists() for line in broken_links(ROOT / name)]
    example = (ROOT / "libhmmlt/tests/consumer/example.cpp").read_text().strip()
    if f"```cpp\n{example}\n```" not in (ROOT / "docs/cpp.md").read_text():
        found.append("docs/cpp.md: its C++ example differs from libhmmlt/tests/consumer/example.cpp")
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
