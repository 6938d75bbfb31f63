"""Makes a new experiment or a new stage from tools/templates, in which both are called `example`.

python tools/new.py experiment NAME    a folder experiments/NAME that `make NAME` runs
python tools/new.py stage NAME         pipelines/NAME.cpp, its test, CMake row, make rule and table row
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "tools/templates"
MAKEFILES = ["Makefile", "pipelines/*.mk", "datasets/*/dataset.mk"]


class Refused(Exception):
    """One sentence for the user."""


def named(text: str, name: str) -> str:
    """A template's text for another name: words_like_this in sources, words-like-this in programs, WordsLikeThis in types."""
    dashed = name.replace("_", "-")
    title = "".join(word.capitalize() for word in name.split("_"))
    return text.replace("hmmlt-example", f"hmmlt-{dashed}").replace(
        "program,example", f"program,{dashed}").replace(
        'run_stage("example"', f'run_stage("{dashed}"').replace(
        "class Example", f"class {title}").replace("example", name)  # fmt: skip


def check_name(name: str) -> str:
    name = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise Refused(f"NAME={name}: expected small letters, digits and _, beginning with a letter, e.g. NAME=my_data")
    return name


def insert_after_last(text: str, pattern: str, line: str) -> str:
    last = list(re.finditer(pattern, text, re.MULTILINE))[-1]
    return text[: last.end()] + "\n" + line + text[last.end() :]


def write_all(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = ROOT / name
        print(f"{'changed' if path.exists() else 'new'}: {name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def refuse_existing(*names: str) -> None:
    for name in names:
        if (ROOT / name).exists():
            raise Refused(f"{name}: expected no such file or folder yet, found one")


def new_experiment(name: str) -> None:
    folder = f"experiments/{name}"
    refuse_existing(folder)
    lines = [line for pattern in MAKEFILES for path in ROOT.glob(pattern) for line in path.read_text().splitlines()]
    if any(re.match(rf"[a-z \-]*\b{name.replace('_', '[_-]')}\b[a-z \-]*:", line) for line in lines):
        raise Refused(f"NAME={name}: expected a name that is no target of make yet, found one")
    template = TEMPLATES / "experiment"
    write_all({f"{folder}/{path.relative_to(template)}": named(path.read_text(), name)
               for path in sorted(template.rglob("*")) if path.is_file()})  # fmt: skip
    print(f"Try it: make {name}")


def new_stage(name: str) -> None:
    source, test = f"pipelines/{name}.cpp", f"pipelines/tests/{name}_test.py"
    refuse_existing(source, test, f"pipelines/{name}")
    template = {path.name: named(path.read_text(), name) for path in (TEMPLATES / "stage").iterdir()}
    cmake = (ROOT / "pipelines/CMakeLists.txt").read_text()
    cmake = insert_after_last(cmake, r"^hmmlt_add_stage\([a-z_ ]+\)$", f"hmmlt_add_stage({name})")
    cmake = re.sub(r"foreach\(stage ([a-z_ ]+)\)", lambda tests: f"foreach(stage {' '.join(sorted([*tests[1].split(), name]))})", cmake)
    readme = (ROOT / "pipelines/README.md").read_text()
    write_all({
        source: template["example.cpp"],
        test: template["example_test.py"],
        "pipelines/CMakeLists.txt": cmake,
        "pipelines/rules.mk": (ROOT / "pipelines/rules.mk").read_text() + template["example.mk"],
        "pipelines/README.md": insert_after_last(readme, r"^\| `hmmlt-.*$", template["example.row"].rstrip()),
    })  # fmt: skip
    subprocess.run([pathlib.Path(sys.executable).parent / "clang-format", "-i", ROOT / source], check=True)  # a longer name may break a line elsewhere
    program = f"hmmlt-{name.replace('_', '-')}"
    print(f"Try it: make build && build/release/bin/{program} --help && ctest --preset release --tests-regex pipelines/{name}")


def main(argv: list[str]) -> int:
    try:
        makers = {"experiment": new_experiment, "stage": new_stage}
        if len(argv) != 2 or argv[0] not in makers:
            raise Refused("expected: python tools/new.py experiment NAME, or stage NAME")
        if not argv[1]:
            raise Refused(f"expected a name: make new-{argv[0]} NAME=mine")
        makers[argv[0]](check_name(argv[1]))
    except Refused as error:
        print(f"new.py: {error}", file=sys.stderr)
        return 64
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
