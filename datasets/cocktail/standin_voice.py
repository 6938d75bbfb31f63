"""The voices of the stand-in corpus: what a speaker says, and how espeak-ng says it."""

import hashlib
import html
import io
import os
import subprocess
import wave

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sentences run in parallel, not the product within one
import numpy as np
from resample import resample

RATE = 25000
GRAMMAR = (
    ("bin", "lay", "place", "set"),
    ("blue", "green", "red", "white"),
    ("at", "by", "in", "with"),
    tuple("abcdefghijklmnopqrstuvxyz"),
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    ("again", "now", "please", "soon"),
)
AMPLITUDE = 35  # of espeak's 200: no voice of ours clips
EDGE = 0.01  # silence at both ends, below this part of the peak, is cut off: a file is speech from end to end


class Failure(Exception):
    """A sentence for the user and the exit code that goes with it."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


def below(limit: int, *what) -> int:
    """A number from 0 to limit - 1 that depends on `what` and on nothing else."""
    return int.from_bytes(hashlib.sha256(repr(what).encode()).digest(), "big") % limit


def sentences_of(name: str, n: int) -> list[tuple[str, ...]]:
    """The first n sentences of a speaker, all different; those of a longer list begin with those of a shorter one."""
    said: dict[tuple[str, ...], None] = {}
    attempt = 0
    while len(said) < n:
        said[tuple(words[below(len(words), name, attempt, slot)] for slot, words in enumerate(GRAMMAR))] = None
        attempt += 1
    return list(said)


def file_name(words: tuple[str, ...]) -> str:
    """GRID's own: the words' initials, the digit as a digit: "bin blue at f two now" is bbaf2n.wav."""
    digit = GRAMMAR[4].index(words[4])
    return "".join(word[0] for word in words[:4]) + (str(digit) if digit else "z") + words[5][0] + ".wav"


def espeak(*arguments: str) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(["espeak-ng", *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise Failure(74, "espeak-ng is not installed; make setup installs it") from None


def espeak_version() -> str:
    """As in "eSpeak NG text-to-speech: 1.51  Data at: ..."."""
    return espeak("--version").stdout.decode().split("  ")[0].rsplit(" ", 1)[-1]


def speak(speaker: dict[str, str], words: tuple[str, ...]) -> np.ndarray:
    """A sentence in a speaker's voice (a row of speakers.csv), each one a little faster or slower, higher or lower.

    int16 at RATE, without the silence around it.
    """
    name = speaker["speaker"]
    speed = int(speaker["speed"]) * (92 + below(17, name, words, "speed")) // 100
    pitch = int(speaker["pitch"]) - 4 + below(9, name, words, "pitch")
    text = " ".join("[['eI]]" if word == "a" else html.escape(word) for word in words)  # "a" would be the article
    result = espeak(
        *("--stdout", "-z", "-m", "-a", str(AMPLITUDE), "-s", str(speed), "-p", str(pitch)),
        *("-v", f"{speaker['accent']}+{speaker['variant']}", f"<prosody range='{speaker['range']}%'>{text}</prosody>"),
    )
    try:
        with wave.open(io.BytesIO(result.stdout)) as sound:
            rate, samples = sound.getframerate(), np.frombuffer(sound.readframes(len(result.stdout)), dtype="<i2")
        level = np.abs(samples.astype(int))
        loud = np.flatnonzero(level >= EDGE * level.max())
        return resample(samples[loud[0] : loud[-1] + 1], rate, RATE)
    except (EOFError, wave.Error, ValueError, IndexError):
        complaint = result.stderr.decode(errors="replace").strip() or f"exit code {result.returncode}, no sound"
        raise Failure(70, f"espeak-ng failed for speaker {name}: {complaint}") from None


def check_voice(speaker: dict[str, str]) -> None:
    """espeak-ng speaks on without a word if it does not know the variant of a voice; we do not."""
    words = ("bin", "blue", "at", "f", "two", "now")
    if np.array_equal(speak(speaker, words), speak({**speaker, "variant": ""}, words)):
        raise Failure(
            65, f"speaker {speaker['speaker']}: espeak-ng has no voice {speaker['accent']}+{speaker['variant']}"
        )
