"""Sources of one target are compiled together, several at a time: python tools/check_names.py BUILD

What a source keeps to itself, in an unnamed namespace, must therefore have a name that no other source of its target uses so:
otherwise a call could mean a function of another file without a word. Exits with 1 if a name occurs twice.
"""

import json
import pathlib
import re
import sys
from collections import defaultdict


def statements_of(text: str) -> list[str]:
    """What stands directly in the unnamed namespaces of a source, bodies left out."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.DOTALL)
    text = re.sub(r'"(\\.|[^"\\\n])*"|//[^\n]*|^#[^\n]*|\'.\'', "", text, flags=re.MULTILINE)
    statements = []
    for opening in re.finditer(r"^namespace \{$", text, re.MULTILINE):
        depth, statement = 1, ""
        for character in text[opening.end() :]:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                break
            if character in ";}" and depth == 1:
                statements.append(" ".join(statement.split()))
                statement = ""
            elif depth == 1 and character != "}":
                statement += character
    return statements


def name_of(statement: str) -> str | None:
    """The name that a statement declares; an alias may be repeated, and `using` gives no new name."""
    statement = re.sub(r"template <[^()]*?> (?=[a-z])|\[\[\w+\]\] ", "", statement).split("=")[0].strip()
    if statement.startswith(("namespace ", "using ", "static_assert")):
        return None
    for pattern in (r"(?:struct|class|enum class|enum|union) (\w+)", r".*?(\w+)\s*\(", r".*?(\w+)\s*(?:\[.*\])*$"):
        if found := re.match(pattern, statement.removesuffix("{")):
            return found[1]
    return None


def shared_names(sources: list[pathlib.Path]) -> dict[str, list[pathlib.Path]]:
    """Names that several of these sources keep to themselves."""
    places = defaultdict(set)
    for source in sources:
        for name in filter(None, map(name_of, statements_of(source.read_text()))):
            places[name].add(source)
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def compiled_together(build: pathlib.Path) -> dict[str, list[pathlib.Path]]:
    """The sources of each target as the build has them now; a group that it no longer compiles may still lie there."""
    targets = defaultdict(list)
    for command in json.loads((build / "compile_commands.json").read_text()):
        group = pathlib.Path(command["file"])
        if group.parent.name == "Unity":
            sources = re.findall(r'#include "([^"]+)"', group.read_text())
            targets[group.parent.parent.stem] += map(pathlib.Path, sources)
    return targets


def main(arguments: list[str]) -> int:
    status = 0
    targets = compiled_together(pathlib.Path(arguments[0]))
    for target, sources in sorted(targets.items()):
        for name, places in shared_names(sources).items():
            status = 1
            print(f"{target}: {name} stands in an unnamed namespace of", *(place.name for place in places))
    if not targets:
        print(f"check_names: {arguments[0]}: expected a build whose sources are compiled together, found none")
        return 1
    if status:
        print("check_names: these sources are compiled together; give each its own name")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
