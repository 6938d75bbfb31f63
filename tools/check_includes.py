"""Checks that includes inside the project point one way:

random, math <- similarity, locations, emission, dynamics, conditionals <- model <- sampler <- io <- pipelines

A file may include its own layer and the layers before it, and every file is listed in CMake. Prints each violation as
file:line and exits 1.
"""

import pathlib
import re
import sys

LAYERS = [
    {"random", "math"},
    {"similarity", "locations", "emission", "dynamics", "conditionals"},
    {"model"},
    {"sampler", "diagnostics"},
    {"io"},
]
RANK = {folder: rank for rank, layer in enumerate(LAYERS) for folder in layer}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](hmmlt/[^>"]+|pipelines/[^>"]+)[>"]')
# Headers that only io may see: Arrow types never cross it. Other heavy parsers have one home each.
FOREIGN = {
    "arrow/": "io",
    "parquet/": "io",
    "toml++/": "io",
    "nlohmann/": "io",
    "openssl/": "io",
}
FOREIGN_INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>")


def violations(root: pathlib.Path):
    library = root / "libhmmlt" / "hmmlt"
    listed = set((root / "libhmmlt" / "CMakeLists.txt").read_text().replace(")", " ").split())
    for path in sorted(p for p in library.rglob("*.?pp")):
        folder = path.relative_to(library).parts[0]
        if str(path.relative_to(library.parent)) not in listed:
            yield path, 1, "is not listed in libhmmlt/CMakeLists.txt"
        if folder not in RANK:
            yield path, 1, f"folder {folder}/ has no place in the order of layers"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if ours := INCLUDE.match(line):
                target = ours.group(1).split("/")
                if target[0] == "pipelines":
                    yield path, number, "the library must not include a stage"
                elif RANK.get(target[1], len(LAYERS)) > RANK[folder]:
                    yield path, number, f"{folder}/ must not include {target[1]}/"
            if other := FOREIGN_INCLUDE.match(line):
                for prefix, home in FOREIGN.items():
                    if other.group(1).startswith(prefix) and folder != home:
                        yield path, number, f"<{other.group(1)}> may be included only in {home}/"
                    if other.group(1).startswith(prefix) and path.suffix == ".hpp" and "arrow_" not in path.name:
                        yield path, number, f"<{other.group(1)}> may not be included in a header"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for path, number, reason in found:
        print(f"{path.relative_to(root)}:{number}: {reason}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
