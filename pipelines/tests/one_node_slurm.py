"""A real Slurm of one node, on loopback and in a scratch folder: its own munge, controller and node daemon.

python one_node_slurm.py FOLDER     keeps one up until interrupted, and says how to use it
python one_node_slurm.py --check    says why there can be none here, if so: ctest does not tell why it skips a test

Needs root (the daemons start jobs as the user who submits them) and Debian's munge, slurmctld and slurmd.
"""

import ctypes
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol"]
SBIN = ["/usr/local/sbin", "/usr/sbin", "/sbin"]  # where the daemons are, and where not every root looks
ATTEMPTS = 3  # a port that was free may be taken a moment later
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None)
# Short waits where a real cluster is patient: a test cannot wait five minutes for a node to be given up. A job that was
# requeued may not begin before the credential of its last run has expired.
CONFIGURATION = """
ClusterName=hmmlt-test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
JobRequeue=1
ReturnToService=2
SlurmdTimeout=5
KillWait=10
InactiveLimit=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Why there can be no such cluster here, in words; nothing if there can."""
    if os.geteuid() != 0:
        return "a cluster of one node needs root"
    absent = [program for program in PROGRAMS if shutil.which(program, path=search_path()) is None]
    return f"not installed: {', '.join(absent)} (make test-slurm installs them)" if absent else None


def search_path():
    return os.pathsep.join([os.environ.get("PATH", os.defpath), *SBIN])


def clean_environment():
    """Without what another Slurm may have set, e.g. because this runs inside one of its jobs."""
    foreign = ("SLURM_", "SLURMD_", "SBATCH_", "SALLOC_", "SRUN_", "SINFO_", "SQUEUE_", "MUNGE_", "HMMLT_SLURM_")
    return {key: value for key, value in os.environ.items() if not key.startswith(foreign)}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end_with_parent():
    """For a child between fork and exec: it ends with this process, however that ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def descendants(pid):
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue  # it has ended meanwhile
            children.setdefault(parent, []).append(int(entry.name))
    found, ahead = [], [pid]
    while ahead:
        own = children.get(ahead.pop(), [])
        found += own
        ahead += own
    return found


class OneNodeSlurm:
    """A context: up inside, gone after. Processes that leave their parent come to this one, so that all can be found."""

    def __init__(self, folder, cpus=2):
        self.folder = pathlib.Path(folder).resolve()
        self.cpus = cpus
        self.daemons = {}
        self.environment = {**clean_environment(), "PATH": search_path(), "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        for attempt in range(ATTEMPTS):
            try:
                self.start_all()
                return self
            except RuntimeError:
                self.stop()
                if attempt + 1 == ATTEMPTS:
                    raise
            except BaseException:
                self.stop()
                raise

    def start_all(self):
        for name in ["munge", "state", "spool"]:
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge/key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, cpus=self.cpus, memory=megabytes * 9 // 10,
            controller_port=free_port(), node_port=free_port()))
        self.start("munged", "--foreground", "--force", *(f"--{flag}={self.folder}/munge/{name}" for flag, name in [
            ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed")]))
        self.wait_for((self.folder / "munge/socket").exists, "munged")
        self.start("slurmctld", "-D", "-c")
        self.start_node()

    def __exit__(self, *_):
        self.stop()

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.out", "ab")
        self.daemons[name] = subprocess.Popen([name, *arguments], env=self.environment, stdout=log, stderr=log,
                                              stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=end_with_parent)
        log.close()

    def start_node(self):
        self.start("slurmd", "-D", "-N", "node1")
        self.wait_for(lambda: self.node_state() in ("IDLE", "MIXED", "ALLOCATED"), "the node")

    def kill_node(self):
        """As if its power had gone: the daemon and every job on it, at once."""
        node = self.daemons.pop("slurmd")
        steps = [pid for pid in descendants(os.getpid()) if self.is_step(pid)]
        doomed = [node.pid, *descendants(node.pid), *steps, *(child for pid in steps for child in descendants(pid))]
        for pid in doomed:
            self.kill(pid, signal.SIGKILL)
        node.wait()
        self.reap(doomed)

    def is_step(self, pid):
        try:
            return b"slurmstepd" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False

    def node_state(self):
        try:
            words = self.run("scontrol", "show", "node", "node1", "--oneliner", check=False).stdout.split()
        except subprocess.TimeoutExpired:
            return ""
        states = [word.partition("=")[2] for word in words if word.startswith("State=")]
        return states[0] if states else ""

    def run(self, *command, check=True):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=check, timeout=60)

    def wait_for(self, condition, what, seconds=120):
        """Throws RuntimeError, with the daemons' last words, if it takes too long or one of them has ended."""
        end = time.monotonic() + seconds
        while not condition():
            ended = [name for name, daemon in self.daemons.items() if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                why = f"{ended[0]} has ended" if ended else f"waited {seconds} s"
                raise RuntimeError(f"{what} did not come up: {why}; logs in {self.folder}:\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{path.name}: {line}" for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out"))
                         for line in path.read_text(errors="replace").splitlines()[-8:])

    @staticmethod
    def kill(pid, number):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    @staticmethod
    def reap(pids):
        for pid in pids:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass

    def stop(self):
        if "slurmctld" in self.daemons:
            try:
                self.run("scancel", "--user=root", check=False)
            except subprocess.TimeoutExpired:
                pass  # a controller that does not answer; what it runs is ended below
        for name in ["slurmd", "slurmctld", "munged"]:
            daemon = self.daemons.pop(name, None)
            if daemon is None:
                continue
            steps = [pid for pid in descendants(os.getpid()) if name == "slurmd" and self.is_step(pid)]
            jobs = [*steps, *(child for pid in steps for child in descendants(pid))]
            daemon.terminate()
            try:
                daemon.wait(timeout=15)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            for pid in jobs:
                self.kill(pid, signal.SIGKILL)
        self.reap(descendants(os.getpid()))


def main(folder):
    reason = missing()
    if folder == "--check":
        if reason:
            print(f"the tests on a real Slurm are skipped: {reason}")
        return
    if reason:
        sys.exit(f"one_node_slurm: {reason}")
    with OneNodeSlurm(folder, cpus=os.cpu_count()) as cluster:
        print(f"up: export SLURM_CONF={cluster.environment['SLURM_CONF']}; Ctrl-C ends it", flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main(sys.argv[1])
