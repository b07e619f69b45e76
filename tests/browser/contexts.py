"""Browser pages that are reused. Each time, the visitor is new, and the scripts are cached."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request
from playwright.sync_api import Error as PlaywrightError

from tests.browser.script_runs import follow

CHROMIUM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_COMMON_ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Other machines are unreachable, but the attempts of a page are recorded.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
CHROMIUM_ARGUMENTS: Final = [
    *_COMMON_ARGUMENTS,
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]
"""Arguments for painting maps without a graphics card. Every page takes twice as long with them."""
WITHOUT_MAPS: Final = [*_COMMON_ARGUMENTS, "--disable-gpu", "--disable-3d-apis"]
"""Arguments that leave maps empty: painting one takes as long as four pages."""
_NOT_PAINTED: Final = "Failed to create WebGL context"
TIMEOUT_MS: Final = 180_000
"""The longest time for anything. On a busy machine, reading 74,000 places or painting a map takes minutes."""
_LOCAL: Final = {"127.0.0.1", "localhost"}
_FORGET: Final = "() => { localStorage.clear(); sessionStorage.clear(); }"


@dataclass
class Watch:
    """What pages did and must not do: connections to other hosts, violations of the security policy, and script
    errors.
    """

    foreign_urls: list[str] = field(default_factory=list)
    policy_violations: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Contexts:
    """Two Chromiums, one that paints maps and one that doesn't, each started when it is first needed.

    Opening a URL takes two seconds of processor time in a new page, which is a new browser process that reads every
    script, and half a second in a page that has shown a dashboard before.
    """

    def __init__(self, playwright: Playwright) -> None:
        """Start no browser yet."""
        self.watch = Watch()
        self._playwright = playwright
        self._browsers: dict[bool, Browser] = {}
        self._idle: dict[bool, list[Page]] = {True: [], False: []}

    def take(self, *, maps: bool) -> Page:
        """Return a page without a screen, in a context without cookies and stored data."""
        return self._idle[maps].pop() if self._idle[maps] else self._new_context(maps).new_page()

    def give_back(self, page: Page, *, maps: bool) -> None:
        """Delete what the visitor left, and keep the cached scripts."""
        for each in page.context.pages:
            with suppress(PlaywrightError):  # The page is empty, or its dashboard was stopped.
                each.evaluate(_FORGET)
            if each is not page:
                each.close()
        try:
            # A URL of the same site: for an empty page, the browser would start another process.
            page.goto(urljoin(page.url, "/_stcore/health"))
        except PlaywrightError:  # A dashboard that was stopped.
            page.context.close()
            return
        page.unroute_all()
        page.set_extra_http_headers({})
        page.context.clear_cookies()
        self._idle[maps].append(page)

    def close(self) -> None:
        """Close the browsers."""
        for browser in self._browsers.values():
            browser.close()

    def _browser(self, maps: bool) -> Browser:
        if maps not in self._browsers:
            executable = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
            self._browsers[maps] = self._playwright.chromium.launch(
                executable_path=executable, args=CHROMIUM_ARGUMENTS if maps else WITHOUT_MAPS
            )
        return self._browsers[maps]

    def _new_context(self, maps: bool) -> BrowserContext:
        context = self._browser(maps).new_context(
            viewport={"width": 1440, "height": 900},
            locale="en-GB",
            timezone_id="Europe/Berlin",
            reduced_motion="reduce",
        )
        context.set_default_timeout(TIMEOUT_MS)
        context.on("page", follow)
        context.on("request", self._note_request)
        context.on("console", self._note_message)
        context.on("weberror", lambda error: self._note_error(str(error.error), maps=maps))
        return context

    def _note_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob"} and parts.hostname not in _LOCAL:
            self.watch.foreign_urls.append(request.url)

    def _note_message(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.watch.policy_violations.append(message.text)

    def _note_error(self, text: str, *, maps: bool) -> None:
        if maps or _NOT_PAINTED not in text:
            self.watch.errors.append(text)
