"""A Streamlit page of a test with the project's static files, for components that need no service."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.running_muster import START_SECONDS, free_port, wait_until_healthy

PROJECT = Path(__file__).resolve().parents[2]


@contextmanager
def small_page(folder: Path, script: str) -> Iterator[str]:
    """Serve the script on loopback. Yields its URL without a final slash."""
    (folder / "small_page.py").write_text(script, encoding="utf-8")
    (folder / "static").symlink_to(PROJECT / "static", target_is_directory=True)
    port = free_port()
    options = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.headless": "true",
        "server.enableStaticServing": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", "small_page.py"]
    command += [part for name, value in options.items() for part in (f"--{name}", value)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment | {"PYTHONPATH": str(PROJECT)}, stdout=log, stderr=log
        )
    base = f"http://127.0.0.1:{port}"
    try:
        assert wait_until_healthy(f"{base}/_stcore/health", process, START_SECONDS), (folder / "log").read_text(
            encoding="utf-8"
        )
        yield base
    finally:
        process.terminate()
        process.wait(60)
