"""Start the confined process that reads one shape file or folder, and end it when it takes too long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, Literal

_PROJECT: Final = Path(__file__).resolve().parents[1]
# The environment variables passed on: no secret, no proxy, no home.
_PASSED_VARIABLES: Final = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", "TZ")
# Each thread of a numeric library would reserve memory, which counts toward the limit.
_ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


STARTED: Final = b"started\n"
"""The first line that the process prints. If it fails later, the file is the cause."""


class UnreadableShapeError(Exception):
    """A file that cannot be read as a shape; the message says why."""


class ReaderNotStartedError(Exception):
    """The process that reads shapes did not start; the file is not the cause."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The process that reads shapes did not start: {reason}")


def run_confined(command: Literal["read", "areas", "prepare"], path: Path, *, seconds: float) -> bytes:
    """Run a command on a file or folder in the confined process, and return what the process prints.

    Raises `UnreadableShapeError` if the process takes too long or fails, and `ReaderNotStartedError` if it does not
    start.
    """
    try:
        process = subprocess.run(  # noqa: S603 (a module of the project, and a path that the project made)
            [sys.executable, "-m", "shapes.process", command, str(path)],
            cwd=_PROJECT,
            env={name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ} | _ONE_THREAD,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableShapeError("The file takes too long to read.") from error
    except OSError as error:
        raise ReaderNotStartedError(type(error).__name__) from error
    if not process.stdout.startswith(STARTED):
        # The last line of a traceback: the type of the error and its message.
        last = process.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise ReaderNotStartedError(f"exit code {process.returncode}, {last}")
    if process.returncode != 0:
        raise UnreadableShapeError("The file cannot be read.")
    return process.stdout[len(STARTED) :]
