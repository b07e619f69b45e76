"""Which signed-in session each open tab is drawn for, and which files it was told of.

A tab here is a session of the web framework. Its id stands in upload addresses, and so in the logs of proxies: it
must open nothing by itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from components.shell.session_store import digest

RETURN_SECONDS: Final = 100.0
"""How long a tab that lost its connection may come back; less than the web framework keeps it by itself."""


@dataclass
class _Tab:
    owner: bytes | None = None
    left: float | None = None
    files: set[str] = field(default_factory=set)


class Tabs:
    """Tabs by id; those that were left are forgotten, and nobody joins a forgotten one. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tabs: dict[str, _Tab] = {}

    def draw_for(self, tab_id: str, token: str | None) -> None:
        """Note for whose session the tab is drawn from now on, or that it is for nobody's."""
        owner = None if token is None else digest(token)
        with self._lock:
            tab = self._tabs.setdefault(tab_id, _Tab())
            if tab.owner not in {None, owner}:
                tab.files.clear()
            tab.owner = owner

    def tell(self, tab_id: str, files: Iterable[str]) -> None:
        """Note files that the tab was told of, by their ids."""
        with self._lock:
            self._tabs.setdefault(tab_id, _Tab()).files.update(files)

    def join(self, tab_id: str) -> None:
        """Note that the tab is connected."""
        with self._lock:
            self._tabs.setdefault(tab_id, _Tab()).left = None

    def leave(self, tab_id: str) -> None:
        """Note that the tab was closed, or lost its connection: it may come back."""
        with self._lock:
            if tab := self._tabs.get(tab_id):
                tab.left = self._clock()

    def take_abandoned(self, is_connected: Callable[[str], bool], lives: Callable[[bytes], bool]) -> list[str]:
        """Forget the tabs that were left and do not come back, and return their ids; at once where they are nobody's.

        `lives` tells of the digest of a token whether its session lives. The web framework itself gives nothing back of
        a tab that was left: its event loop, files, uploads.
        """
        with self._lock:
            long_ago = self._clock() - RETURN_SECONDS
            abandoned = [
                tab_id
                for tab_id, tab in self._tabs.items()
                if tab.left is not None
                and (tab.owner is None or tab.left <= long_ago or not lives(tab.owner))
                and not is_connected(tab_id)  # it came back before it was heard of
            ]
            for tab_id in abandoned:
                del self._tabs[tab_id]
            return abandoned

    def may_join(self, tab_id: str, token: str | None) -> bool:
        """Whether a connection with this token may take the tab over: its owner's, or anyone's while it has none."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            return tab is not None and (tab.owner is None or (token is not None and tab.owner == digest(token)))

    def is_of(self, tab_id: str, token: str) -> bool:
        """Whether the tab is drawn for this session."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            return tab is not None and tab.owner == digest(token)

    def may_read(self, file_id: str, token: str) -> bool:
        """Whether a tab of this session was told of the file."""
        owner = digest(token)
        with self._lock:
            return any(tab.owner == owner and file_id in tab.files for tab in self._tabs.values())
