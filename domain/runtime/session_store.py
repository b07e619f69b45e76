"""Sessions in the server's memory: random tokens, limits of time, and one-time tickets that become a cookie.

A browser stores only a random token, and the store only its digest, so that no one can open a session with data from
the store. Secrets are compared as digests or in constant time.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Final, Generic, Literal, TypeVar

from cachetools import LRUCache, TTLCache

V = TypeVar("V")
Ending = Literal["idle", "too long", "signed out", "lost"]

COOKIE: Final = "muster_session"
TICKET_SECONDS: Final = 60.0
REDEEMED_SECONDS: Final = 5.0
"""How long a page waits for its ticket to become a cookie, which a reload needs."""
_REMEMBERED: Final = 10_000
"""The maximum number of stored tickets, and of stored ends of sessions."""

RETURN_SECONDS: Final = 100.0
"""How long a tab that lost its connection can return; less than Streamlit keeps it."""


def digest(secret: str) -> bytes:
    """Return the digest of a secret."""
    return sha256(secret.encode()).digest()


@dataclass
class _Session(Generic[V]):
    value: V
    used: float
    opened: float
    browser: object = field(default_factory=object)


@dataclass(frozen=True)
class _Ticket:
    token: str
    bound_to: bytes
    issued: float
    spent: threading.Event = field(default_factory=threading.Event)


class SessionStore(Generic[V]):
    """Sessions by token. Thread-safe."""

    def __init__(
        self,
        *,
        idle: timedelta,
        longest: timedelta,
        clock: Callable[[], float] = time.monotonic,
        on_end: Callable[[V], None] = lambda _: None,
    ) -> None:
        """Store sessions until they were unused for `idle`, or were opened `longest` ago.

        `on_end` gets each value that is removed.
        """
        self._idle, self._longest = idle.total_seconds(), longest.total_seconds()
        self._clock = clock
        self._on_end = on_end
        self._lock = threading.Lock()
        self._sessions: dict[bytes, _Session[V]] = {}
        self._tickets: TTLCache[bytes, _Ticket] = TTLCache(_REMEMBERED, TICKET_SECONDS, timer=clock)
        self._endings: LRUCache[bytes, Ending] = LRUCache(_REMEMBERED)

    def open(self, value: V) -> str:
        """Start a session and return its token of 256 random bits."""
        token = secrets.token_urlsafe(32)
        self.end_idle()
        with self._lock:
            self._sessions[digest(token)] = _Session(value, self._clock(), self._clock())
        return token

    def replace(self, token: str | None, value: V) -> None:
        """Replace the value of the session. The old one is removed."""
        if token is None:
            return
        with self._lock:
            session = self._sessions.get(digest(token))
            if session is None:
                return
            before, session.value = session.value, value
        self._on_end(before)

    def peek(self, token: str | None, *, use: bool = False) -> V | None:
        """Return the value of the session, or None if it has ended or does not exist. With `use`, this is activity."""
        if token is None:
            return None
        self.end_idle()
        with self._lock:
            session = self._sessions.get(digest(token))
            if session is not None and use:
                session.used = self._clock()
            return None if session is None else session.value

    def ending(self, token: str | None) -> Ending | None:
        """Return why the session ended; None if it has not, does not exist, or ended too long ago."""
        if token is None:
            return None
        self.end_idle()
        with self._lock:
            return self._endings.get(digest(token))

    def share_browser(self, token: str, other_token: str | None) -> None:
        """Note that two sessions belong to one browser, as after signing in in two tabs, which share one cookie."""
        with self._lock:
            one, other = (self._sessions.get(digest(each)) for each in (token, other_token or ""))
            if one is not None and other is not None:
                one.browser = other.browser

    def tokens_of_browser(self, token: str | None) -> set[bytes]:
        """Return the digests of the tokens of all sessions in the browser of this one; none if it has ended."""
        if self.peek(token) is None or token is None:
            return set()
        with self._lock:
            here = self._sessions.get(digest(token))
            return {key for key, each in self._sessions.items() if here is not None and each.browser is here.browser}

    def end(self, token: str | None) -> None:
        """End the session at once, in all tabs of its browser."""
        self._remove(list(self.tokens_of_browser(token)), "signed out")

    def end_idle(self) -> None:
        """End the sessions that were idle for too long, or are as old as a session may be."""
        with self._lock:
            now = self._clock()
            stale = [key for key, session in self._sessions.items() if session.used <= now - self._idle]
            old = [key for key, session in self._sessions.items() if session.opened <= now - self._longest]
        self._remove(stale, "idle")
        self._remove(old, "too long")

    def lives(self, token_digest: bytes) -> bool:
        """Return whether the session with this digest of its token has not ended."""
        with self._lock:
            return token_digest in self._sessions

    def values(self) -> list[V]:
        """Return the values of the sessions that have not ended."""
        with self._lock:
            return [session.value for session in self._sessions.values()]

    def end_all(self) -> None:
        """End every session, as when the server stops."""
        with self._lock:
            keys = list(self._sessions)
        self._remove(keys, "signed out")

    def issue_ticket(self, token: str, *, bound_to: str) -> str:
        """Return a ticket that the browser it is bound to can redeem for the token once, within a minute."""
        ticket = secrets.token_urlsafe(32)
        with self._lock:
            self._tickets[digest(ticket)] = _Ticket(token, digest(bound_to), self._clock())
        return ticket

    def redeem(self, ticket: str, *, bound_to: str | None) -> str | None:
        """Return the token for a ticket, or None. The ticket is spent in any case."""
        with self._lock:
            entry = self._tickets.pop(digest(ticket), None)
        if entry is not None:
            entry.spent.set()
        if entry is None or bound_to is None or not hmac.compare_digest(entry.bound_to, digest(bound_to)):
            return None
        return entry.token if self.peek(entry.token) is not None else None

    def wait_until_spent(self, ticket: str) -> None:
        """Wait until the ticket is redeemed or `REDEEMED_SECONDS` old."""
        with self._lock:
            entry = self._tickets.get(digest(ticket))
        if entry is not None:
            entry.spent.wait(max(0.0, entry.issued + REDEEMED_SECONDS - self._clock()))

    def is_pending(self, ticket: str) -> bool:
        """Return whether the ticket can still be redeemed."""
        with self._lock:
            return digest(ticket) in self._tickets

    def __len__(self) -> int:
        self.end_idle()
        with self._lock:
            return len(self._sessions)

    def _remove(self, keys: list[bytes], ending: Ending) -> None:
        gone: list[V] = []
        with self._lock:
            for key in keys:
                if (session := self._sessions.pop(key, None)) is not None:
                    gone.append(session.value)
                    self._endings[key] = ending
        for value in gone:
            self._on_end(value)


@dataclass
class _Tab:
    owner: bytes | None = None
    unfinished_since: float | None = None
    files: set[str] = field(default_factory=set)
    token: str | None = None


class Tabs:
    """Tabs by ID. A tab that was left for too long is removed and cannot be joined. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tabs: dict[str, _Tab] = {}

    def set_session(self, tab_id: str, token: str | None) -> None:
        """Note the session that the tab is drawn for; None for no session."""
        owner = None if token is None else digest(token)
        with self._lock:
            tab = self._tabs.setdefault(tab_id, _Tab())
            if tab.owner not in {None, owner}:
                tab.files.clear()
            tab.owner = owner

    def offer_token(self, tab_id: str, token: str, owners: Collection[bytes]) -> bool:
        """Give a token to a tab without a session, and return whether that was possible. Without `owners` the session
        has ended.
        """
        with self._lock:
            tab = self._tabs.get(tab_id)
            if tab is None or tab.owner is not None or not owners:
                return False
            tab.token = token
            return True

    def take_token(self, tab_id: str) -> str | None:
        """Return and remove the token that was given to the tab, or None."""
        with self._lock:
            tab = self._tabs.get(tab_id, _Tab())
            token, tab.token = tab.token, None
            return token

    def tabs_to_sign_out(self, lives: Callable[[bytes], bool]) -> list[str]:
        """Return the IDs of connected tabs that still show a page of a session that has ended."""
        with self._lock:
            drawn = [(tab_id, tab.owner) for tab_id, tab in self._tabs.items() if tab.unfinished_since is None]
        return [tab_id for tab_id, owner in drawn if owner is not None and not lives(owner)]

    def note_files(self, tab_id: str, files: Iterable[str]) -> None:
        """Note the IDs of files that were sent to the tab."""
        with self._lock:
            self._tabs.setdefault(tab_id, _Tab()).files.update(files)

    def join(self, tab_id: str) -> None:
        """Note that the tab is connected."""
        with self._lock:
            self._tabs.setdefault(tab_id, _Tab()).unfinished_since = None

    def leave(self, tab_id: str) -> None:
        """Note that the tab was closed or lost its connection. It may return."""
        with self._lock:
            if tab := self._tabs.get(tab_id):
                tab.unfinished_since = self._clock()

    def take_abandoned(self, is_connected: Callable[[str], bool], lives: Callable[[bytes], bool]) -> list[str]:
        """Remove the tabs that were left for too long or have no session, and return their IDs.

        `lives` returns whether the session with a digest has not ended. Streamlit frees nothing of a tab that was left:
        neither its event loop nor its files.
        """
        with self._lock:
            long_ago = self._clock() - RETURN_SECONDS
            abandoned = [
                tab_id
                for tab_id, tab in self._tabs.items()
                if tab.unfinished_since is not None
                and (tab.owner is None or tab.unfinished_since <= long_ago or not lives(tab.owner))
                and not is_connected(tab_id)  # it reconnected before that was noted
            ]
            for tab_id in abandoned:
                del self._tabs[tab_id]
            return abandoned

    def may_join(self, tab_id: str, owners: Collection[bytes]) -> bool:
        """Return whether a connection with these digests may take over the tab. Anyone may if it has no session."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            return tab is not None and (tab.owner is None or tab.owner in owners)

    def has_session(self, tab_id: str | None) -> bool:
        """Return whether the tab is drawn for a session."""
        with self._lock:
            return tab_id is not None and (tab := self._tabs.get(tab_id)) is not None and tab.owner is not None

    def is_of(self, tab_id: str, owners: Collection[bytes]) -> bool:
        """Return whether the tab is drawn for one of these sessions."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            return tab is not None and tab.owner in owners

    def may_read(self, file_id: str, owners: Collection[bytes]) -> bool:
        """Return whether the file was sent to a tab of one of these sessions."""
        with self._lock:
            return any(tab.owner in owners and file_id in tab.files for tab in self._tabs.values())
