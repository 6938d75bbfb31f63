"""docs/adding.md as a reader follows it: every command in its ```sh blocks works, in a scratch copy of the tree.

python adding_test.py BIN_DIRECTORY
"""

import os
import re
import shutil
import subprocess
import sys

from stage_case import ROOT, StageCase, checkout, main, without_make

GUIDE = ROOT / "docs/adding.md"
# The copy of the tree takes the place of the tree, for one command and what it starts: what is built already stands where
# it was made, and only what is new or changed is compiled. Arguments: the place, the copy, the command.
IN_PLACE = """mount --bind "$1/.venv" "$2/.venv"
mount --rbind "$2" "$1"
cd "$1"
eval "$3"
"""
UNSHARE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]


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

    def prepare_build(self):
        """How a command is run in the copy. Where no place may be taken, everything is compiled anew in the copy's own."""
        shell = ["bash", "-euo", "pipefail", "-c"]
        if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
            (self.tree / "tools/setup.sh").write_text("#!/bin/sh\n")  # it would make another environment for this folder
            return lambda command: [*shell, command]
        (self.tree / ".venv").unlink()
        (self.tree / ".venv").mkdir()
        built = ROOT / "build/release"
        shutil.copytree(built, self.tree / "build/release", symlinks=True)
        return lambda command: [*UNSHARE, *shell, IN_PLACE, "bash", ROOT, self.tree, command]

    def test_every_command_of_the_guide_works(self):
        self.assertIn("make build", commands())
        run_here = self.prepare_build()
        for command in patches_first(commands()):
            result = subprocess.run(run_here(command), cwd=self.tree, env=without_make(), capture_output=True, text=True,
                                    timeout=2700)  # fmt: skip
            output = result.stdout
            self.assertEqual(result.returncode, 0, f"{command}\n{output}{result.stderr}")
            if command.startswith("make -n"):
                self.assertEqual(output.count("hmmlt-train --data"), 6, output)
            if command.startswith("ctest"):
                self.assertIn("100% tests passed", output)
                self.assertNotIn("No tests were found", output)

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
