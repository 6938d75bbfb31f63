"""What is said to Slurm, and what it answers. Its controller may be slow, away or restarting at any moment."""

import os
import re
import subprocess
import sys
import time
import typing

# Slurm is not through with a job in one of these states.
UNFINISHED = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING",
              "STAGE_OUT", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
# Why a job waits: for ever, as it was asked for; or until it is released, after its node could not start it.
NEVER_STARTS = {"PartitionTimeLimit", "PartitionNodeLimit", "BadConstraints", "AssocMaxWallDurationPerJobLimit",
                "QOSMaxWallDurationPerJobLimit"}
HELD = {"launch_failed_requeued_held", "job_requeued_in_held_state", "JobHoldMaxRequeue"}
SECONDS_TO_CHECKPOINT = 60  # between SIGTERM and the end of a job's time


class Refused(Exception):
    """Slurm does not take the job; its own words."""


def say(text):
    print(f"slurm: {text}", file=sys.stderr, flush=True)


def whole_number(name, default):
    """Of the environment."""
    text = os.environ.get(name, str(default))
    if not text.isdecimal():
        raise Refused(f"{name}={text}: expected a whole number")
    return int(text)


def longest_pause():
    """Seconds between two questions to the controller about one job."""
    return whole_number("HMMLT_SLURM_PAUSE", 15)


def ask(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def is_passing(message):
    """Whether the controller, not the job, is the trouble: it may be restarting."""
    return any(words in message for words in ["Unable to contact", "timed out", "Connection refused", "Zero Bytes",
                                              "try again", "temporarily"])


def job_of(token):
    """Number of the job that was submitted with this token, "" if there is none; None if Slurm does not answer."""
    answer = ask("squeue", "--me", "--noheader", "--format=%i %k")
    if answer.returncode != 0:
        return None
    lines = [line.split() for line in answer.stdout.splitlines()]
    return next((words[0] for words in lines if words[1:] == [comment_of(token)]), "")


def comment_of(token):
    return f"hmmlt-{token}"


def submit(flags, script, token):
    """The number of the job. An answer that did not come in time says nothing about whether the job was taken."""
    for pause in [2, 5, 10, 30, 60, 120, 300, None]:
        answer = ask("sbatch", "--parsable", *flags, f"--comment={comment_of(token)}", input=script)
        if answer.returncode == 0:
            number = re.fullmatch(r"(\d+)(;\S+)?", (answer.stdout.split() or [""])[-1])
            if number is None:
                raise Refused(f"sbatch said {answer.stdout.strip()!r}: expected the number of a job")
            return number[1]
        message = " ".join(answer.stderr.split())
        if pause is None or not is_passing(message):
            raise Refused(message)
        say(f"{message}; tried again in {pause} s")
        time.sleep(pause)
        if job := job_of(token):
            return job


class Seen(typing.NamedTuple):
    """Of a job."""

    state: str | None  # None: Slurm no longer knows it
    code: int = 0
    signal: int = 0
    reason: str = ""

    def is_stuck(self):
        return self.state not in {None, "RUNNING", "COMPLETING"} and self.reason in NEVER_STARTS | HELD


def look(job):
    """What Slurm says of a job; None if it does not answer."""
    answer = ask("scontrol", "show", "job", "--oneliner", job)
    if answer.returncode != 0:
        return Seen(None) if "Invalid job id" in answer.stderr else None
    fields = dict(word.split("=", 1) for word in answer.stdout.split() if "=" in word)
    code = re.fullmatch(r"(\d+):(\d+)", fields.get("ExitCode", ""))
    if code is None or not fields.get("JobState"):
        return None
    return Seen(fields["JobState"], int(code[1]), int(code[2]), fields.get("Reason", ""))


def wait(job, seconds=float("inf"), is_unwanted=lambda: False):
    """What look() says once the job is over, or None after `seconds`. A controller that is away may come back. Throws
    KeyboardInterrupt once nobody wants the job any more."""
    end = time.monotonic() + seconds
    pause = 0.2
    while True:
        seen = look(job)
        if seen is not None and (seen.state not in UNFINISHED or seen.is_stuck()):
            return seen
        if time.monotonic() > end:
            return None
        if is_unwanted():
            raise KeyboardInterrupt
        time.sleep(pause)
        pause = min(longest_pause(), pause * 1.3)


def cancel(job):
    """Whether the job was seen to be over."""
    for _ in range(3):
        ask("scancel", job)
        seen = wait(job, SECONDS_TO_CHECKPOINT / 3 + 5)
        if seen is not None and seen.state not in UNFINISHED:
            return True
    return False
