"""Running the process that reads shapes: told a file or a folder and nothing else, ended when it takes too long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, Literal

_PROJECT: Final = Path(__file__).resolve().parents[1]
# What the process is told of this one's environment: no secret, no proxy, no home.
_KEPT_VARIABLES: Final = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", "TZ")
# Threads of a numeric library would each reserve memory that the limits count.
_ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


STARTED: Final = b"started\n"
"""What the process prints once it can read: from there on, it is the file that ends it."""


class UnreadableShapeError(Exception):
    """A file that is no shape; the message says why."""


class ReaderNotStartedError(Exception):
    """The process that reads shapes did not start, whatever the file is."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The process that reads shapes did not start: {why}")


def run_apart(order: Literal["read", "prepare"], place: Path, *, seconds: float) -> bytes:
    """Have an order carried out on a file or folder, and give back what the process prints.

    Raises `UnreadableShapeError` where it takes too long or breaks off, `ReaderNotStartedError` where it never began.
    """
    try:
        done = subprocess.run(  # noqa: S603 (our own module, and a path of our own making)
            [sys.executable, "-m", "shapes.process", order, str(place)],
            cwd=_PROJECT,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ} | _ONE_THREAD,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableShapeError("The file takes too long to read.") from error
    except OSError as error:
        raise ReaderNotStartedError(type(error).__name__) from error
    if not done.stdout.startswith(STARTED):
        # The last line of a traceback: the kind of the error, and what it is about.
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise ReaderNotStartedError(f"exit code {done.returncode}, {last}")
    if done.returncode != 0:
        raise UnreadableShapeError("The file cannot be read.")
    return done.stdout[len(STARTED) :]
