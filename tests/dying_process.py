"""Processes that are killed at some step. One process imports the module, and each of them is a fork of it."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

PROJECT = Path(__file__).resolve().parents[1]
SECONDS = 120
"""The longest time for one process."""


class DyingProcesses:
    """Runs `send_until(*arguments)` of a module in separate processes; a context manager."""

    def __init__(self, module: str) -> None:
        self._command = [sys.executable, "-m", "tests.dying_process", module]

    def __enter__(self) -> DyingProcesses:
        self._first = subprocess.Popen(
            self._command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def run(self, *arguments: str | int) -> int:
        """Run one process with these arguments. Returns its exit code, which is negative for a signal."""
        assert self._first.stdin is not None
        assert self._first.stdout is not None
        print(json.dumps(arguments), file=self._first.stdin, flush=True)
        return int(self._first.stdout.readline())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._first.communicate(timeout=60)


def main(module: str) -> None:
    """Fork a process for each line of arguments, and print its exit code."""
    send_until = importlib.import_module(module).send_until
    for line in sys.stdin:
        process_id = os.fork()
        if not process_id:
            signal.alarm(SECONDS)
            send_until(*json.loads(line))
            os._exit(0)
        _, status = os.waitpid(process_id, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
