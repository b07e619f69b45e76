"""Check that a port is free before `make run` starts the dashboard on it."""

from __future__ import annotations

import errno
import socket
import sys
from typing import Final

ADDRESS: Final = "127.0.0.1"
LAST_PORT: Final = 65_535


def is_free(port: int) -> bool:
    """Return whether no other program listens on the port."""
    try:
        with socket.create_server((ADDRESS, port)):
            return True
    except OSError as error:
        return error.errno != errno.EADDRINUSE


def describe_conflict(port: int) -> str | None:
    """Return what to do about a port that is in use; None if it is free."""
    if is_free(port):
        return None
    other = next((each for each in range(port + 1, LAST_PORT + 1) if is_free(each)), port - 1)
    return (
        f"Muster did not start: port {port} is in use. If Muster is already running, open http://{ADDRESS}:{port}. "
        f"To use another port, run: make run PORT={other}"
    )


if __name__ == "__main__":
    sys.exit(describe_conflict(int(sys.argv[1])))
