"""docs/adding.md as a reader follows it: every command in its ```sh blocks works, in a scratch copy of the tree.

python adding_test.py BIN_DIRECTORY
"""

import re
import subprocess
import sys

from stage_case import ROOT, StageCase, checkout, main, without_make

GUIDE = ROOT / "docs/adding.md"
BUILD = "make build"


def commands():
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    return [line.split("  #")[0].strip() for block in blocks for line in block.splitlines() if line.strip()]


def patches_first(lines):
    """Both examples of a part change the same headers: applied together, they are compiled once."""
    is_patch = [line.startswith("git apply") for line in lines]
    first = is_patch.index(True)
    return lines[:first] + sorted(lines[first:], key=lambda line: not line.startswith("git apply"))


class Adding(StageCase):
    def setUp(self):
        super().setUp()
        self.tree = self.scratch / "tree"
        checkout(self.tree)
        # what is built already, since compiling all of it takes minutes; set-up is that of this checkout
        makefile = (self.tree / "Makefile").read_text()
        makefile = re.sub(r"^(setup|build):.*\n(\t.*\n)+", r"\1:\n", makefile, flags=re.MULTILINE)
        (self.tree / "Makefile").write_text(makefile)
        built = self.bin_directory.parent
        self.build = self.tree / "build/release"
        for path in [*built.glob("*/*.a"), *built.glob("*/*/*.a"), *self.bin_directory.glob("hmmlt-*")]:
            (self.build / path.relative_to(built)).parent.mkdir(parents=True, exist_ok=True)
            (self.build / path.relative_to(built)).symlink_to(path)

    def run_here(self, command, cwd=None):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=cwd or self.tree, env=without_make(),
                                capture_output=True, text=True, timeout=2700)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}{result.stderr}")
        return result.stdout

    def build_stages(self):
        """Configures as `make build` does, then compiles and links the stages that are new."""
        self.run_here("cmake --preset release --log-level=WARNING")
        for source in (self.tree / "pipelines").glob("*.cpp"):
            program = f"hmmlt-{source.stem.replace('_', '-')}"
            if not (ROOT / "pipelines" / source.name).exists():
                steps = self.run_here(f"ninja -t commands {program}", self.build).splitlines()
                for step in steps:
                    if f"{program}.dir/" in step:
                        self.run_here(step, self.build)

    def test_every_command_of_the_guide_works(self):
        self.assertIn(BUILD, commands())
        for command in patches_first(commands()):
            output = self.build_stages() if command == BUILD else self.run_here(command)
            if command.startswith("make -n"):
                self.assertEqual(output.count("hmmlt-train --data"), 6, output)
            if command.startswith("ctest"):
                self.assertIn("100% tests passed", output)

    def test_every_file_that_the_guide_names_is_there(self):
        text = re.sub(r"^```.*?^```", "", GUIDE.read_text(), flags=re.MULTILINE | re.DOTALL)
        names = re.findall(r"`([a-z_]+(?:/[A-Za-z_.]+)+|[A-Z]\w+\.(?:txt|md)|Makefile)`", text)
        self.assertGreater(len(names), 10)
        for name in names:
            if "mine" not in name and "count_steps" not in name:
                self.assertTrue((ROOT / name).exists() or (ROOT / "libhmmlt" / name).exists(), name)

    def test_names_that_are_taken_or_odd_are_refused(self):
        for kind, name, words in [("experiment", "synthetic", "experiments/synthetic"), ("experiment", "paper", "target"),
                                  ("experiment", "", "NAME=mine"), ("stage", "train", "pipelines/train.cpp"),
                                  ("stage", "9 lives", "small letters")]:  # fmt: skip
            result = subprocess.run([sys.executable, "tools/new.py", kind, name], cwd=self.tree, capture_output=True, text=True)
            self.assert_fails(result, 64, words)


if __name__ == "__main__":
    main(sys.argv)
