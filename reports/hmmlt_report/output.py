"""A report directory that is replaced as a whole: a report that fails leaves the old one as it was."""

import pathlib
import shutil
import tempfile

MARK = "index.html"


class Output:
    def __init__(self, out: pathlib.Path):
        self.out = out

    def __enter__(self) -> pathlib.Path:
        self.out.parent.mkdir(parents=True, exist_ok=True)
        self.partial = pathlib.Path(tempfile.mkdtemp(prefix=f".{self.out.name}.", dir=self.out.parent))
        self.partial.chmod(0o755)
        return self.partial

    def __exit__(self, kind, *_) -> None:
        if kind is not None:
            shutil.rmtree(self.partial, ignore_errors=True)
            return
        old = self.partial.with_name(self.partial.name + ".old")
        if self.out.exists():
            self.out.rename(old)
        self.partial.rename(self.out)
        shutil.rmtree(old, ignore_errors=True)


def may_replace(out: pathlib.Path) -> bool:
    """A directory that is not there, is empty, or is a report."""
    return not out.exists() or (out.is_dir() and (not any(out.iterdir()) or (out / MARK).exists()))
