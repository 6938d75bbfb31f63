"""Run a stage as a Slurm job and wait for it: pipelines/rules.mk puts this before every stage with EXECUTOR=slurm.

python slurm_job.py --name NAME --folder FOLDER [--job KEY=VALUE]... -- COMMAND...

The exit code and the standard output are those of the stage. A job that ends without a word of the stage (cancelled,
out of time, preempted, its node gone) is submitted again; the stage goes on from its checkpoint. FOLDER, where the
stage writes, gets slurm.log (all that the job said on standard error) and slurm.job (number of the job, while there is
one). It must be on a file system that the nodes share with this machine.

Keys of --job, of which the last one given holds: cores, memory (of the job, as Slurm spells it: 2G), time (limit). Those
that are not given are guessed: job_size.py. Environment: HMMLT_SLURM_FLAGS, further flags of sbatch;
HMMLT_SLURM_RESUBMITS, how often a job is submitted again (20); HMMLT_SLURM_PAUSE, seconds between two looks at it, at
most (15); sbatch's own, SBATCH_PARTITION, SBATCH_ACCOUNT, ...
"""

import argparse
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

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


def submit(flags, script):
    for pause in [2, 5, 10, 30, 60, 120, 300, None]:
        answer = ask("sbatch", "--parsable", *flags, input=script)
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
    ask("scancel", job)
    wait(job, SECONDS_TO_CHECKPOINT)


def cancel_left_over(mark, name):
    """A job of an earlier make that was killed still writes to the folder; this one goes on from its checkpoint."""
    if not mark.exists():
        return
    words = mark.read_text().split()
    if words and ask("squeue", "--noheader", "--jobs", words[0], "--format=%j").stdout.strip() == name:
        say(f"{name}: job {words[0]} of an earlier make is cancelled first")
        cancel(words[0])
    mark.unlink()


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


def run(name, folder, size, command, resubmits):
    """The standard output of the command, once a job has come to its end. Throws Failed."""
    folder.mkdir(parents=True, exist_ok=True)
    mark, output, log = (folder / f"slurm.{kind}" for kind in ["job", "out", "log"])
    cancel_left_over(mark, name)
    script = SCRIPT.format(folder=shlex.quote(str(folder)), command=shlex.join(command),
                           output=shlex.quote(str(output)))
    for attempt in range(resubmits + 1):
        job = submit([*size.sbatch_flags(), "--ntasks=1", "--requeue", f"--job-name={name}", f"--output={log}",
                      "--open-mode=append", f"--signal=B:TERM@{SECONDS_TO_CHECKPOINT}", f"--chdir={os.getcwd()}",
                      *job_size.further_flags()], script)
        try:
            mark.write_text(f"{job}\n")
            ended = wait(job)
        except KeyboardInterrupt:
            cancel(job)
            mark.unlink(missing_ok=True)
            say(f"{name}: interrupted, job {job} cancelled; the same make goes on from its checkpoint")
            raise Failed(EXIT_INTERRUPTED) from None
        mark.unlink(missing_ok=True)
        if ended[0] == "COMPLETED":
            return take(output, name, job)
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


if __name__ == "__main__":
    main()
