"""What a stage as a Slurm job asks for, and what becomes of its ends, with a Slurm that is a few lines of shell.

python jobs_test.py BIN_DIRECTORY    (the real Slurm: slurm_test.py)
"""

import fcntl
import os
import subprocess
import sys

from stage_case import ROOT, StageCase, main

sys.path.insert(0, str(ROOT / "pipelines/cluster"))
import job_size  # noqa: E402

# Runs the job at once; what it was asked for goes to `asked`, and how the n-th job ends stands in line n of `ends`,
# COMPLETED 0:0 after the last.
SBATCH = """
cat > script
echo "$@" >> asked
sh script 2>> errors
echo "$(wc -l < asked)"
"""
SCONTROL = """
end=$(sed -n "${4}p" ends)
echo "JobId=$4 JobState=${end%% *} ExitCode=${end##* }" | sed 's/JobState= ExitCode=$/JobState=COMPLETED ExitCode=0:0/'
"""
# A stage that can say what it takes.
STAGE = """
case "$*" in *--estimate*) echo "as a job: cores=1 memory=300M time=90"; exit;; esac
echo "ran $*"
"""


class Jobs(StageCase):
    def setUp(self):
        super().setUp()
        self.bin = self.scratch / "bin"
        self.bin.mkdir()
        for name, text in {"sbatch": SBATCH, "scontrol": SCONTROL, "stage": STAGE, "scancel": "", "squeue": "",
                           "sinfo": "echo 'all* infinite'; echo 'short 1:00:00'"}.items():
            self.program(name, text)
        (self.scratch / "ends").write_text("")
        (self.scratch / "need").write_text("data")

    def program(self, name, text):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)

    def job(self, *jobs, chain=0, ends=(), **environment):
        """Runs the stage as a chain; the result and what each job asked for."""
        (self.scratch / "ends").write_text("".join(f"{end}\n" for end in ends))
        asked = self.scratch / "asked"
        asked.unlink(missing_ok=True)
        wishes = [word for job in jobs for word in ["--job", job]]
        result = subprocess.run(
            [sys.executable, ROOT / "pipelines/cluster/slurm_job.py", "--name", f"e/v/d/m/s/chain-{chain}",
             "--folder", f"chain-{chain}", *wishes, "--estimate", "stamps/estimate", "--need", "need", "--",
             "stage", "--chain", str(chain), "--out", f"chain-{chain}"],
            cwd=self.scratch, capture_output=True, text=True, timeout=60,
            env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", **environment})
        return result, asked.read_text().splitlines() if asked.exists() else []

    def test_without_a_table_it_asks_for_what_the_estimate_says_found_once_for_all_chains(self):
        result, asked = self.job()
        self.assertEqual((result.returncode, result.stdout), (0, "ran --chain 0 --out chain-0\n"), result.stderr)
        self.assertEqual(len(asked), 2)
        self.assertIn("--cpus-per-task=1 --mem=2G --ntasks=1", asked[0])
        self.assertIn("--job-name=e/v/d/m/s/estimate", asked[0])
        self.assertIn("--cpus-per-task=1 --mem=300M --time=90", asked[1])
        self.assertIn("--job-name=e/v/d/m/s/chain-0", asked[1])
        self.assertIn("--signal=B:TERM@60", asked[1])
        _, asked = self.job(chain=1)
        self.assertEqual(len(asked), 1)
        self.assertIn("--mem=300M --time=90", asked[0])
        (self.scratch / "need").write_text("other data")
        self.assertEqual(len(self.job(chain=1)[1]), 2)

    def test_a_job_whose_submission_timed_out_but_was_taken_is_found_again(self):
        self.program("sbatch", SBATCH.replace('echo "$(wc -l < asked)"', """
test $(wc -l < asked) -gt 1 || { echo 1 "$(sed 's/.*--comment=//' asked)" > queue
echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1; }
echo 2"""))
        self.program("squeue", "cat queue")
        result, asked = self.job("memory=1G", "time=5", "cores=1")
        self.assertEqual((result.returncode, result.stdout), (0, "ran --chain 0 --out chain-0\n"), result.stderr)
        self.assertEqual(len(asked), 1)
        self.assertFalse((self.scratch / "chain-0/slurm.job").exists())

    def test_two_that_want_the_same_chain_do_not_fight(self):
        (self.scratch / "chain-0").mkdir()
        with open(self.scratch / "chain-0/slurm.log", "a") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            result, asked = self.job("memory=1G", "time=5", "cores=1")
        self.assert_fails(result, 74, "another make waits for a job of ")
        self.assertEqual(asked, [])

    def test_a_job_that_cannot_be_cancelled_keeps_its_mark(self):
        mark = self.scratch / "chain-0/slurm.job"
        mark.parent.mkdir()
        mark.write_text("a1b2c3\n")
        self.program("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1")
        result, asked = self.job("memory=1G", "time=5", "cores=1")
        self.assert_fails(result, 74, "Slurm does not answer", str(mark))
        self.assertEqual((asked, mark.read_text()), ([], "a1b2c3\n"))

    def test_an_answer_of_sbatch_that_is_no_number_ends_it(self):
        self.program("sbatch", "cat > /dev/null; echo 'Welcome to the cluster'")
        self.assert_fails(self.job("memory=1G", "time=5", "cores=1")[0], 64, "expected the number of a job")

    def test_a_job_that_would_never_start_is_not_waited_for(self):
        self.program("scontrol", "test -e gone && state=CANCELLED || state=PENDING\n"
                                 "echo JobId=1 JobState=$state Reason=PartitionTimeLimit ExitCode=0:0")
        self.program("scancel", "touch gone")
        self.assert_fails(self.job("memory=1G", "time=5", "cores=1")[0], 64, "would never start: PartitionTimeLimit")

    def test_a_job_that_slurm_holds_after_a_failed_launch_is_submitted_again(self):
        self.program("scontrol", "test $4 = 2 && state=COMPLETED || { test -e gone && state=CANCELLED || state=PENDING; }\n"
                                 "echo JobId=$4 JobState=$state Reason=launch_failed_requeued_held ExitCode=0:0")
        self.program("scancel", "touch gone")
        result, asked = self.job("memory=1G", "time=5", "cores=1")
        self.assertEqual((result.returncode, len(asked)), (0, 2), result.stderr)
        self.assertIn("is held (launch_failed_requeued_held)", result.stderr)

    def test_a_folder_that_the_node_does_not_see_is_said_to_be_that(self):
        result, asked = self.job("memory=1G", "time=5", "cores=1", ends=["FAILED 0:53"])
        self.assert_fails(result, 74, "the nodes must share this file system")
        self.assertEqual(len(asked), 1)

    def test_an_odd_answer_about_a_job_is_no_answer(self):
        self.program("scontrol", "test -e seen || { touch seen; echo 'slurm is busy'; exit; }\n" + SCONTROL)
        self.assertEqual(self.job("memory=1G", "time=5", "cores=1")[0].returncode, 0)

    def test_jobs_that_get_further_are_not_counted(self):
        self.program("stage", "mkdir -p chain-0; echo more >> chain-0/checkpoint.journal; echo done")
        ends = ["TIMEOUT 0:0"] * 5
        result, asked = self.job("memory=1G", "time=5", "cores=1", ends=ends, HMMLT_SLURM_RESUBMITS="2")
        self.assertEqual((result.returncode, len(asked)), (0, 6), result.stderr)
        self.program("stage", "echo done")
        result, asked = self.job("memory=1G", "time=5", "cores=1", ends=ends, HMMLT_SLURM_RESUBMITS="2")
        self.assertEqual(result.returncode, 74)
        self.assertIn("given up after 3 jobs without progress", result.stderr)
        self.assertEqual(len(asked), 3)

    def test_an_estimate_that_says_nothing_is_not_kept(self):
        self.program("stage", "true")
        self.assert_fails(self.job()[0], 64, "expected KEY=VALUE words")
        self.program("stage", STAGE)
        self.assertEqual(self.job()[0].returncode, 0)

    def test_a_table_goes_before_the_estimate(self):
        _, asked = self.job("memory=1G", "memory=3G")
        self.assertIn("--mem=3G", asked[0])
        self.assertIn("--mem=3G --time=90", asked[1])
        _, asked = self.job("memory=1G", "time=7", "cores=2")
        self.assertEqual(len(asked), 1)
        self.assertIn("--cpus-per-task=2 --mem=1G --time=7", asked[0])
        _, asked = self.job("memory=1G", "time=")
        self.assertNotIn("--time", asked[0])

    def test_an_estimated_time_is_no_longer_than_the_partition_allows(self):
        for environment in [{"SBATCH_PARTITION": "short"}, {"HMMLT_SLURM_FLAGS": "--partition=short"},
                            {"HMMLT_SLURM_FLAGS": "-p all,short"}]:
            self.assertIn("--time=60", self.job(**environment)[1][-1])
        self.assertIn("--time=200", self.job("time=200", SBATCH_PARTITION="short")[1][-1])

    def test_memory_that_was_guessed_is_doubled(self):
        self.job()  # for the estimate
        result, asked = self.job(ends=["OUT_OF_MEMORY 0:125", "OUT_OF_MEMORY 0:125"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([word for line in asked for word in line.split() if "--mem" in word],
                         ["--mem=300M", "--mem=600M", "--mem=1200M"])
        result, asked = self.job("memory=1G", "time=5", ends=["OUT_OF_MEMORY 0:125"])
        self.assertEqual((result.returncode, len(asked)), (70, 1))
        self.assertIn("needs more than memory=1G: raise it in the experiment's table of jobs", result.stderr)

    def test_what_running_again_cannot_mend_and_what_it_can(self):
        table = ["memory=1G", "time=5"]
        self.program("stage", "echo 'hmmlt-train: wrong file' >&2\n")
        for end, code, words in [("FAILED 65:0", 65, "failed with exit code 65"), ("FAILED 0:4", 70, "ISA=portable"),
                                 ("FAILED 0:11", 70, "it crashed")]:
            result, asked = self.job(*table, ends=[end])
            self.assertEqual((result.returncode, len(asked)), (code, 1), result.stderr)
            self.assertIn(words, result.stderr)
        ends = ["CANCELLED 0:15", "TIMEOUT 0:0", "NODE_FAIL 1:0", "PREEMPTED 0:15", "FAILED 130:0", "BOOT_FAIL 0:0"]
        result, asked = self.job(*table, ends=ends)
        self.assertEqual((result.returncode, len(asked)), (0, 7), result.stderr)
        self.assertIn("ended as NODE_FAIL with exit code 1; submitted again (3 of 20 without progress)", result.stderr)
        result, asked = self.job(*table, ends=ends, HMMLT_SLURM_RESUBMITS="2")
        self.assertEqual((result.returncode, len(asked)), (74, 3))
        self.assertIn("given up after 3 jobs", result.stderr)

    def test_errors_are_sentences(self):
        self.assertEqual(self.job("walltime=3")[0].stderr,
                         "slurm: e/v/d/m/s/chain-0: job setting walltime=3: expected cores=..., memory=..., time=...\n")
        for name in ["HMMLT_SLURM_RESUBMITS", "HMMLT_SLURM_PAUSE"]:
            result, asked = self.job(**{name: "many"})
            self.assertEqual((result.returncode, asked), (64, []))
            self.assertEqual(result.stderr, f"slurm: e/v/d/m/s/chain-0: {name}=many: expected a whole number\n")
        self.program("sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1")
        result, _ = self.job("memory=1G", "time=5")
        self.assertEqual(result.returncode, 64)
        self.assertIn("invalid partition specified: x", result.stderr)
        (self.bin / "sbatch").unlink()
        result, _ = self.job("memory=1G", "time=5", PATH=str(self.bin))
        self.assertEqual(result.returncode, 64)
        self.assertIn("sbatch is not there: EXECUTOR=slurm needs a machine that can submit jobs", result.stderr)

    def test_times_as_slurm_spells_them(self):
        for text, minutes in {"90": 90, "1:30": 2, "2:00:00": 120, "1-00:00:00": 1440, "2-12": 3600, "1-01:05": 1505}.items():
            self.assertEqual(job_size.minutes(text), minutes, text)


if __name__ == "__main__":
    main(sys.argv)
