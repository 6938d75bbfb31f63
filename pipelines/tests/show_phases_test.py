"""tools/show_phases.sh, by which `make demo` speaks: a line for each phase, the output of the last, the reason of a failure.
And that it, and tools/run_phases.sh of `make test`, leave nothing running when they are ended."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from stage_case import without_make

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKEFILE = """
good: ; @echo 'to standard output'; echo 'and to the other' >&2; echo 'note: of interest' >&2
bad: ; @$(MAKE) Makefile >&2; echo 'this went wrong' >&2; exit 3
last: ; @echo 'on the way' >&2; echo 'the table of $(NAME)'
long: ; @echo $$$$ > pid.new; mv pid.new pid; exec sleep 600
all-good: ; +@tools/show_phases.sh logs first=good 'end=last NAME=two'
all-bad: ; +@tools/show_phases.sh logs first=good second=bad end=last
shown-long: ; +@tools/show_phases.sh logs first=good second=long end=last
run-long: ; @tools/run_phases.sh good long last
"""


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


class ShowPhases(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = pathlib.Path(scratch.name)
        (self.tree / "tools").mkdir()
        for script in ["show_phases.sh", "run_phases.sh"]:
            shutil.copy(ROOT / "tools" / script, self.tree / "tools")
        (self.tree / "Makefile").write_text(MAKEFILE)

    def make(self, *arguments):
        return subprocess.run(["make", *arguments], cwd=self.tree, capture_output=True, text=True, env=without_make(),
                              timeout=60)

    def test_a_line_for_each_phase_notes_and_what_the_last_one_prints(self):
        result = self.make("-j3", "all-good")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "the table of two\n")
        self.assertRegex(result.stderr, r"^first +\d+ s +done\nnote: of interest\nend +\d+ s +done\n$")
        self.assertIn("to standard output\nand to the other\n", (self.tree / "logs/first.log").read_text())

    def test_a_phase_that_fails_is_the_last_and_says_why(self):
        result = self.make("all-bad")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"^first +\d+ s +done\nnote: of interest\nsecond +\d+ s +failed\nthis went wrong\n")
        self.assertIn("all it said: logs/second.log", result.stderr)
        self.assertNotIn("end", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_a_plan_is_the_plan_of_all_phases(self):
        result = self.make("-n", "all-good")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("echo 'to standard output'", result.stdout)
        self.assertIn("echo 'the table of two'", result.stdout)
        self.assertFalse((self.tree / "logs").exists())

    def test_what_a_killed_run_left_at_work_is_waited_for(self):
        make = subprocess.Popen(["make", "shown-long"], cwd=self.tree, env=without_make(), start_new_session=True,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pid = self.tree / "pid"
        self.assertTrue(wait_until(pid.exists))
        phase = int(pid.read_text())
        os.killpg(make.pid, signal.SIGKILL)
        make.wait(timeout=60)
        self.assertTrue(is_alive(phase))  # nobody is left to end it
        words = self.tree / "words"
        with words.open("w") as file:
            second = subprocess.Popen(["make", "all-good"], cwd=self.tree, env=without_make(), stdout=file, stderr=file)
        waiting = "waiting: an earlier run in this folder has not ended yet (it holds logs/lock)\n"
        self.assertTrue(wait_until(lambda: words.read_text() == waiting))
        os.kill(phase, signal.SIGKILL)
        self.assertEqual(second.wait(timeout=60), 0)
        self.assertIn("the table of two\n", words.read_text())

    def test_ended_in_the_middle_of_a_phase_nothing_is_left_running(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
        for goal in ["shown-long", "run-long"]:
            # A closed terminal tells all of them, `kill` the first one, which hands on SIGTERM alone.
            for end, number in [(os.killpg, signal.SIGHUP), (os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)]:
                with self.subTest(goal=goal, signal=number):
                    pid = self.tree / "pid"
                    pid.unlink(missing_ok=True)
                    make = subprocess.Popen(["make", goal], cwd=self.tree, env=without_make(), start_new_session=True,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    self.assertTrue(wait_until(pid.exists))
                    phase = int(pid.read_text())
                    end(make.pid, number)
                    self.assertNotEqual(make.wait(timeout=60), 0)
                    self.assertTrue(wait_until(lambda: not is_alive(phase)))


if __name__ == "__main__":
    unittest.main()
