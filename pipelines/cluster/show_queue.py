"""How far the chains of an experiment are: done, running (sweep, sweeps per second, time left), failed, waiting.

python show_queue.py --chains FILE    FILE has a line per chain: its folder, a tab, the sweeps it is asked for

Reads only what a chain leaves in its folder, so that it can be asked at any time, from any machine that sees the files:
provenance.json (complete), the lock and checkpoint.journal (running; up to date to the last checkpoint, every 30 s),
slurm.job and slurm.log (as a job). docs/cluster.md explains the columns.
"""

import argparse
import dataclasses
import fcntl
import os
import pathlib
import struct
import subprocess
import sys
import time

HASH_BYTES = 64
SWEEP_RECORD = 1
RECENT = 200  # sweeps that say how fast a chain is now


@dataclasses.dataclass
class Chain:
    folder: pathlib.Path
    sweeps: int
    state: str  # done, packed, running, queued, failed, stopped, waiting
    sweep: int = 0
    rate: float = 0.0  # sweeps per second
    note: str = ""

    def seconds_left(self):
        """Since the journal is older than the chain, this is too much by at most half a minute."""
        return (self.sweeps - self.sweep) / self.rate if self.rate > 0 else None


def journal_progress(path):
    """(last sweep, sweeps per second of computing lately) by a chain's journal, however it was cut off."""
    last, seconds = 0, []
    with open(path, "rb") as journal:
        size = os.fstat(journal.fileno()).st_size
        while True:
            header = journal.read(13)
            if len(header) < 13:
                break
            length, kind, sweep = struct.unpack("<QBI", header)
            end = journal.tell() - 5 + length + HASH_BYTES
            if end > size:
                break
            if kind == SWEEP_RECORD:
                last = sweep
                seconds.append((journal.tell(), length - 5))
            journal.seek(end)
        recent = [sweep_seconds(journal, *place) for place in seconds[-RECENT:]]
    return last, len(recent) / sum(recent) if sum(recent) > 0 else 0.0


def sweep_seconds(journal, offset, length):
    """A record of a sweep holds two lists of numbers, each after its length: the trace, then seconds by block."""
    journal.seek(offset)
    record = journal.read(length)
    n_trace = struct.unpack_from("<Q", record)[0]
    n_blocks = struct.unpack_from("<Q", record, 8 + 8 * n_trace)[0]
    return sum(struct.unpack_from(f"<{n_blocks}d", record, 16 + 8 * n_trace))


def is_locked(folder):
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False  # a file system without locks
    finally:
        os.close(descriptor)


def slurm_states():
    """{number: "STATE (reason)"} of the jobs that Slurm has now; nothing where there is no Slurm."""
    try:
        answer = subprocess.run(["squeue", "--noheader", "--format=%i|%T|%r"], capture_output=True, text=True, timeout=30)
    except FileNotFoundError:
        return {}
    except subprocess.TimeoutExpired:
        answer = None
    if answer is None or answer.returncode != 0:
        print("Slurm does not answer: which chains have a job is not known", file=sys.stderr)
        return {}
    lines = [line.split("|") for line in answer.stdout.splitlines() if line.count("|") == 2]
    return {job: state if reason in {"", "None"} else f"{state} ({reason})" for job, state, reason in lines}


def last_words(folder):
    """Why the last job of a chain ended, if it was one."""
    log = folder / "slurm.log"
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    words = [line for line in lines if line.startswith(("hmmlt-", "slurmstepd: error:"))]
    return words[-1] if words else ""


def look_or_say_why_not(folder, sweeps, jobs):
    """One damaged chain does not hide the others."""
    try:
        return look(folder, sweeps, jobs)
    except (OSError, ValueError, struct.error) as error:
        return Chain(folder, sweeps, "failed", 0, 0.0, f"cannot be read: {error}")


def look(folder, sweeps, jobs):
    mark, journal = folder / "slurm.job", folder / "checkpoint.journal"
    if (folder / "provenance.json").exists():
        return Chain(folder, sweeps, "done", sweeps)
    if not folder.is_dir():
        return Chain(folder, sweeps, "packed" if (folder.parent / "chains.tar").exists() else "waiting")
    sweep, rate = journal_progress(journal) if journal.exists() else (0, 0.0)
    words = mark.read_text(errors="replace").split() if mark.exists() else []
    job = words[1] if len(words) > 1 else ""  # after its token
    state = jobs.get(job, "")
    if state.startswith(("RUNNING", "COMPLETING")) or is_locked(folder):
        return Chain(folder, sweeps, "running", sweep, rate, f"job {job}" if job else "here")
    if state:
        return Chain(folder, sweeps, "queued", sweep, rate, f"job {job}: {state.lower()}")
    words = last_words(folder)
    if words and "interrupted after sweep" not in words and "CANCELLED" not in words:
        return Chain(folder, sweeps, "failed", sweep, rate, words)
    return Chain(folder, sweeps, "stopped" if sweep else "waiting", sweep, rate)


def duration(seconds):
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def number(value):
    """Three digits, never an exponent: 0.0123, 2.46, 2130."""
    text = f"{value:.3g}"
    return text if "e" not in text else f"{value:.0f}" if value > 1 else f"{value:.9f}"


def table(chains):
    lines = []
    for chain in chains:
        if chain.state in ("done", "packed", "waiting"):
            continue
        left = chain.seconds_left()
        lines.append(f"{chain.state:8} {chain.sweep:>7}/{chain.sweeps:<7} {number(chain.rate) + '/s' if chain.rate else '-':>10} "
                     f"{duration(left) + ' left' if left is not None else 'not known yet':>18}  {chain.folder}"
                     + (f"  ({chain.note})" if chain.note else ""))
    counts = {state: sum(chain.state == state for chain in chains)
              for state in ["done", "packed", "running", "queued", "failed", "stopped", "waiting"]}
    lines.append(f"{len(chains)} chain{'' if len(chains) == 1 else 's'}: " + ", ".join(f"{n} {state}" for state, n in counts.items() if n))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chains", required=True, type=pathlib.Path, help="file: folder, tab, sweeps; a line per chain")
    flags = parser.parse_args()
    jobs = slurm_states()
    wanted = [line.split() for line in flags.chains.read_text().splitlines() if line.strip()]
    print(f"{time.strftime('%H:%M:%S')}: sweeps as of each chain's last checkpoint")
    print("\n".join(table([look_or_say_why_not(pathlib.Path(folder), int(sweeps), jobs) for folder, sweeps in wanted])))


if __name__ == "__main__":
    main()
