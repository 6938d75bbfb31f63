"""What the tests of all stages share: running a stage, one sentence per failure, bytes of a directory."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class StageCase(unittest.TestCase):
    bin_directory = None  # set by main()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def run_stage(self, stage, *arguments, timeout=120, **options):
        command = [self.bin_directory / f"hmmlt-{stage}", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, **options)

    def start_stage(self, stage, *arguments, **options):
        command = [self.bin_directory / f"hmmlt-{stage}", *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def mount_tmpfs(self, name, size):
        """A small file system of its own at scratch/name; skips the test where that takes more rights than it has."""
        place = self.scratch / name
        place.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("mounting a file system needs root: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "--lazy", place], check=True)
        return place

    def remount(self, place, option):
        subprocess.run(["mount", "-o", f"remount,{option}", place], check=True)

    def assert_done(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, "one sentence: " + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


def result_bytes(folder):
    """The files of a chain that compare byte for byte."""
    return {p.name: p.read_bytes() for p in sorted(folder.glob("*.parquet")) if p.name != "timing.parquet"}


def checkout(tree):
    """A copy of what git has, or would add, with the Python environment: a checkout in which nothing was ever made."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    (tree / ".venv").symlink_to(ROOT / ".venv")


def without_make(environment=os.environ):
    """The environment without what a make that runs the tests leaves in it."""
    return {k: v for k, v in environment.items() if not k.startswith(("MAKE", "MFLAGS"))}


def main(argv):
    StageCase.bin_directory = pathlib.Path(argv.pop(1)).resolve()
    unittest.main(argv=argv)
