"""Checks that the C++ example in README.md is the program that the tests build and run."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main() -> int:
    example = (ROOT / "libhmmlt/tests/consumer/example.cpp").read_text().strip()
    if f"```cpp\n{example}\n```" in (ROOT / "README.md").read_text():
        return 0
    print("README.md: its C++ example differs from libhmmlt/tests/consumer/example.cpp")
    return 1


if __name__ == "__main__":
    sys.exit(main())
