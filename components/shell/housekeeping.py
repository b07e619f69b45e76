"""Giving back what nobody uses any more: idle sessions, connections to the service, and what closed tabs held."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from streamlit.runtime import Runtime

from components.shell.server import Server
from components.shell.tabs import Tabs

logger = logging.getLogger(__name__)

EVERY_SECONDS: Final = 5.0


async def keep_house(here: Server, runtime: Runtime) -> None:
    """Give back, every few seconds, for as long as the app lives; runs on the web framework's event loop."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        try:
            await asyncio.to_thread(here.tidy)
            close_abandoned(here.tabs, here.sessions.lives, runtime)
        except Exception:
            logger.exception("What nobody uses any more could not all be given back.")


def close_abandoned(tabs: Tabs, lives: Callable[[bytes], bool], runtime: Runtime) -> None:
    """Close the tabs that were left and did not come back, or whose session, by its token's digest, does not live."""
    for tab_id in tabs.take_abandoned(runtime.is_active_session, lives):
        runtime.close_session(tab_id)
