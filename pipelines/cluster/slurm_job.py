"""Run a stage as a Slurm job and wait for it: pipelines/rules.mk puts this before every stage with EXECUTOR=slurm.

python slurm_job.py --name NAME --folder FOLDER [--job KEY=VALUE]... -- COMMAND...

The exit code and the standard output are those of the stage. A job that ends without a word of the stage (cancelled,
out of time, preempted, its node gone) is submitted again; the stage goes on from its checkpoint. FOLDER, where the
stage writes, gets slurm.log (all that the job said on standard error) and slurm.job (while there is a job: its token,
by which it is found in the queue, and its number). It must be on a file system that the nodes share with this machine.

Keys of --job, of which the last one given holds: cores, memory (of the job, as Slurm spells it: 2G), time (limit). Those
that are not given are guessed: job_size.py. Environment: HMMLT_SLURM_FLAGS, further flags of sbatch;
HMMLT_SLURM_RESUBMITS, how often a job is submitted again (20); HMMLT_SLURM_PAUSE, seconds between two looks at it, at
most (15); sbatch's own, SBATCH_PARTITION, SBATCH_ACCOUNT, ...
"""

import argparse
import contextlib
import ctypes
import fcntl
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid

import job_size

EXIT_USAGE, EXIT_INTERNAL, EXIT_IO, EXIT_INTERRUPTED = 64, 70, 74, 130
# What the stage reports about itself, and what a shell says of a command it cannot start: running it again is no help.
STAGE_ERRORS = {64, 65, 70, 74, 126, 127}
CRASHES = {signal.SIGILL: "its node lacks instructions that this build uses; ISA=portable runs on every x86-64-v3 node",
           **dict.fromkeys([signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS], "it crashed")}
# Slurm is not through with a job in one of these states.
UNFINISHED = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING",
              "STAGE_OUT", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
SECONDS_TO_CHECKPOINT = 60  # between SIGTERM and the end of a job's time
SECONDS_TO_APPEAR = 60.0  # what a node wrote, on this machine: network file systems look now and then
# The stage becomes the job's own process, so that signals reach it. Its output directory may still be locked by the job
# before, for as long as a node that was lost takes to notice; the stage itself would give up at once.
SCRIPT = """#!/bin/sh
if command -v flock > /dev/null; then flock --timeout 120 {folder} true; fi
exec {command} > {output}
"""


class Refused(Exception):
    """Slurm does not take the job; its own words."""


class Failed(Exception):
    """The job is over and will not be tried again; the exit code to end with."""

    def __init__(self, code):
        self.code = code


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


def look(job):
    """(state, exit code, signal) of a job; a state of None if Slurm no longer knows it; None if it does not answer."""
    answer = ask("scontrol", "show", "job", "--oneliner", job)
    if answer.returncode != 0:
        return (None, 0, 0) if "Invalid job id" in answer.stderr else None
    fields = dict(word.split("=", 1) for word in answer.stdout.split() if "=" in word)
    code, number = map(int, fields["ExitCode"].split(":"))
    return fields["JobState"], code, number


def wait(job, seconds=float("inf")):
    """What look() says once the job is over, or None after `seconds`. A controller that is away may come back."""
    end = time.monotonic() + seconds
    pause = 0.2
    while True:
        seen = look(job)
        if seen is not None and seen[0] not in UNFINISHED:
            return seen
        if time.monotonic() > end:
            return None
        time.sleep(pause)
        pause = min(longest_pause(), pause * 1.3)


def cancel(job):
    """Whether the job was seen to be over."""
    for _ in range(3):
        ask("scancel", job)
        if wait(job, SECONDS_TO_CHECKPOINT / 3 + 5) is not None:
            return True
    return False


def cancel_marked(mark, name):
    """Cancels the job that the mark speaks of, if there is one, and removes the mark. Throws Failed if that cannot be."""
    words = mark.read_text(errors="replace").split()
    job = words[1] if len(words) > 1 else job_of(words[0]) if words else ""
    if job is None or (job and not cancel(job)):
        say(f"{name}: Slurm does not answer, and job {job or 'of ' + str(mark)} may still be running: see that it is "
            f"cancelled and remove {mark}")
        raise Failed(EXIT_IO)
    mark.unlink(missing_ok=True)
    return job


@contextlib.contextmanager
def alone_in(folder, name):
    """Two that wait for a job of the same folder would cancel each other's for ever."""
    with open(folder / "slurm.log", "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{name}: another make waits for a job of {folder}")
            raise Failed(EXIT_IO) from None
        except OSError:
            pass  # a file system without locks
        yield


def take(output, name, job):
    """What the job wrote there on its node; the file is removed."""
    end = time.monotonic() + SECONDS_TO_APPEAR
    while not output.exists():
        if time.monotonic() > end:
            say(f"{name}: job {job} ended well, but {output} is not to be seen here: the nodes must share this file "
                "system, under the same path")
            raise Failed(EXIT_IO)
        time.sleep(0.5)
    text = output.read_text()
    output.unlink()
    return text


def last_line(log):
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return lines[-1] if lines else f"nothing in {log}"


