"""Ten public alerts from one dashboard process while 60 other people use it.

Half of those people are on the map, and half on the filter list, each with a new choice every five seconds. Ten
reviews are open. In each, the alert is first stopped two seconds after *Send*, and then sent. Measured are the seconds
until the server has obeyed *Stop*, and those from the press of *Send* to the request to the service, five of which are
the countdown. Every alert must be sent exactly once.

`python -m bench.alerts_under_load --people 20`
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]

from bench._browser_session import ANSWER_SECONDS, BrowserSession
from bench.filter_keystroke import serve_dashboard
from bench.many_people import (
    ACCOUNTS,
    PASSWORD,
    SCREENS,
    ScreenResult,
    create_accounts,
    keep_choosing,
    open_screens,
    wait_until_let_in,
    warm_up,
)
from domain.alerts.draft import KIND, SEND, AlertDraft
from journal import Actor, Journal
from service.demo import generator

PEOPLE: Final = 60
ZIP_CODES: Final = (80301, 59715, 82001, 83702, 89501, 97201, 99201, 87501, 85001, 84101)
"""Far from each other, so that no alert is similar to another one."""
TARGET_STOP_SECONDS: Final = 1.0
TARGET_SEND_SECONDS: Final = 8.0

_STOPPED_AFTER_SECONDS: Final = 2.0
_REPORT_EVERY_SECONDS: Final = 0.5
_SEND_LABEL: Final = "Send this live alert"


@dataclass
class AlertResult:
    """One alert: the seconds until *Stop* was obeyed, and when *Send* was selected for the second time."""

    draft: AlertDraft
    stop_seconds: float = 0.0
    pressed_at: datetime | None = None
    errors: list[str] = field(default_factory=list)


def run(people: int = PEOPLE) -> bool:
    """Measure, and print. Returns False if *Stop* or an alert was late, or an alert was not sent exactly once."""
    with serve_dashboard() as base:
        wait_until_let_in(base)
        [process] = psutil.Process().children()
        data = Path(process.environ()["MUSTER_DATA_DIR"])
        return asyncio.run(_measure(base, data, create_accounts(data, ACCOUNTS), people))


async def _measure(base: str, data: Path, users: list[str], number: int) -> bool:
    senders = list(itertools.islice(itertools.cycle(users), len(ZIP_CODES)))
    print(f"{number} people and {len(senders)} senders, {os.cpu_count()} cores, load average "
          f"{os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    await warm_up(base, users[0])
    alerts = [AlertResult(_build_alert(zip_code)) for zip_code in ZIP_CODES]
    _store_drafts(data / "journal.sqlite", senders, [alert.draft for alert in alerts])
    tabs = [BrowserSession(base, red_is_error=False) for _ in senders]
    people = [BrowserSession(base) for _ in range(number)]
    screens = list(itertools.islice(itertools.cycle(SCREENS), number))
    results = {screen: ScreenResult() for screen in SCREENS}
    load: list[asyncio.Task[None]] = []
    try:
        await open_screens(people, itertools.cycle(users), screens)
        load += keep_choosing(people, screens, results)
        for tab, sender, alert in zip(tabs, senders, alerts, strict=True):
            await tab.sign_in(generator.ORGANIZATION_ID, sender, PASSWORD)
            await tab.open("public-alert", f"draft={alert.draft.uid}")
            await _wait_for_label(tab, _SEND_LABEL)
        await asyncio.gather(*(_stop_and_send(tab, alert) for tab, alert in zip(tabs, alerts, strict=True)))
    finally:
        for task in load:
            task.cancel()
        await asyncio.gather(*load, return_exceptions=True)
        for tab in (*tabs, *people):
            await tab.close()
    busy = [seconds for result in results.values() for seconds in result.seconds]
    print(f"{len(busy)} reruns of the others meanwhile, {sum(busy) / max(len(busy), 1):.2f} s each")
    return _print_alerts(alerts, _read_entries(data / "journal.sqlite"))


def _build_alert(zip_code: int) -> AlertDraft:
    return AlertDraft(
        category="Fire",
        event="Wildfire",
        urgency="Immediate",
        severity="Extreme",
        certainty="Observed",
        hours=4,
        sms=f"Wildfire in {zip_code}. Leave now.",
        type=2,
        jurisdiction="some",
        regions=[zip_code],
        contact_name="Fire department",
        contact_phone="911",
        stage="review",
        checked=True,
    )


def _store_drafts(path: Path, senders: list[str], drafts: list[AlertDraft]) -> None:
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        [service] = connection.execute("SELECT DISTINCT service FROM audit_entries").fetchone()
    with Journal.open(f"sqlite:///{path}", str) as journal:
        for sender, draft in zip(senders, drafts, strict=True):
            actor = Actor(service, generator.ORGANIZATION_ID, sender)
            journal.drafts.save(actor, KIND, draft.uid, draft.model_dump(mode="json"))


async def _stop_and_send(tab: BrowserSession, alert: AlertResult) -> None:
    await _press_send(tab)
    await asyncio.sleep(_STOPPED_AFTER_SECONDS)
    began = time.perf_counter()
    response = await tab.post("/countdown/stop", countdown=tab.countdown)
    alert.stop_seconds = time.perf_counter() - began
    if response.is_error:
        alert.errors.append(f"the response to Stop was {response.status_code}")
    tab.countdown = ""
    await _wait_for_label(tab, _SEND_LABEL)
    alert.pressed_at = await _press_send(tab)
    while (await tab.post("/countdown/open", countdown=tab.countdown)).is_success:
        await asyncio.sleep(_REPORT_EVERY_SECONDS)
    alert.errors += tab.errors


async def _press_send(tab: BrowserSession) -> datetime:
    """Start the countdown. Returns when *Send* was selected."""
    await tab.choose("Recipients", tab.placeholders["Recipients"])
    if (tick := "I checked this. Send the alert as it is.") in tab.labels:
        await tab.choose(tick, True)
    label, pressed_at = await _wait_for_label(tab, _SEND_LABEL), datetime.now(UTC)
    await tab.press(label)
    async with asyncio.timeout(ANSWER_SECONDS):
        while not tab.countdown:
            await asyncio.sleep(0.05)
    return pressed_at


async def _wait_for_label(tab: BrowserSession, start: str) -> str:
    async with asyncio.timeout(ANSWER_SECONDS):
        while True:
            if found := next((label for label in tab.labels if label.startswith(start)), None):
                return found
            await asyncio.sleep(0.05)


def _read_entries(path: Path) -> dict[str, list[datetime]]:
    """Return when the requests to send each draft began, by the draft."""
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        sent = "SELECT draft, at FROM audit_entries WHERE action = ? AND state = 'succeeded'"
        entries: dict[str, list[datetime]] = {}
        for draft, at in connection.execute(sent, [SEND]):
            entries.setdefault(draft, []).append(datetime.fromisoformat(at).replace(tzinfo=UTC))
    return entries


def _print_alerts(alerts: list[AlertResult], entries: dict[str, list[datetime]]) -> bool:
    met = True
    print(f"\n{'ZIP code':>10}{'Stop':>10}{'Send':>10}{'sent':>8}")
    for alert in alerts:
        sent = entries.get(alert.draft.uid, [])
        seconds = (sent[0] - alert.pressed_at).total_seconds() if sent and alert.pressed_at else float("inf")
        print(f"{alert.draft.regions[0]:>10}{alert.stop_seconds:>8.2f} s{seconds:>8.2f} s{len(sent):>6} x")
        for error in dict.fromkeys(alert.errors):
            print(f"{'':>12}{error[:100]}")
        met &= len(sent) == 1 and seconds <= TARGET_SEND_SECONDS and alert.stop_seconds <= TARGET_STOP_SECONDS
    print(f"\ntarget: Stop within {TARGET_STOP_SECONDS:g} s, Send within {TARGET_SEND_SECONDS:g} s, each sent once")
    return met


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.alerts_under_load", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    sys.exit(0 if run(parser.parse_args().people) else 1)
