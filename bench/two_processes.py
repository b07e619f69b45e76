"""200 people on two dashboard processes behind HAProxy, half on the map and half on the filter list.

As in `many_people`, each chooses something every five seconds. The proxy uses `deploy/haproxy.cfg` with other ports.
The service is a process of its own, and both dashboards use one journal, a SQLite file.

`python -m bench.two_processes --people 100 --seconds 60`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]

from bench.filter_keystroke import serve_script
from bench.many_people import ACCOUNTS, SECONDS, create_accounts, measure, wait_until_let_in
from bench.map_paint import PROJECT
from domain.demo.demo_entries import ensure_demo_entries
from journal import Actor, Journal
from service.demo import generator

PEOPLE: Final = 200
PROCESSES: Final = 2


def run(people: int = PEOPLE, seconds: float = SECONDS, accounts: int = ACCOUNTS) -> bool:
    """Measure, and print. Returns False as in `many_people`, and True without measuring if HAProxy is not installed."""
    haproxy = shutil.which("haproxy")
    if haproxy is None:
        print("HAProxy is not installed.")
        return True
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(_serve_demo(data))
        names = create_accounts(data, accounts)
        journal = f"sqlite:///{data / 'journal.sqlite'}"
        with Journal.open(journal, str) as opened:
            ensure_demo_entries(opened, Actor(service, generator.ORGANIZATION_ID, names[0]))
        settings = {"MUSTER_SERVICE_URL": service, "MUSTER_JOURNAL_URL": journal, "FORWARDED_ALLOW_IPS": "127.0.0.1"}
        processes = {}
        for number in range(PROCESSES):
            folder = data / str(number)
            folder.mkdir()
            environment = os.environ | settings | {"MUSTER_DATA_DIR": str(folder)}
            base = stack.enter_context(serve_script(PROJECT / "app.py", PROJECT, folder, environment))
            wait_until_let_in(base)
            processes[base] = psutil.Process().children()[-1]
        address = stack.enter_context(_serve_proxy(haproxy, data, list(processes)))
        return asyncio.run(measure(address, processes, names, people, seconds))


@contextmanager
def _serve_demo(folder: Path) -> Iterator[str]:
    """Serve the demo organization. Yields the URL of the service."""
    port = _free_port()
    database = f"sqlite:///{folder / 'service.sqlite'}"
    command = [sys.executable, "-m", "service", "serve", "--demo", "--port", str(port), "--database-url", database]
    with _running(command, folder / "service.log") as process:
        while process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _serve_proxy(haproxy: str, folder: Path, bases: list[str]) -> Iterator[str]:
    """Run the proxy of the deployment in front of these dashboards. Yields its URL."""
    port = _free_port()
    text = (PROJECT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
    text = text.replace("bind :8080", f"bind 127.0.0.1:{port}")
    for documented, base in zip(("127.0.0.1:8501", "127.0.0.1:8502"), bases, strict=True):
        text = text.replace(documented, urlsplit(base).netloc)
    (folder / "haproxy.cfg").write_text(text, encoding="utf-8")
    with _running([haproxy, "-f", str(folder / "haproxy.cfg")], folder / "haproxy.log"):
        wait_until_let_in(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _running(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=PROJECT, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.two_processes", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--accounts", type=int, default=ACCOUNTS)
    options = parser.parse_args()
    sys.exit(0 if run(options.people, options.seconds, options.accounts) else 1)
