"""The log: one line an event on standard error, without the addresses people's requests went to."""

from __future__ import annotations

import logging


def set_up_logs() -> None:
    """Write our own loggers to standard error; those that write request lines with their queries stay quiet."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for noisy in ("httpx", "httpcore", "watchdog", "PIL"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
