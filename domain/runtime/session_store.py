"""Who is signed in, in the server's memory: opaque tokens, an idle limit, and one-time tickets that become a cookie.

A browser holds only a random token. The store holds a digest of it: nothing read from the store opens a session.
Every comparison of a secret is of digests, or in constant time.
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
Ending = Literal["idle", "signed out", "lost"]

COOKIE: Final = "muster_session"
TICKET_SECONDS: Final = 60.0
REDEEMED_SECONDS: Final = 5.0
"""How long a page waits, once its ticket was issued, for the cookie that a reload of it needs."""
_REMEMBERED: Final = 10_000
"""How many tickets, and how many ends of sessions, are kept at the most."""

RETURN_SECONDS: Final = 100.0
"""How long a tab that lost its connection may come back; less than the web framework keeps it by itself."""


def digest(secret: str) -> bytes:
    """Return what a secret is kept and compared as."""
    return sha256(secret.encode()).digest()


@dataclass
class _Session(Generic[V]):
    value: V
    used: float
    browser: object = field(default_factory=object)


@dataclass(frozen=True)
class _Ticket:
    token: str
    bound_to: bytes
    issued: float
    spent: threading.Event = field(default_factory=threading.Event)


class SessionStore(Generic[V]):
    """Sessions by token; safe to call from any thread."""

    def __init__(
        self,
        *,
        idle: timedelta,
        clock: Callable[[], float] = time.monotonic,
        on_end: Callable[[V], None] = lambda _: None,
    ) -> None:
        """Keep sessions until they were unused for `idle`; `on_end` is told of each value that is let go."""
        self._idle = idle.total_seconds()
        self._clock = clock
        self._on_end = on_end
        self._lock = threading.Lock()
        self._sessions: dict[bytes, _Session[V]] = {}
        self._tickets: TTLCache[bytes, _Ticket] = TTLCache(_REMEMBERED, TICKET_SECONDS, timer=clock)
        self._endings: LRUCache[bytes, Ending] = LRUCache(_REMEMBERED)

    def open(self, value: V) -> str:
        """Start a session and return its token: 256 random bits."""
        token = secrets.token_urlsafe(32)
        self.end_idle()
        with self._lock:
            self._sessions[digest(token)] = _Session(value, self._clock())
        return token

    def resume(self, token: str | None) -> V | None:
        """Return what the session holds and count this as use; None where it ended or never was."""
        return self.peek(token, use=True)

    def replace(self, token: str | None, value: V) -> None:
        """Have the session hold something else from now on; what it held before is let go of."""
        if token is None:
            return
        with self._lock:
            session = self._sessions.get(digest(token))
            if session is None:
                return
            before, session.value = session.value, value
        self._on_end(before)

    def peek(self, token: str | None, *, use: bool = False) -> V | None:
        """Return what the session holds without counting this as use, else with."""
        if token is None:
            return None
        self.end_idle()
        with self._lock:
            session = self._sessions.get(digest(token))
            if session is not None and use:
                session.used = self._clock()
            return None if session is None else session.value

    def ending(self, token: str | None) -> Ending | None:
        """Return why the session ended, or None where it lives, never was, or ended too long ago to remember."""
        if token is None:
            return None
        self.end_idle()
        with self._lock:
            return self._endings.get(digest(token))

    def share_browser(self, token: str, beside: str | None) -> None:
        """Note that two sessions are of one browser, as after signing in anew in each of two tabs: one cookie stays."""
        with self._lock:
            one, other = (self._sessions.get(digest(each)) for each in (token, beside or ""))
            if one is not None and other is not None:
                one.browser = other.browser

    def together(self, token: str | None) -> set[bytes]:
        """Return the digests of the tokens of all sessions of this one's browser; none where it does not live."""
        if self.peek(token) is None or token is None:
            return set()
        with self._lock:
            here = self._sessions.get(digest(token))
            return {key for key, each in self._sessions.items() if here is not None and each.browser is here.browser}

    def end(self, token: str | None) -> None:
        """End the session at once, for every tab of its browser."""
        self._let_go(list(self.together(token)), "signed out")

    def end_idle(self) -> None:
        """End the sessions that were unused for too long; any question does so too."""
        with self._lock:
            oldest = self._clock() - self._idle
            stale = [key for key, session in self._sessions.items() if session.used <= oldest]
        self._let_go(stale, "idle")

    def lives(self, token_digest: bytes) -> bool:
        """Whether the session of the token with this digest was not ended yet."""
        with self._lock:
            return token_digest in self._sessions

    def values(self) -> list[V]:
        """Return what the sessions hold that were not ended yet."""
        with self._lock:
            return [session.value for session in self._sessions.values()]

    def end_all(self) -> None:
        """End every session, as when the server stops."""
        with self._lock:
            keys = list(self._sessions)
        self._let_go(keys, "signed out")

    def issue_ticket(self, token: str, *, bound_to: str) -> str:
        """Return a ticket that can be redeemed for the token once, within a minute, by the browser it is bound to."""
        ticket = secrets.token_urlsafe(32)
        with self._lock:
            self._tickets[digest(ticket)] = _Ticket(token, digest(bound_to), self._clock())
        return ticket

    def redeem(self, ticket: str, *, bound_to: str | None) -> str | None:
        """Return the token the ticket stands for, and spend the ticket whatever comes of it; None is bound to none."""
        with self._lock:
            kept = self._tickets.pop(digest(ticket), None)
        if kept is not None:
            kept.spent.set()
        if kept is None or bound_to is None or not hmac.compare_digest(kept.bound_to, digest(bound_to)):
            return None
        return kept.token if self.peek(kept.token) is not None else None

    def wait_until_spent(self, ticket: str) -> None:
        """Wait for the ticket to be redeemed, until it is `REDEEMED_SECONDS` old."""
        with self._lock:
            kept = self._tickets.get(digest(ticket))
        if kept is not None:
            kept.spent.wait(max(0.0, kept.issued + REDEEMED_SECONDS - self._clock()))

    def is_pending(self, ticket: str) -> bool:
        """Whether the ticket can still be redeemed."""
        with self._lock:
            return digest(ticket) in self._tickets

    def __len__(self) -> int:
        self.end_idle()
        with self._lock:
            return len(self._sessions)

    def _let_go(self, keys: list[bytes], ending: Ending) -> None:
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
    left: float | None = None
    files: set[str] = field(default_factory=set)
    token: str | None = None


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

    def bring(self, tab_id: str, token: str, owners: Collection[bytes]) -> bool:
        """Give a tab that is nobody's a session's token, unless that has no `owners`, since it ended; tell whether."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            if tab is None or tab.owner is not None or not owners:
                return False
            tab.token = token
            return True

    def take_token(self, tab_id: str) -> str | None:
        """Return what the tab was brought, once; None where nothing was."""
        with self._lock:
            tab = self._tabs.get(tab_id, _Tab())
            token, tab.token = tab.token, None
            return token

    def bereft(self, lives: Callable[[bytes], bool]) -> list[str]:
        """Return the ids of the connected tabs that still show what was drawn for a session that lives no more."""
        with self._lock:
            drawn = [(tab_id, tab.owner) for tab_id, tab in self._tabs.items() if tab.left is None]
        return [tab_id for tab_id, owner in drawn if owner is not None and not lives(owner)]

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

    def may_join(self, tab_id: str, owners: Collection[bytes]) -> bool:
        """Whether a connection of these tokens, by their digests, may take the tab over; anyone while it has none."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            return tab is not None and (tab.owner is None or tab.owner in owners)

    def is_of(self, tab_id: str, owners: Collection[bytes]) -> bool:
        """Whether the tab is drawn for one of these sessions."""
        with self._lock:
            tab = self._tabs.get(tab_id)
            return tab is not None and tab.owner in owners

    def may_read(self, file_id: str, owners: Collection[bytes]) -> bool:
        """Whether a tab of one of these sessions was told of the file."""
        with self._lock:
            return any(tab.owner in owners and file_id in tab.files for tab in self._tabs.values())
