"""What tools/setup.sh says and does where packages, root or the network are missing: on a made-up machine, nothing installed."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["awk", "basename", "bash", "cat", "comm", "cut", "dirname", "echo", "env", "grep", "mkdir", "rm", "sed", "sha256sum", "sort",
         "tail", "tee", "tr", "xargs"]
PROGRAMS = ["c++", "cmake", "ninja", "git", "espeak-ng"]
NO_SUCH_WHEEL = f"hmmlt-no-such-wheel==1.0 \\\n    --hash=sha256:{'0' * 64}\n"


class Setup(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = pathlib.Path(scratch.name).resolve() / "tree"
        self.bin = self.tree.parent / "bin"
        (self.tree / "tools").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(ROOT / "tools/setup.sh", self.tree / "tools")
        for name, text in [("debian-packages.txt", "# why\ng++\nlibfmt-dev\n"), ("debian-packages-test.txt", "doctest-dev\n"),
                           ("requirements.txt", "# none\n"), ("requirements-test.txt", NO_SUCH_WHEEL)]:
            (self.tree / "tools" / name).write_text(text)
        for name in TOOLS:
            (self.bin / name).symlink_to(shutil.which(name))
        for name in PROGRAMS:
            self.program(name, "exit 0")
        self.program("id", "echo 1000")
        self.program("sudo", "exit 1")
        self.program("apt-get", f'echo "$@" >> {self.tree}/apt-calls; echo "no route to the mirror"; exit 100')
        self.installed("g++", "libfmt-dev")
        self.system("debian", "12")
        (self.tree / ".venv/bin").mkdir(parents=True)
        python = self.tree / ".venv/bin/python"
        python.write_text(f'#!/bin/sh\nPIP_NO_INDEX=1 exec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        self.mark("requirements")

    def program(self, name, script):
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def installed(self, *names):
        self.program("dpkg-query", "".join(f"echo 'ii  {name}'; " for name in names) or "exit 1")

    def system(self, name, version):
        self.os_release = self.tree / "os-release"
        self.os_release.write_text(f'ID={name}\nVERSION_ID="{version}"\nPRETTY_NAME="{name} {version}"\n')

    def mark(self, wheels):
        """These wheels are installed already."""
        text = (self.tree / f"tools/{wheels}.txt").read_bytes() + f"{self.tree}\n".encode()
        (self.tree / f".venv/hmmlt-{wheels}").write_text(hashlib.sha256(text).hexdigest() + "\n")

    def set_up(self, *sets):
        environment = {"PATH": str(self.bin), "OS_RELEASE": str(self.os_release), "HOME": os.environ.get("HOME", "/")}
        return subprocess.run([str(self.bin / "bash"), "tools/setup.sh", *sets], cwd=self.tree, env=environment,
                              capture_output=True, text=True, timeout=60)

    def test_with_everything_there_it_says_and_does_nothing(self):
        result = self.set_up()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertFalse((self.tree / "apt-calls").exists())

    def test_without_root_one_sentence_names_what_is_missing_and_the_command(self):
        self.installed("g++")
        self.mark("requirements-test")
        result = self.set_up("test")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "setup: these Debian packages are missing and only root can install them; please run: "
                         "sudo sh -c 'apt-get update && apt-get install --yes --no-install-recommends doctest-dev libfmt-dev'\n")
        self.assertFalse((self.tree / "apt-calls").exists())

    def test_without_network_the_command_is_named_too(self):
        self.installed("g++")
        self.program("id", "echo 0")
        result = self.set_up()
        self.assertEqual(result.returncode, 1)
        self.assertIn("no route to the mirror", result.stderr)
        self.assertTrue(result.stderr.endswith("once the network is there, run: apt-get update && apt-get install --yes "
                                               "--no-install-recommends libfmt-dev\n"), result.stderr)
        self.assertIn("install", (self.tree / "apt-calls").read_text())

    def test_wheels_that_cannot_be_fetched_are_named(self):
        self.installed("g++", "libfmt-dev", "doctest-dev")
        result = self.set_up("test")
        self.assertEqual(result.returncode, 1)
        last = result.stderr.splitlines()[-1]
        self.assertIn(": hmmlt-no-such-wheel; once the network is there, run: .venv/bin/python -m pip install --require-hashes"
                      " --requirement=tools/requirements.txt --requirement=tools/requirements-test.txt", last)
        self.assertFalse((self.tree / ".venv/hmmlt-requirements-test").exists())

    def test_another_system_is_told_once_what_is_needed_and_goes_on(self):
        self.system("debian", "11")
        self.installed("g++")
        result = self.set_up()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"^note: .* this is debian 11; .* g\+\+ libfmt-dev; going on with what is found\n$")
        self.assertEqual(self.set_up().stderr, "")
        self.assertFalse((self.tree / "apt-calls").exists())

    def test_another_system_without_a_program_stops(self):
        self.system("fedora", "42")
        (self.bin / "dpkg-query").unlink()
        (self.bin / "ninja").unlink()
        result = self.set_up()
        self.assertEqual(result.returncode, 1)
        self.assertIn("setup: ninja: expected it among the programs of this system, found none", result.stderr)

    def test_an_unknown_set_is_named(self):
        result = self.set_up("tset")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "setup: tset: expected a set, tools/debian-packages-tset.txt, found none\n")


if __name__ == "__main__":
    unittest.main()
