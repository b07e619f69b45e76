"""Many people at once, half on the map and half on the filter list, each with a new choice every five seconds.

The dashboard runs in a separate process on its embedded service with the demo organization. Every person signs in with
the form, and uses the web framework's websocket as a browser does. A rerun is timed from the choice until the page has
finished. Then all sign out, and a minute later their resources must be released.

`python -m bench.many_people --people 50 --accounts 50 --seconds 60`: every account reads the roster when its first
person opens the map. With as many accounts as people, it takes minutes until all are signed in.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import math
import os
import statistics
import sys
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import psutil  # type: ignore[import-untyped]

from bench._browser_session import BrowserSession, PageError
from bench.filter_keystroke import serve_dashboard
from service.accounts import provisioning
from service.accounts.passwords import hash_password
from service.database import Database
from service.demo import generator

PEOPLE: Final = 50
SECONDS: Final = 40
ACCOUNTS: Final = 5
EVERY_SECONDS: Final = 5.0
READ_SECONDS: Final = 120.0
GIVEN_BACK_SECONDS: Final = 60.0
TARGET_P95: Final = 1.0
LEFT_OPEN: Final = 10
"""The number of descriptors that a server may have beyond those before the first sign-in: pools and journal
connections.
"""
PASSWORD: Final = "many people"
"""The password of the accounts."""

SCREENS: Final = {"map": "", "filter list": "contact-filters"}
CHOICES: Final[dict[str, list[tuple[str, Any]]]] = {
    "map": [
        ("When", ["Moment"]),
        ("When", ["Now"]),
    ],
    "filter list": [
        ("Find a filter", "a"),
        ("Find a filter", "in"),
        ("Find a filter", "expected"),
        ("Find a filter", ""),
    ],
}


@dataclass
class ScreenResult:
    """The seconds of every rerun of one screen, and its errors."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def run(people: int = PEOPLE, seconds: float = SECONDS, accounts: int = ACCOUNTS) -> bool:
    """Measure, and print. Returns False if a screen misses the target, shows an error, or leaves descriptors open."""
    with serve_dashboard() as base:
        wait_until_let_in(base)
        [process] = psutil.Process().children()
        names = create_accounts(Path(process.environ()["MUSTER_DATA_DIR"]), accounts)
        return asyncio.run(measure(base, {base: process}, names, people, seconds))


