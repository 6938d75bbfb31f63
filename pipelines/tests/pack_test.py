"""Packed chains as a user of make meets them: done, not to be read, and the same bytes when they are unpacked.

python pack_test.py BIN_DIRECTORY
"""

import fcntl
import os
import subprocess
import sys

from slurm_test import CHAINS, RUNS, make_tree
from stage_case import ROOT, StageCase, main, without_make

sys.path.insert(0, str(ROOT / "pipelines/cluster"))
import pack_chains  # noqa: E402

TABLES = [f"results/{run}/{table}" for run in RUNS
          for table in ["diagnostics/diagnostics.parquet", "evaluation/evaluation.parquet"]]


def files_of(folder):
    """{path: (bytes, time in milliseconds)} of all chains below."""
    return {path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns // 10**6)
            for path in sorted(folder.rglob("chain-*/*"))}


class Pack(StageCase):
    def make(self, *arguments, code=0):
        result = subprocess.run(["make", *arguments], cwd=self.tree, capture_output=True, text=True, timeout=300,
                                env=without_make())
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def edit(self, name, old, new):
        path = self.tree / name
        path.write_text(path.read_text().replace(old, new))

    def test_packed_chains_count_as_done_and_come_back_as_they_were(self):
        self.tree = self.scratch / "tree"
        make_tree(self.tree, self.bin_directory, sweeps=200)
        results = self.tree / "results/synthetic"
        self.make("-j2", *TABLES)
        before = files_of(results)
        stamps = files_of(self.tree / "results/.stamps")
        self.assertEqual(len(stamps), 4)
        self.assertEqual(self.make("pack", "NAME=demo"), f"4 chains, {len(before) + 4} files, packed into 2 archives\n")
        self.assertEqual(files_of(self.tree / "results/.stamps"), {})
        self.assertEqual(files_of(results), {})
        self.assertEqual(len(list(results.rglob("chains.tar"))), 2)
        self.assertIn("4 chains: 4 packed", self.make("queue", "NAME=demo"))
        self.assertNotIn("hmmlt-", self.make("-n", *TABLES))
        self.assertIn("make unpack NAME=demo first", self.make("report", "NAME=demo", code=2))
        (self.tree / TABLES[0]).unlink()
        self.assertIn("chains.tar: packed chains cannot be read: make unpack first", self.make(*TABLES, code=2))
        self.assertEqual(self.make("pack", "NAME=demo"), "0 chains, 0 files, packed into 0 archives\n")

        self.assertEqual(self.make("unpack", "NAME=demo"), "2 archives unpacked\n")
        self.assertEqual(files_of(results), before)
        self.assertEqual(files_of(self.tree / "results/.stamps"), stamps)
        plan = self.make("-n", *TABLES)
        self.assertIn("hmmlt-diagnose", plan)  # what was deleted, and nothing else
        self.assertNotIn("hmmlt-train", plan)
        self.assertNotIn("hmmlt-evaluate", plan)
        self.edit("experiments/synthetic/experiment.mk", "tiny_sweeps := 200", "tiny_sweeps := 250")
        self.assertIn("50 sweeps after the 200 it had", self.make(f"results/{CHAINS[0]}/provenance.json"))
        self.assertIn("NAME=nothing: expected demo", self.make("pack", "NAME=nothing", code=2))

    def stamp_of(self, chain):
        return self.scratch / "stamps" / chain.name

    def fake_run(self, n_chains=2):
        run = self.scratch / "run"
        for k in range(n_chains):
            folder = run / f"chain-{k}"
            folder.mkdir(parents=True)
            for name in ["trace.parquet", "provenance.json"]:
                (folder / name).write_bytes(os.urandom(1000 + k))
        return run, {run: [run / f"chain-{k}" for k in range(n_chains)]}

    def test_killed_on_the_way_nothing_is_lost(self):
        run, runs = self.fake_run()
        before = files_of(run)
        # packed, and only one folder removed; that one not wholly
        pack_chains.write_archive(run / "chains.tar", runs[run], run / "none")
        (run / "chain-0").rename(run / ".chain-0.removed")
        (run / ".chain-0.removed/trace.parquet").unlink()
        for what in [pack_chains.unpack, pack_chains.pack, pack_chains.pack]:
            pack_chains.remove_rests(run)
            what(runs, self.stamp_of)
        self.assertEqual([path.name for path in run.iterdir()], ["chains.tar"])
        # half unpacked
        (run / ".chain-1.partial").mkdir()
        (run / ".chain-1.partial/trace.parquet").write_bytes(b"half")
        pack_chains.remove_rests(run)
        pack_chains.unpack(runs, self.stamp_of)
        self.assertEqual(files_of(run), before)
        # a chain that was made anew beside an archive is the newer one
        pack_chains.pack(runs, self.stamp_of)
        first = {path: content for path, content in before.items() if path.parts[0] == "chain-0"}
        (run / "chain-1").mkdir()
        (run / "chain-1/provenance.json").write_bytes(b"new")
        pack_chains.pack(runs, self.stamp_of)
        pack_chains.unpack(runs, self.stamp_of)
        self.assertEqual((run / "chain-1/provenance.json").read_bytes(), b"new")
        self.assertFalse((run / "chain-1/trace.parquet").exists())
        self.assertEqual({path: content for path, content in files_of(run).items() if path.parts[0] == "chain-0"}, first)

    def run_pack(self, what, runs):
        listed = self.scratch / "chains"
        listed.write_text("".join(f"{chain} 10\n" for chains in runs.values() for chain in chains))
        return subprocess.run([sys.executable, ROOT / "pipelines/cluster/pack_chains.py", what, "--chains", listed,
                               "--results", self.scratch, "--stamps", self.scratch / "stamps"],
                              capture_output=True, text=True, timeout=60)

    def test_what_is_not_done_or_not_whole_is_left_alone(self):
        run, runs = self.fake_run()
        before = files_of(run)
        last = (run / "chain-1/trace.parquet").read_bytes()
        (run / "chain-1/provenance.json").rename(run / "mark")
        self.assertIn("packed into 0 archives; 1 model left alone, with chains that are not done",
                      self.assert_done(self.run_pack("pack", runs)).stdout)
        (run / "mark").rename(run / "chain-1/provenance.json")
        descriptor = os.open(run / "chain-1", os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.assert_fails(self.run_pack("pack", runs), 74, "chain-1: a stage is writing there")
        os.close(descriptor)
        self.assertEqual(files_of(run), before)
        descriptor = os.open(self.scratch, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.assert_fails(self.run_pack("pack", runs), 74, "another make pack or unpack is at work there")
        os.close(descriptor)
        self.assert_done(self.run_pack("pack", runs))
        archive = run / "chains.tar"
        whole = archive.read_bytes()
        (run / "chain-0").mkdir()
        self.assert_fails(self.run_pack("unpack", runs), 74, "chain-0: begun anew and not finished", "chains.tar has it")
        self.assertEqual(archive.read_bytes(), whole)
        (run / "chain-0").rmdir()
        for broken, words in [(whole[:0], "empty"), (whole[:len(whole) // 4], "chains.tar: "), (whole[:4096], "chains.tar: "),
                              (whole.replace(last[:50], bytes(50)), "is not what was packed")]:
            archive.write_bytes(broken)
            self.assert_fails(self.run_pack("unpack", runs), 74, "unpack: ", words)
            self.assertEqual(archive.read_bytes(), broken)
        archive.write_bytes(whole)
        self.assert_done(self.run_pack("unpack", runs))
        self.assertEqual(files_of(run), before)


if __name__ == "__main__":
    main(sys.argv)
