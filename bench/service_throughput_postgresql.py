"""The same reads as `service_throughput`, with the service on a separate PostgreSQL server.

A read switches to a worker thread and back twice, to authenticate and to read. Each of the two is a transaction with
several round trips.
"""

import tempfile
from pathlib import Path

import httpx

from bench._postgresql import running_postgresql
from bench._rivals import running_service
from bench.service_throughput import measure_reads, prepare


def run() -> None:
    """Measure, and print the table."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as name,
        running_postgresql() as url,
        running_service(Path(name), url) as (server, token),
        httpx.Client(base_url=server.url, auth=("bench", "bench-password"), timeout=120, trust_env=False) as http,
    ):
        measure_reads(server, prepare(http, token), Path(name), on_one_core=False)