def stop_if_hopeless(name, job, ended, size, log):
    """Throws Failed for an end that running again cannot mend; gives a job that ran out of memory more of it, if it may."""
    state, code, number = ended
    if state == "FAILED" and code in STAGE_ERRORS:
        say(f"{name}: job {job} failed with exit code {code}: {last_line(log)}")
        raise Failed(code)
    if state == "FAILED" and number in CRASHES:
        say(f"{name}: job {job} was ended by signal {number}: {CRASHES[number]}")
        raise Failed(EXIT_INTERNAL)
    if state == "OUT_OF_MEMORY" and not size.double_memory():
        say(f"{name}: job {job} needs more than memory={size.wishes()['memory']}: raise it in the experiment's table "
            "of jobs")
        raise Failed(EXIT_INTERNAL)


def run_once(name, folder, size, command):
    """(number, what look() says at the end, standard output if it ended well) of one job."""
    mark, output, log = (folder / f"slurm.{kind}" for kind in ["job", "out", "log"])
    script = SCRIPT.format(folder=shlex.quote(str(folder)), command=shlex.join(command),
                           output=shlex.quote(str(output)))
    token = uuid.uuid4().hex
    mark.write_text(f"{token}\n")  # before there is a job, so that none is ever lost
    try:
        job = submit([*size.sbatch_flags(), "--ntasks=1", "--requeue", f"--job-name={name}",
                      f"--output={str(log).replace('%', '%%')}", "--open-mode=append",
                      f"--signal=B:TERM@{SECONDS_TO_CHECKPOINT}", f"--chdir={os.getcwd()}",
                      *job_size.further_flags()], script, token)
        mark.write_text(f"{token} {job}\n")
        ended = wait(job)
    except KeyboardInterrupt:
        job = cancel_marked(mark, name)
        say(f"{name}: interrupted{f', job {job} cancelled' if job else ''}; the same make goes on from its checkpoint")
        raise Failed(EXIT_INTERRUPTED) from None
    except Refused:
        mark.unlink(missing_ok=True)
        raise
    except OSError:
        cancel_marked(mark, name)
        raise
    mark.unlink(missing_ok=True)
    return job, ended, take(output, name, job) if ended[0] == "COMPLETED" else None


def run(name, folder, size, command, resubmits):
    """The standard output of the command, once a job has come to its end. Throws Failed."""
    folder.mkdir(parents=True, exist_ok=True)
    mark, log = folder / "slurm.job", folder / "slurm.log"
    with alone_in(folder, name):
        # A job of an earlier make that was killed still writes to the folder; this one goes on from its checkpoint.
        if mark.exists() and (job := cancel_marked(mark, name)):
            say(f"{name}: job {job} of an earlier make was cancelled first")
        for attempt in range(resubmits + 1):
            job, ended, text = run_once(name, folder, size, command)
            if text is not None:
                return text
            stop_if_hopeless(name, job, ended, size, log)
            what = f"{name}: job {job} ended as {ended[0] or 'unknown to Slurm'} with exit code {ended[1]}"
            say(f"{what}; submitted again ({attempt + 1} of {resubmits})" if attempt < resubmits else what)
    say(f"{name}: given up after {resubmits + 1} jobs; {log} has what they said. "
        "HMMLT_SLURM_RESUBMITS allows more, and the same make goes on")
    raise Failed(EXIT_IO)


def estimate(name, file, needs, size, command, resubmits):
    """What the command says with --estimate; kept in `file`, for the other chains of the model and the next make."""
    key = job_size.key_of(needs, command)
    with job_size.locked(file):
        text = job_size.known_estimate(file, key)
        if text is None:
            text = run(name, file.parent, size.of_an_estimate(), [*command, "--estimate"], resubmits)
            job_size.keep_estimate(file, key, text)
    return text


def stop(*_):
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:  # make and the terminal both may send one
        signal.signal(number, lambda *_: None)  # the job is cancelled once
    raise KeyboardInterrupt


def end_with_make():
    """A make that was killed must not leave somebody who goes on submitting."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--job", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--estimate", type=pathlib.Path, metavar="FILE",
                        help="what a job of this kind takes; made by the command with --estimate if it is not there")
    parser.add_argument("--need", action="append", default=[], type=pathlib.Path, metavar="FILE",
                        help="what the estimate rests on besides the command: it is made again if that changes")
    parser.add_argument("command", nargs="+")
    flags = parser.parse_args()
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, stop)
    end_with_make()
    try:
        resubmits = whole_number("HMMLT_SLURM_RESUBMITS", 20)
        longest_pause()  # complains now rather than after a job was submitted
        size = job_size.JobSize(flags.job)
        if flags.estimate and size.is_open():
            name = f"{os.path.dirname(flags.name)}/estimate"
            size.take_estimate(estimate(name, flags.estimate.resolve(), flags.need, size, flags.command, resubmits))
        sys.stdout.write(run(flags.name, flags.folder.resolve(), size, flags.command, resubmits))
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except Failed as failure:
        sys.exit(failure.code)
    except (Refused, ValueError) as error:
        say(f"{flags.name}: {error}")
        sys.exit(EXIT_USAGE)
    except FileNotFoundError as error:
        say(f"{error.filename} is not there: EXECUTOR=slurm needs a machine that can submit jobs (a login node)")
        sys.exit(EXIT_USAGE)
    except OSError as error:
        say(f"{flags.name}: {error}")
        sys.exit(EXIT_IO)


if __name__ == "__main__":
    main()
