"""A real dashboard process for tests: `streamlit run app.py` on a free port, with its data in a folder."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
import pytest

PROJECT = Path(__file__).resolve().parents[1]
START_SECONDS = 90.0


@dataclass
class Muster:
    """A dashboard process. `url` has no final slash; `log` is its output."""

    url: str
    process: subprocess.Popen[bytes]
    log_file: Path

    @property
    def log(self) -> str:
        """The output of the process so far."""
        return self.log_file.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> int:
        """Stop the process, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


# Below the ports that the system gives to connections, so that no connection can take one before the dashboard does.
# Each test process starts at another port, and uses each port once.
_PORTS = itertools.count(10_000 + os.getpid() * 97 % 20_000)


def free_port() -> int:
    """Return a port that is free now."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError


def start_muster(folder: Path, *, port: int = 0, **settings: str) -> Muster:
    """Start `streamlit run app.py` on this port or a free one, with its data in the folder. Wait until it accepts
    sign-ins.
    """
    port = port or free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
    environment |= {"MUSTER_DATA_DIR": str(folder / "data"), **settings}
    folder.mkdir(parents=True, exist_ok=True)
    log_file = folder / "muster.log"
    with log_file.open("wb") as log:
        process = _start(port, environment, log)
    muster = Muster(f"http://127.0.0.1:{port}", process, log_file)
    try:
        _wait_until_ready(muster)
    except BaseException:
        muster.stop()
        raise
    return muster


def _start(port: int, environment: dict[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.port",
        str(port),
        "--server.headless",
        "true",
    ]
    return subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=log, stderr=subprocess.STDOUT)


def _wait_until_ready(muster: Muster) -> None:
    if not wait_until_healthy(f"{muster.url}/readyz", muster.process, START_SECONDS):
        pytest.fail(f"Muster ended while starting, or was not ready within {START_SECONDS:.0f} s:\n{muster.log}")


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait until a process responds that it is healthy. Returns False if it ends, or takes too long."""
    # One client for all attempts: each new one would read all certificates again.
    with httpx.Client(timeout=2, trust_env=False, verify=False) as client:
        for _ in range(int(seconds / 0.1)):
            if process.poll() is not None:
                return False
            with suppress(httpx.HTTPError):
                if client.get(url).status_code == 200:
                    return True
            threading.Event().wait(0.1)
    return False