async def measure(
    address: str, processes: Mapping[str, psutil.Process], accounts: Sequence[str], people: int, seconds: float
) -> bool:
    """Measure people at one address of several processes, which have their own URLs. Prints and returns as `run`."""
    names = list(itertools.islice(itertools.cycle(accounts), people))
    results = {screen: ScreenResult() for screen in SCREENS}
    print(f"{len(names)} people, {len(set(names))} accounts, {os.cpu_count()} cores, load average "
          f"{os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    for base in processes:
        await warm_up(base, names[0])
    before = ProcessUsage.by(processes.values())
    tabs = [BrowserSession(address) for _ in names]
    screens = list(itertools.islice(itertools.cycle(SCREENS), len(names)))
    try:
        began = time.perf_counter()
        await open_screens(tabs, names, screens)
        print(f"signed in within {time.perf_counter() - began:.0f} s", flush=True)
        cpu = sum(map(cpu_seconds, processes.values()))
        began = time.perf_counter()
        await asyncio.gather(*keep_choosing(tabs, screens, results, seconds))
        took = time.perf_counter() - began
        cpu = sum(map(cpu_seconds, processes.values())) - cpu
        during = ProcessUsage.by(processes.values())
        for tab in tabs:
            await tab.sign_out()
    finally:
        for tab, screen in zip(tabs, screens, strict=True):
            results[screen].errors.extend(tab.errors)
            await tab.close()
    after = ProcessUsage.by(processes.values())
    for _ in range(int(GIVEN_BACK_SECONDS)):
        if after.files <= before.files + LEFT_OPEN:
            break
        await asyncio.sleep(1)
        after = ProcessUsage.by(processes.values())
    return _print_usage(results, before, during, after, len(names), took, cpu)


async def warm_up(base: str, name: str) -> None:
    """Draw every screen once before measuring: the first draw imports the code."""
    async with BrowserSession(base) as tab:
        await tab.sign_in(generator.ORGANIZATION_ID, name, PASSWORD)
        for screen, page in SCREENS.items():
            await tab.open(page)
            await wait_until_loaded(tab, screen)
        await tab.sign_out()


async def open_screens(tabs: Sequence[BrowserSession], names: Iterable[str], screens: Sequence[str]) -> None:
    """Sign in each tab with its name, and open its screen."""
    for tab, name, screen in zip(tabs, names, screens, strict=False):
        await tab.sign_in(generator.ORGANIZATION_ID, name, PASSWORD)
        await tab.open(SCREENS[screen])
        await wait_until_loaded(tab, screen)


def keep_choosing(
    tabs: Sequence[BrowserSession],
    screens: Sequence[str],
    results: Mapping[str, ScreenResult],
    seconds: float = math.inf,
) -> list[asyncio.Task[None]]:
    """Start to choose something in every tab every five seconds, for these seconds."""
    return [
        asyncio.create_task(
            _measure_usage(tab, screen, results[screen], begin=EVERY_SECONDS * number / len(tabs), end=seconds)
        )
        for number, (tab, screen) in enumerate(zip(tabs, screens, strict=True))
    ]


async def wait_until_loaded(tab: BrowserSession, screen: str) -> None:
    """Wait until the map shows its roster and no longer loads it."""
    async with asyncio.timeout(READ_SECONDS):
        while screen == "map" and ("When" not in tab.labels or "Stop" in tab.labels):
            await asyncio.sleep(0.1)


async def _measure_usage(tab: BrowserSession, screen: str, results: ScreenResult, *, begin: float, end: float) -> None:
    started = time.perf_counter() + begin
    for number, (label, value) in enumerate(itertools.cycle(CHOICES[screen])):
        due = started + number * EVERY_SECONDS
        if due > started - begin + end:
            return
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        with suppress(PageError):  # The tab stores it.
            results.seconds.append(await tab.choose(label, value))


@dataclass(frozen=True)
class ProcessUsage:
    """Memory in megabytes, open descriptors, and threads of processes together."""

    megabytes: float
    files: int
    threads: int

    @classmethod
    def by(cls, processes: Collection[psutil.Process]) -> ProcessUsage:
        """Measure processes."""
        megabytes = sum(process.memory_info().rss for process in processes) / 2**20
        files, threads = (sum(each) for each in zip(*((p.num_fds(), p.num_threads()) for p in processes), strict=True))
        return cls(megabytes, files, threads)


def _print_usage(
    results: dict[str, ScreenResult],
    before: ProcessUsage,
    during: ProcessUsage,
    after: ProcessUsage,
    people: int,
    took: float,
    cpu: float,
) -> bool:
    met = True
    print(f"\n{'':>12}{'reruns':>8}{'p50':>8}{'p95':>8}{'max':>8}{'errors':>8}")
    for screen, each in results.items():
        p95 = _percentile(each.seconds, 95)
        met &= p95 <= TARGET_P95 and not each.errors
        times = f"{_percentile(each.seconds, 50):>8.2f}{p95:>8.2f}{max(each.seconds, default=0.0):>8.2f}"
        print(f"{screen:>12}{len(each.seconds):>8}{times}{len(each.errors):>8}")
        for error in dict.fromkeys(each.errors):
            print(f"{'':>14}{error[:100]}")
    reruns = sum(len(each.seconds) for each in results.values())
    print(
        f"\n{cpu / max(reruns, 1):.3f} s of processor for each rerun in the dashboard, {cpu / took:.0%} of one core; "
        f"target p95 at most {TARGET_P95:g} s and no error"
    )
    print(f"\n{'':>22}{'memory':>10}{'files':>8}{'threads':>9}")
    for when, usage in (("before", before), ("all signed in", during), ("after sign-out", after)):
        print(f"{when:>22}{usage.megabytes:>7.0f} MB{usage.files:>8}{usage.threads:>9}")
    print(f"{(during.megabytes - before.megabytes) / people:.1f} MB for each session")
    return met and after.files <= before.files + LEFT_OPEN


def _percentile(seconds: Sequence[float], percent: int) -> float:
    if len(seconds) < 2:
        return max(seconds, default=0.0)
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1]


def cpu_seconds(process: psutil.Process) -> float:
    """Return the processor time of a process so far."""
    spent = process.cpu_times()
    return float(spent.user + spent.system)


def create_accounts(data: Path, count: int) -> list[str]:
    """Create this many users of the demo organization. Returns their names."""
    names, password = [f"person{number}" for number in range(count)], hash_password(PASSWORD)
    with closing(Database(f"sqlite:///{data / 'service.sqlite'}")) as database, database.transaction() as connection:
        for name in names:
            provisioning.add_user(connection, name, password, [generator.ORGANIZATION_ID], display_name=None)
    return names


def wait_until_let_in(base: str) -> None:
    """Wait until people can sign in to a dashboard."""
    for _ in range(600):
        try:
            with urlopen(f"{base}/readyz", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the dashboard was not ready within 60 s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.many_people", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--accounts", type=int, default=ACCOUNTS)
    options = parser.parse_args()
    sys.exit(0 if run(options.people, options.seconds, options.accounts) else 1)
