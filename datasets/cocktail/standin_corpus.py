"""Synthesises the stand-in speech corpus: sentences of the GRID grammar by 34 espeak-ng voices, 25 kHz mono WAV.

One folder per speaker, one file per sentence, the same bytes for the same espeak-ng. What is there already is kept, so
a run that was interrupted continues; corpus.json is written last and says that the corpus is complete.
"""

import argparse
import concurrent.futures
import csv
import fcntl
import hashlib
import json
import os
import pathlib
import sys
import time
import wave

from standin_voice import RATE, Failure, check_voice, espeak_version, file_name, sentences_of, speak

import numpy as np  # after standin_voice, which settles its threads

HERE = pathlib.Path(__file__).resolve().parent
RECIPE = ".recipe"  # in the corpus folder: what its sentences were made by


def recipe(table: pathlib.Path) -> str:
    """What the bytes of the sentences depend on, beside speaker and words."""
    sources = (table, HERE / "standin_voice.py", HERE / "resample.py")
    digest = hashlib.sha256(b"".join(hashlib.sha256(source.read_bytes()).digest() for source in sources))
    return f"espeak-ng {espeak_version()} {digest.hexdigest()}"


def write_sentence(path: pathlib.Path, samples: np.ndarray) -> None:
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as file, wave.open(file) as sound:
        sound.setparams((1, 2, RATE, len(samples), "NONE", ""))
        sound.writeframes(samples.tobytes())
    partial.replace(path)


def write_text(path: pathlib.Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text)
    partial.replace(path)


def prepare_folder(out: pathlib.Path, current: str, wanted: dict[pathlib.Path, tuple]) -> int:
    """Takes away what an older recipe or a larger corpus left, and the mark of completeness; returns the lock."""
    out.mkdir(parents=True, exist_ok=True)
    lock = os.open(out, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Failure(74, f"cannot write {out}: another process is writing it") from None
    found = (out / RECIPE).read_text() if (out / RECIPE).exists() else None
    if found is None and any(out.iterdir()):
        raise Failure(65, f"{out}: expected a new folder or a stand-in corpus, found {min(out.iterdir()).name}")
    (out / "corpus.json").unlink(missing_ok=True)
    for file in [*out.glob("*/*.wav"), *out.glob("*/.*.partial")]:
        if found != current or file not in wanted:
            file.unlink()
    write_text(out / RECIPE, current)
    for path in wanted:
        path.parent.mkdir(exist_ok=True)
    return lock


def show_progress(done: int, total: int, end: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[Kstand-in corpus: {done}/{total} sentences", end=end, file=sys.stderr, flush=True)
    else:
        print(f"stand-in corpus: {done}/{total} sentences", file=sys.stderr, flush=True)


def synthesise(wanted: dict[pathlib.Path, tuple]) -> None:
    missing = {path: what for path, what in wanted.items() if not path.exists()}
    pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    try:
        list(pool.map(check_voice, {speaker["speaker"]: speaker for speaker, _ in missing.values()}.values()))
        shown = time.monotonic()
        interval = 0.2 if sys.stderr.isatty() else 10
        work = (pool.submit(lambda p=path, w=what: write_sentence(p, speak(*w))) for path, what in missing.items())
        for done, future in enumerate(concurrent.futures.as_completed(list(work)), len(wanted) - len(missing) + 1):
            future.result()
            if time.monotonic() - shown >= interval:
                shown = time.monotonic()
                show_progress(done, len(wanted), end="")
        if missing and sys.stderr.isatty():
            show_progress(len(wanted), len(wanted), end="\n")
    finally:
        pool.shutdown(cancel_futures=True)


def describe(out: pathlib.Path, paths: list[pathlib.Path]) -> dict:
    """What corpus.json says: name, sizes, lengths of the sentences, and a hash of all of them."""
    seconds: dict[str, list[float]] = {}
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(out)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        with wave.open(str(path)) as sound:
            seconds.setdefault(path.parent.name, []).append(sound.getnframes() / RATE)
    lengths = np.concatenate(list(seconds.values()))
    statistics = {"mean": lengths.mean(), "sd": lengths.std(), "min": lengths.min(), "max": lengths.max()}
    return {
        "name": f"stand-in speech (espeak-ng {espeak_version()})",
        "speakers": len(seconds),
        "sentences": len(lengths),
        "sample_rate": RATE,
        "seconds": {name: round(float(value), 4) for name, value in statistics.items()},
        "mean_seconds_by_speaker": {name: round(float(np.mean(values)), 4) for name, values in seconds.items()},
        "sha256": digest.hexdigest(),
    }


def make_corpus(out: pathlib.Path, table: pathlib.Path, n_sentences: int) -> None:
    with table.open(newline="") as rows:
        speakers = list(csv.DictReader(rows))
    wanted = {
        out / speaker["speaker"] / file_name(words): (speaker, words)
        for speaker in speakers
        for words in sentences_of(speaker["speaker"], n_sentences)
    }
    lock = prepare_folder(out, recipe(table), wanted)
    synthesise(wanted)
    corpus = describe(out, list(wanted))
    write_text(out / "corpus.json", json.dumps(corpus, indent=2) + "\n")
    os.close(lock)
    seconds = corpus["seconds"]
    print(
        f"{out}: {corpus['sentences']} sentences by {corpus['speakers']} speakers, "
        f"{seconds['mean']:.2f} s on average ({seconds['min']:.2f} to {seconds['max']:.2f} s)"
    )


class Parser(argparse.ArgumentParser):
    def error(self, message: str):
        raise Failure(64, f"{message} (try --help)")


def main() -> int:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the corpus")
    table = HERE / "speakers.csv"
    parser.add_argument("--speakers", type=pathlib.Path, default=table, help="table of the voices (default: ours)")
    parser.add_argument("--sentences", type=int, default=40, help="of each speaker, 1 to 1000 (default 40)")
    try:
        arguments = parser.parse_args()
        if not 1 <= arguments.sentences <= 1000:
            raise Failure(64, f"--sentences: expected a whole number from 1 to 1000, found {arguments.sentences}")
        make_corpus(arguments.out, arguments.speakers, arguments.sentences)
    except Failure as failure:
        print(f"standin_corpus: {failure}", file=sys.stderr)
        return failure.code
    except OSError as error:
        place = error.filename or arguments.out
        print(f"standin_corpus: cannot read or write {place}: {error.strerror}", file=sys.stderr)
        return 74
    except KeyboardInterrupt:
        print("standin_corpus: interrupted; the sentences that are finished are kept", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
