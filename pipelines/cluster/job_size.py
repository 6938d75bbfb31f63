"""How large a job is: cores, memory and time as the experiment's table has them, and guesses for what it leaves open.

A chain's guesses are those of `hmmlt-train --estimate`, found once for all chains of a model by a job of its own; other
stages get DEFAULT and the time limit of the partition. A guess may be wrong: memory is doubled when a job runs out of it,
and a chain that runs out of time goes on in the next job.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shlex
import subprocess

FLAGS = {"cores": "--cpus-per-task", "memory": "--mem", "time": "--time"}
DEFAULT = {"cores": "1", "memory": "2G"}


class JobSize:
    def __init__(self, settings):
        self.fixed = pairs(settings)
        self.guessed = dict(DEFAULT)

    def wishes(self):
        return {**self.guessed, **self.fixed}

    def is_open(self):
        """Whether there is anything for an estimate to say."""
        return not {"memory", "time"} <= self.fixed.keys()

    def of_an_estimate(self):
        """The size of the job that finds the estimate: it takes the memory of a chain, and little time."""
        return JobSize(f"{key}={value}" for key, value in self.fixed.items() if key != "time")

    def take_estimate(self, text):
        """Of its last line the words KEY=VALUE; the time is cut to what the partition allows."""
        self.guessed.update(pairs(word for word in text.splitlines()[-1].split() if "=" in word))
        limit = partition_limit()
        if limit is not None and minutes(self.guessed["time"]) > limit:
            self.guessed["time"] = str(limit)

    def double_memory(self):
        """False if the table says how much it is."""
        if "memory" in self.fixed:
            return False
        number, unit = re.fullmatch(r"(\d+)([KMGT]?)", self.guessed["memory"]).groups()
        self.guessed["memory"] = f"{2 * int(number)}{unit}"
        return True

    def sbatch_flags(self):
        """A key without a value is left to Slurm."""
        return [f"{FLAGS[key]}={value}" for key, value in self.wishes().items() if value]


def pairs(settings):
    """{key: value} of texts KEY=VALUE."""
    found = {}
    for setting in settings:
        key, sign, value = setting.partition("=")
        if key not in FLAGS or not sign:
            raise ValueError(f"job setting {setting}: expected {', '.join(f'{known}=...' for known in FLAGS)}")
        found[key] = value
    return found


def minutes(text):
    """A time as Slurm spells it: minutes, minutes:seconds, hours:minutes:seconds, days-hours[:minutes[:seconds]]."""
    days, dash, rest = text.rpartition("-")
    numbers = [int(number) for number in rest.split(":")]
    if not dash and len(numbers) < 3:
        numbers.insert(0, 0)
    hours, whole, seconds = [*numbers, 0, 0][:3]
    return (int(days or 0) * 24 + hours) * 60 + whole + (seconds > 0)


def further_flags():
    """Of sbatch, as the user gave them."""
    return shlex.split(os.environ.get("HMMLT_SLURM_FLAGS", ""))


def partition_names():
    """Those that the job is submitted to; none: the default one."""
    flags = iter(further_flags())
    for flag in flags:
        if flag in ("-p", "--partition"):
            return next(flags, "").split(",")
        if flag.startswith("--partition="):
            return flag.partition("=")[2].split(",")
    return os.environ["SBATCH_PARTITION"].split(",") if "SBATCH_PARTITION" in os.environ else []


def partition_limit():
    """Minutes that a job may ask for; None if there is no limit, or Slurm does not say."""
    answer = subprocess.run(["sinfo", "--noheader", "--format=%P %l"], capture_output=True, text=True)
    rows = [line.split() for line in answer.stdout.splitlines()]
    wanted = partition_names() or [name.removesuffix("*") for name, _ in rows if name.endswith("*")]
    limits = [limit for name, limit in rows if name.removesuffix("*") in wanted]
    return min((minutes(limit) for limit in limits if re.fullmatch(r"[\d:-]+", limit)), default=None)


def key_of(needs, command):
    """The same for all chains of a model, another if the program, the model or the data change."""
    found = hashlib.sha256()
    for need in needs:
        found.update(need.read_bytes())
    words = list(command)
    for flag in ["--chain", "--out"]:
        if flag in words:
            place = words.index(flag)
            del words[place:place + 2]
    found.update("\0".join(words).encode())
    return found.hexdigest()


@contextlib.contextmanager
def locked(file):
    """One job finds the estimate, the other chains of the model wait for it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file.with_name(file.name + ".lock"), "w") as lock:
        with contextlib.suppress(OSError):  # no locks on this file system: the estimate may be found more than once
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def known_estimate(file, key):
    found, _, text = file.read_text().partition("\n") if file.exists() else ("", "", "")
    return text if found == key and text else None


def keep_estimate(file, key, text):
    partial = file.with_name(f".{file.name}.partial")
    partial.write_text(f"{key}\n{text}")
    partial.replace(file)
