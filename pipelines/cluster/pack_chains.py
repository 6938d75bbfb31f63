"""Finished chains as one file per model, for file systems on which many small files hurt; and back, byte for byte.

python pack_chains.py pack --chains FILE --results FOLDER --stamps FOLDER
python pack_chains.py unpack ...                FILE has a line per chain: its folder, then anything

The chains of a model, results/.../chain-0, chain-1, ..., become results/.../chains.tar and their folders go; unpacking is
the reverse. Either may be killed at any moment: a folder that is there is whole and counts, and what the archive holds
counts where there is no folder. What make noted about a chain, FOLDER/.../chain-0/flags below --stamps, goes with it; if
a kill loses that, the next make only looks at the chain once more. docs/cluster.md says what can be done with packed chains.
"""

import argparse
import contextlib
import errno
import fcntl
import hashlib
import io
import os
import pathlib
import shutil
import sys
import tarfile

ARCHIVE = "chains.tar"
LISTING = "SHA256SUMS"  # first in the archive: as sha256sum writes it and checks it
FLAGS = "flags"
EXIT_IO = 74


def counted(n, noun):
    return f"{n} {noun}{'' if n == 1 else 's'}"


def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def lock(folder, trouble="a stage is writing there; pack when it is done"):
    """As the stages lock what they write, and like them without, where the file system has no locks."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise OSError(f"{folder}: {trouble}") from None
    except OSError as error:
        if error.errno not in {errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK}:
            raise
    return descriptor


def remove_rests(run):
    """What a kill left behind."""
    for path in [*run.glob(".chain-*.removed"), *run.glob(".chain-*.partial")]:
        shutil.rmtree(path)
    (run / f".{ARCHIVE}.partial").unlink(missing_ok=True)


def remove_folder(folder):
    """All of it at once for whoever looks."""
    gone = folder.with_name(f".{folder.name}.removed")
    folder.rename(gone)
    shutil.rmtree(gone)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def opened(path):
    try:
        with tarfile.open(path, "r:") as archive:
            yield archive
    except (tarfile.TarError, ValueError) as error:
        raise OSError(f"{path}: {error}") from None


def listed(archive):
    """{path in the archive: SHA-256}, by its first file."""
    first = archive.next()
    if first is None or first.name != LISTING:
        raise tarfile.ReadError(f"expected {LISTING} first, found {first.name if first else 'nothing'}")
    lines = archive.extractfile(first).read().decode().splitlines()
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines)}


def read(archive, path, digest):
    """(member, bytes) of a file, if they are what the listing says."""
    try:
        member = archive.getmember(path)
        data = archive.extractfile(member).read()
    except KeyError:
        raise tarfile.ReadError(f"expected {path}, found none: the archive is truncated") from None
    if sha256(data) != digest:
        raise tarfile.ReadError(f"{path} is not what was packed")
    return member, data


def write_archive(path, folders, before):
    """The folders, and those chains of the archive `before`, if there is one, that have no folder."""
    files = {f"{file.parent.name}/{file.name}": file for folder in folders for file in sorted(folder.iterdir())}
    digests = {name: sha256(file.read_bytes()) for name, file in files.items()}
    names = [folder.name for folder in folders]
    with contextlib.ExitStack() as stack:
        old = stack.enter_context(opened(before)) if before.exists() else None
        kept = {name: digest for name, digest in listed(old).items() if name.split("/")[0] not in names} if old else {}
        archive = stack.enter_context(tarfile.open(path, "w", format=tarfile.PAX_FORMAT))
        listing = "".join(f"{digest}  {name}\n" for name, digest in {**kept, **digests}.items()).encode()
        head = tarfile.TarInfo(LISTING)
        head.size = len(listing)
        archive.addfile(head, io.BytesIO(listing))
        for name, digest in kept.items():
            member, data = read(old, name, digest)
            archive.addfile(member, io.BytesIO(data))
        for name, file in files.items():
            archive.add(file, name, recursive=False)
    sync(path)


def check_archive(path):
    """Reads it back."""
    with opened(path) as archive:
        for name, digest in listed(archive).items():
            read(archive, name, digest)


def pack_run(run, folders, stamp_of):
    archive, partial = run / ARCHIVE, run / f".{ARCHIVE}.partial"
    locks = []
    try:
        for folder in folders:
            locks.append(lock(folder))
        for folder in folders:
            take_stamp(stamp_of(folder), folder)
        write_archive(partial, folders, archive)
        check_archive(partial)
        # as old as the youngest chain in it: make takes it for the chains
        members = [folder / "provenance.json" for folder in folders] + [archive] * archive.exists()
        newest = max(member.stat().st_mtime_ns for member in members)
        os.utime(partial, ns=(newest, newest))
        partial.replace(archive)
        sync(run)
        for folder in folders:
            remove_folder(folder)
    except OSError:
        partial.unlink(missing_ok=True)  # it may be what fills the disk
        for folder in folders:
            give_stamp_back(stamp_of(folder), folder)
        raise
    finally:
        for descriptor in locks:
            os.close(descriptor)


def unpack_run(run):
    with opened(run / ARCHIVE) as archive:
        files = listed(archive)
        for chain in sorted({path.split("/")[0] for path in files}):
            if (run / chain / "provenance.json").exists():
                continue
            if (run / chain).exists():
                raise OSError(f"{run / chain}: begun anew and not finished, and {run / ARCHIVE} has it finished: remove one")
            partial = run / f".{chain}.partial"
            partial.mkdir()
            try:
                for path in [path for path in files if path.startswith(f"{chain}/")]:
                    member, data = read(archive, path, files[path])
                    file = partial / path.split("/")[1]
                    file.write_bytes(data)
                    file.chmod(member.mode)
                    os.utime(file, (member.mtime, member.mtime))
                    sync(file)
            except (OSError, tarfile.TarError):
                shutil.rmtree(partial)  # it may be what fills the disk
                raise
            partial.rename(run / chain)
    sync(run)
    (run / ARCHIVE).unlink()


def runs_of(file):
    """{folder of a run: folders of its chains}"""
    found = {}
    for line in file.read_text().splitlines():
        if line.strip():
            folder = pathlib.Path(line.split()[0])
            found.setdefault(folder.parent, []).append(folder)
    return found


def is_finished(run, chains):
    return all((chain / "provenance.json").exists() if chain.is_dir() else (run / ARCHIVE).exists() for chain in chains)


def take_stamp(stamp, chain):
    """Beside the tables of the chain, where it is packed with them."""
    if (stamp / FLAGS).exists():
        shutil.move(stamp / FLAGS, chain / FLAGS)
        stamp.rmdir()


def give_stamp_back(stamp, chain):
    if (chain / FLAGS).exists():
        stamp.mkdir(parents=True, exist_ok=True)
        shutil.move(chain / FLAGS, stamp / FLAGS)


def pack(runs, stamp_of):
    n_chains = n_files = n_archives = n_unfinished = 0
    for run, chains in runs.items():
        folders = [chain for chain in chains if chain.is_dir()]
        if not is_finished(run, chains):
            n_unfinished += 1
        elif folders:
            n_chains += len(folders)
            n_files += sum(len(list(folder.iterdir())) + (stamp_of(folder) / FLAGS).exists() for folder in folders)
            n_archives += 1
            pack_run(run, folders, stamp_of)
    rest = f"; {counted(n_unfinished, 'model')} left alone, with chains that are not done" if n_unfinished else ""
    print(f"{counted(n_chains, 'chain')}, {counted(n_files, 'file')}, packed into {counted(n_archives, 'archive')}{rest}")


def unpack(runs, stamp_of):
    packed = [run for run in runs if (run / ARCHIVE).exists()]
    for run in packed:
        unpack_run(run)
    for chain in [chain for chains in runs.values() for chain in chains]:
        give_stamp_back(stamp_of(chain), chain)
    print(f"{counted(len(packed), 'archive')} unpacked")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["pack", "unpack"])
    parser.add_argument("--chains", required=True, type=pathlib.Path, help="file: a line per chain, its folder first")
    parser.add_argument("--results", required=True, type=pathlib.Path, help="the folder that all chains lie in")
    parser.add_argument("--stamps", required=True, type=pathlib.Path, help="the folder of make's notes, by the same paths")
    flags = parser.parse_args()
    runs = runs_of(flags.chains)
    try:
        lock(flags.results, "another make pack or unpack is at work there")
        for run in runs:
            remove_rests(run)
        work = pack if flags.what == "pack" else unpack
        work(runs, lambda chain: flags.stamps / chain.relative_to(flags.results))
    except OSError as error:
        print(f"{flags.what}: {error}", file=sys.stderr)
        sys.exit(EXIT_IO)


if __name__ == "__main__":
    main()
