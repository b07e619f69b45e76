"""The two servers that are compared: the service, and a bare FastAPI endpoint.

The bare endpoint runs on h11 and asyncio, so the service's share includes its gain from httptools and uvloop.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BARE = """
import json, sys
import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse

bodies = json.load(open(sys.argv[1]))
app = FastAPI()


@app.get("/bare/{number}")
async def bare(number: int) -> JSONResponse:
    return JSONResponse(bodies[number])


uvicorn.run(app, port=int(sys.argv[2]), log_level="warning", access_log=False, http="h11", loop="asyncio")
"""


@dataclass(frozen=True)
class Server:
    """A server to measure."""

    url: str
    pid: int

    def processor_seconds(self) -> float:
        """Return the processor time of the process so far; 0 if the system does not provide it."""
        if not sys.platform.startswith("linux"):
            return 0.0
        # The clock of another process, as clock_getcpuclockid(3) numbers it.
        return time.clock_gettime((~self.pid << 3) | 2)

    def move_to(self, cores: set[int]) -> None:
        """Run only on these processor cores, if the system supports it."""
        if sys.platform.startswith("linux"):
            os.sched_setaffinity(self.pid, cores)


@contextmanager
def running_service(
    folder: Path, database_url: str | None = None, *, faults: dict[str, Any] | None = None
) -> Iterator[tuple[Server, str]]:
    """Run `python -m service` in a separate process, on a new SQLite file or the given database. Yields the server
    and a token.
    """
    environment = {
        **os.environ,
        "MUSTER_SERVICE_DATABASE_URL": database_url or f"sqlite:///{folder / 'service.sqlite'}",
        "MUSTER_SERVICE_PASSWORD": "bench-password",
    }
    command = [sys.executable, "-m", "service"]
    for arguments in (["organization", "add", "8800", "Bench"], ["user", "add", "bench", "--organization", "8800"]):
        subprocess.run([*command, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
    token = subprocess.run(
        [*command, "token", "--user", "bench"], env=environment, check=True, capture_output=True, text=True
    )
    serve = [*command, "serve", "--port", "0"]
    if faults is not None:
        (folder / "faults.json").write_text(json.dumps({"fault": [faults]}), encoding="utf-8")
        serve += ["--faults", str(folder / "faults.json")]
    process = subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line.startswith("ready "):
            raise RuntimeError("The service ended before it was ready.")
        yield Server(line.split()[1], process.pid), token.stdout.strip()
    finally:
        process.terminate()
        process.communicate(timeout=30)


@contextmanager
def running_bare(folder: Path, bodies: list[Any]) -> Iterator[Server]:
    """Run the bare endpoint in a separate process."""
    script, data = folder / "bare.py", folder / "bodies.json"
    script.write_text(_BARE, encoding="utf-8")
    data.write_text(json.dumps(bodies), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(script), str(data), str(port)])
    url = f"http://127.0.0.1:{port}"
    try:
        for _attempt in range(300):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=30).close()
                break
            except OSError:
                time.sleep(0.1)
        yield Server(url, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)
