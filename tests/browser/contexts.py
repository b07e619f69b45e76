"""Browser contexts that are used again: each time by somebody who has never been here, with the files still at hand."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Playwright, Request
from playwright.sync_api import Error as PlaywrightError

from tests.browser.script_runs import follow

CHROMIUM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_EACH: Final = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Nobody outside this machine can be called; that a page tried is noted all the same.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
CHROMIUM_ARGUMENTS: Final = [
    *_EACH,
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]
"""What paints maps without a graphics card, at twice the cost for every page."""
WITHOUT_MAPS: Final = [*_EACH, "--disable-gpu"]
TIMEOUT_MS: Final = 30_000
_LOCAL: Final = {"127.0.0.1", "localhost"}
_FORGET: Final = "() => { localStorage.clear(); sessionStorage.clear(); }"


@dataclass
class Watch:
    """What pages did that they must not: outside hosts called, what the security policy refused, errors of scripts."""

    outside: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Contexts:
    """Two Chromiums, one that paints maps and one that doesn't, each begun when it is first needed.

    A page takes two seconds of the processor in a new context and half of one where its scripts were read before.
    """

    def __init__(self, playwright: Playwright) -> None:
        """No browser yet."""
        self.watch = Watch()
        self._playwright = playwright
        self._browsers: dict[bool, Browser] = {}
        self._idle: dict[bool, list[BrowserContext]] = {True: [], False: []}

    def take(self, *, maps: bool) -> BrowserContext:
        """Return a context without cookies and with nothing stored."""
        return self._idle[maps].pop() if self._idle[maps] else self._made(self._browser(maps))

    def give_back(self, context: BrowserContext, *, maps: bool) -> None:
        """Forget who was here, and keep what every visitor is sent."""
        for page in context.pages:
            with suppress(PlaywrightError):  # of a page that is nowhere, or whose dashboard was ended
                page.evaluate(_FORGET)
            page.close()
        context.clear_cookies()
        self._idle[maps].append(context)

    def close(self) -> None:
        """End the browsers."""
        for browser in self._browsers.values():
            browser.close()

    def _browser(self, maps: bool) -> Browser:
        if maps not in self._browsers:
            executable = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
            self._browsers[maps] = self._playwright.chromium.launch(
                executable_path=executable, args=CHROMIUM_ARGUMENTS if maps else WITHOUT_MAPS
            )
        return self._browsers[maps]

    def _made(self, browser: Browser) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": 1440, "height": 900},
            locale="en-GB",
            timezone_id="Europe/Berlin",
            reduced_motion="reduce",
        )
        context.set_default_timeout(TIMEOUT_MS)
        context.on("page", follow)
        context.on("request", self._note_request)
        context.on("console", self._note_message)
        context.on("weberror", lambda error: self.watch.errors.append(str(error.error)))
        return context

    def _note_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob"} and parts.hostname not in _LOCAL:
            self.watch.outside.append(request.url)

    def _note_message(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.watch.refused.append(message.text)
