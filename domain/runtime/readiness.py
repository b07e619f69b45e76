"""Whether people can work: the journal, the service, and the disk, each with the reason if not."""

from __future__ import annotations

import asyncio
import logging
import shutil
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from client.reachability import reachability_problem
from journal import JournalError

if TYPE_CHECKING:
    from domain.runtime.server import Server

logger = logging.getLogger(__name__)

READY: Final = "ready"
CHECK_EVERY: Final = timedelta(seconds=30)
MIN_FREE_BYTES: Final = 100 * 2**20
"""With less free space in the data directory, the disk counts as full."""


def check_readiness(here: Server) -> dict[str, str]:
    """Return the state of each part: "ready", or what is wrong. Takes up to some seconds if a part does not respond."""
    state = {"journal": _check_journal(here)}
    if here.embedded is None:
        state["service"] = reachability_problem(here.service_url or "") or READY
    else:
        state["service"] = here.embedded.condition.phase
        state["demo"] = here.demo
    # Without a data directory, nothing is stored on this machine.
    folder = here.settings.data_path
    if folder.exists() and shutil.disk_usage(folder).free < MIN_FREE_BYTES:
        state["disk"] = "full"
    return state


async def log_readiness(here: Server) -> None:
    """Log the state of all parts at the start and whenever it changes, as long as the app runs."""
    last: dict[str, str] = {}
    while True:
        state = await asyncio.to_thread(check_readiness, here)
        if state != last:
            is_ready = all(value == READY for value in state.values())
            words = "; ".join(f"{part}: {value.removesuffix('.')}" for part, value in state.items())
            logger.log(logging.INFO if is_ready else logging.WARNING, "State of Muster: %s", words)
            last = state
        await asyncio.sleep(CHECK_EVERY.total_seconds())


def _check_journal(here: Server) -> str:
    try:
        here.journal.check()
    except JournalError as error:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever it is, the answer is "not ready"
        return "unreachable"
    return READY
