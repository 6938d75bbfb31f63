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
import fcntl
import os
import pathlib
import shlex
import signal
import sys
import time
import uuid

import job_size
from slurm import (NEVER_STARTS, SECONDS_TO_CHECKPOINT, UNFINISHED, Refused, cancel, job_of, longest_pause, say, submit,
                   wait, whole_number)

EXIT_USAGE, EXIT_INTERNAL, EXIT_IO, EXIT_INTERRUPTED = 64, 70, 74, 130
# What the stage reports about itself, and what a shell says of a command it cannot start: running it again is no help.
STAGE_ERRORS = {64, 65, 70, 74, 126, 127}
CRASHES = {signal.SIGILL: "its node lacks instructions that this build uses; ISA=portable runs on every x86-64-v3 node",
           **dict.fromkeys([signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS], "it crashed")}
NO_LOG = 53  # the signal Slurm reports where a job's own output could not be opened
SECONDS_TO_APPEAR = 60.0  # what a node wrote, on this machine: network file systems look now and then
# The stage becomes the job's own process, so that signals reach it. Its output directory may still be locked by the job
# before, for as long as a node that was lost takes to notice; the stage itself would give up at once.
SCRIPT = """#!/bin/sh
if command -v flock > /dev/null; then flock --timeout 120 {folder} true; fi
exec {command} > {output}
"""


class Failed(Exception):
    """The job is over and will not be tried again; the exit code to end with."""

    def __init__(self, code):
        self.code = code


def ancestors():
    """The shell of the recipe and make, or whoever they are."""
    parent = os.getppid()
    try:
        return parent, int(pathlib.Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return parent, 0


def make_is_gone(started_by=ancestors()):
    """A make that was killed must not leave somebody who goes on submitting."""
    return ancestors() != started_by


def cancel_marked(mark, name, job=None):
    """Cancels the job that the mark speaks of, if there is one, and removes the mark. Throws Failed if that cannot be.
    By its token, unless the number is known for sure: numbers come around again."""
    words = mark.read_text(errors="replace").split()
    job = job or (job_of(words[0]) if words else "")
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
    state, code, number, reason = ended
    if reason in NEVER_STARTS and state in UNFINISHED:
        say(f"{name}: job {job} would never start: {reason}; lower what the experiment's table of jobs asks for, or "
            "choose another partition")
        raise Failed(EXIT_USAGE)
    if state == "FAILED" and number == NO_LOG:
        say(f"{name}: job {job} could not open {log} on its node: the nodes must share this file system, under the same "
            "path")
        raise Failed(EXIT_IO)
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
    job = None
    mark.write_text(f"{token}\n")  # before there is a job, so that none is ever lost
    try:
        job = submit([*size.sbatch_flags(), "--ntasks=1", "--requeue", f"--job-name={name}",
                      f"--output={str(log).replace('%', '%%')}", "--open-mode=append",
                      f"--signal=B:TERM@{SECONDS_TO_CHECKPOINT}", f"--chdir={os.getcwd()}",
                      *job_size.further_flags()], script, token)
        mark.write_text(f"{token} {job}\n")
        ended = wait(job, is_unwanted=make_is_gone)
        if ended.state in UNFINISHED:
            cancel_marked(mark, name, job)
    except KeyboardInterrupt:
        job = cancel_marked(mark, name, job)
        say(f"{name}: interrupted{f', job {job} cancelled' if job else ''}; the same make goes on from its checkpoint")
        raise Failed(EXIT_INTERRUPTED) from None
    except Refused:
        mark.unlink(missing_ok=True)
        raise
    except OSError:
        cancel_marked(mark, name, job)
        raise
    mark.unlink(missing_ok=True)
    return job, ended, take(output, name, job) if ended.state == "COMPLETED" else None


def run(name, folder, size, command, resubmits):
    """The standard output of the command, once a job has come to its end. Throws Failed. A job that got further than the
    one before it, by the chain's journal, does not count against `resubmits`."""
    folder.mkdir(parents=True, exist_ok=True)
    mark, log, journal = folder / "slurm.job", folder / "slurm.log", folder / "checkpoint.journal"
    with alone_in(folder, name):
        # A job of an earlier make that was killed still writes to the folder; this one goes on from its checkpoint.
        if mark.exists() and (job := cancel_marked(mark, name)):
            say(f"{name}: job {job} of an earlier make was cancelled first")
        attempt = 0
        while attempt <= resubmits:
            before = journal.stat().st_size if journal.exists() else 0
            job, ended, text = run_once(name, folder, size, command)
            if text is not None:
                return text
            stop_if_hopeless(name, job, ended, size, log)
            how = f"is held ({ended.reason})" if ended.state in UNFINISHED else f"ended as {ended.state or 'unknown to Slurm'}"
            what = f"{name}: job {job} {how} with exit code {ended.code}"
            attempt = 0 if journal.exists() and journal.stat().st_size > before else attempt + 1
            say(f"{what}; submitted again ({attempt} of {resubmits} without progress)" if attempt <= resubmits else what)
    say(f"{name}: given up after {resubmits + 1} jobs without progress; {log} has what they said. "
        "HMMLT_SLURM_RESUBMITS allows more, and the same make goes on")
    raise Failed(EXIT_IO)


def estimate(name, file, needs, size, command, resubmits):
    """What the command says with --estimate; kept in `file`, for the other chains of the model and the next make."""
    key = job_size.key_of(needs, command)
    with job_size.locked(file):
        text = job_size.known_estimate(file, key)
        if text is None:
            text = run(name, file.parent, size.of_an_estimate(), [*command, "--estimate"], resubmits)
            if "=" not in text:
                raise Refused(f"{shlex.join(command)} --estimate said {text.strip()!r}: expected KEY=VALUE words")
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
    except OSError as error:
        say(f"{flags.name}: {error}")
        sys.exit(EXIT_IO)


if __name__ == "__main__":
    main()
