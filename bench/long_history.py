"""Processor time of a rerun of map, filter list, and composer with a long history, against an empty journal.

Two dashboards run on their embedded services with the demo organization. The journal of one has 1,000,000 entries and
1,000,000 imported rows from past years. A user changes a field on both in turns. The processor time is that of the
dashboard process. First the journals are SQLite files, then they are on PostgreSQL. Filling one takes about 90 seconds.

`python -m bench.long_history --rows 100000`
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]
from sqlalchemy import URL, create_engine, make_url, text

from bench._browser_session import BrowserSession
from bench._postgresql import running_postgresql
from bench.filter_keystroke import serve_dashboard
from bench.many_people import (
    CHOICES,
    PASSWORD,
    SCREENS,
    cpu_seconds,
    create_accounts,
    wait_until_let_in,
    wait_until_loaded,
)
from service.demo import generator

ROWS: Final = 1_000_000
TARGET: Final = 1.1
ROUNDS: Final = 8
RERUNS: Final = 10
"""The number of reruns on one dashboard before the other one's turn."""
QUIET_SHARE: Final = 0.05
"""The share of a core below which a dashboard has finished what it prepares in the background."""

_SCREENS: Final = {**SCREENS, "composer": "public-alert"}
_CHOICES: Final = {
    **CHOICES,
    "composer": [("Text message", "The river is flooding."), ("Text message", "The river is flooding. Stay away.")],
}
_NUMBERS: Final = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :rows) "
_AT: Final = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f000', julianday('now') - 1000 + 900.0 * n / :rows)",
    "postgresql": "timezone('utc', now()) - interval '1000 days' + interval '900 days' * n / :rows",
}
_ENTRIES: Final = """
INSERT INTO audit_entries (at, finished_at, service, organization_id, username, action, subject_kind, subject_id,
                           subject_name, state, request, search_text, draft, resolved_at)
SELECT {at}, {at}, :service, :organization, 'ana',
       CASE WHEN n % 100 = 0 THEN 'public_alert.send' WHEN n % 2 = 1 THEN 'trip.add' ELSE 'contact_filter.update' END,
       CASE WHEN n % 100 = 0 THEN 'public_alert' WHEN n % 2 = 1 THEN 'itinerary' ELSE 'contact_filter' END,
       'old ' || n, 'Old ' || n, CASE n % 7 WHEN 1 THEN 'failed' WHEN 2 THEN 'unknown' ELSE 'succeeded' END, '{}',
       'old ' || n, 'old ' || n, CASE WHEN n % 7 = 2 THEN {at} END
FROM numbers
"""
_JOBS: Final = """
INSERT INTO ledger_jobs (service, organization_id, kind, name, digest, settings, created_by, created_at, state,
                         run_from, run_at, finished_at, done_writes)
SELECT :service, :organization, 'trip_add', 'old ' || n, 'old ' || n, '{}', 'ana', '2024-01-01 00:00:00.000000',
       'done', 0, '2024-01-01 00:00:00.000000', '2024-01-01 00:00:00.000000', 1
FROM numbers WHERE n <= 1000
"""
_ITEMS: Final = """
INSERT INTO ledger_items (job_id, position, lot, label, payload, rows, state, result_id, at)
SELECT (SELECT max(id) FROM ledger_jobs) - n % 1000, n, '', 'old ' || n, '{}', '[]', 'done', 'old ' || n,
       '2024-01-01 00:00:00.000000'
FROM numbers
"""


def run(rows: int = ROWS) -> bool:
    """Measure, and print a line per screen. Returns False if a ratio exceeds the target."""
    print(f"{rows:,} entries and {rows:,} imported rows, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}")
    with ExitStack() as stack:
        dashboards = [_Dashboard(stack.enter_context(serve_dashboard())) for _ in range(2)]
        fill_journal(f"sqlite:///{dashboards[1].data / 'journal.sqlite'}", rows)
        print("\nSQLite", flush=True)
        met = asyncio.run(_measure(dashboards))
    with ExitStack() as stack:
        url = make_url(stack.enter_context(running_postgresql())).set(drivername="postgresql+psycopg")
        urls = [_create_database(url, name) for name in ("empty", "full")]
        dashboards = [_Dashboard(stack.enter_context(serve_dashboard(MUSTER_JOURNAL_URL=each))) for each in urls]
        fill_journal(urls[1], rows)
        print("\nPostgreSQL", flush=True)
        return asyncio.run(_measure(dashboards)) and met


def _create_database(url: URL, name: str) -> str:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}_journal")
    engine.dispose()
    return url.set(database=f"{name}_journal").render_as_string(hide_password=False)


def fill_journal(url: str, rows: int) -> None:
    """Add old entries, and the rows of 1,000 old imports, to the organization of a journal that is in use."""
    engine = create_engine(url)
    with engine.begin() as connection:
        [(service, organization)] = connection.execute(
            text("SELECT DISTINCT service, organization_id FROM audit_entries")
        )
        values = {"rows": rows, "service": service, "organization": organization}
        for statement in (_ENTRIES.replace("{at}", _AT[engine.name]), _JOBS, _ITEMS):
            insert, select = statement.split("SELECT", 1)
            connection.execute(text(f"{insert} {_NUMBERS} SELECT {select}"), values)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)" if engine.name == "sqlite" else "VACUUM ANALYZE")
    engine.dispose()


class _Dashboard:
    """A dashboard that runs, and its journal."""

    def __init__(self, base: str) -> None:
        wait_until_let_in(base)
        self.base = base
        self.process = psutil.Process().children()[-1]
        self.data = Path(self.process.environ()["MUSTER_DATA_DIR"])
        [self.user] = create_accounts(self.data, 1)


async def _measure(dashboards: list[_Dashboard]) -> bool:
    met = True
    print(f"{'':>12}{'empty':>12}{'long history':>15}{'ratio':>8}")
    for screen in _SCREENS:
        tabs = [BrowserSession(dashboard.base) for dashboard in dashboards]
        choices = [itertools.cycle(_CHOICES[screen]) for _ in dashboards]
        seconds = [0.0 for _ in dashboards]
        try:
            for tab, dashboard, choice in zip(tabs, dashboards, choices, strict=True):
                await tab.sign_in(generator.ORGANIZATION_ID, dashboard.user, PASSWORD)
                await tab.open(_SCREENS[screen])
                await wait_until_loaded(tab, screen)
                await _wait_until_quiet(dashboard.process)
                await _rerun(tab, choice, dashboard.process)
            for _ in range(ROUNDS):
                for number, (tab, dashboard, choice) in enumerate(zip(tabs, dashboards, choices, strict=True)):
                    seconds[number] += await _rerun(tab, choice, dashboard.process)
        finally:
            for tab in tabs:
                await tab.close()
        empty, full = (1_000 * each / ROUNDS / RERUNS for each in seconds)
        print(f"{screen:>12}{empty:>9.1f} ms{full:>12.1f} ms{full / empty:>8.2f}", flush=True)
        met &= full / empty <= TARGET
    print(f"\ntarget at most {TARGET}; {ROUNDS * RERUNS} reruns each")
    return met


async def _rerun(tab: BrowserSession, choices: Iterator[tuple[str, Any]], process: psutil.Process) -> float:
    began = cpu_seconds(process)
    for label, value in itertools.islice(choices, RERUNS):
        await tab.choose(label, value)
    return cpu_seconds(process) - began


async def _wait_until_quiet(process: psutil.Process) -> None:
    while True:
        began = cpu_seconds(process)
        await asyncio.sleep(1)
        if cpu_seconds(process) - began < QUIET_SHARE:
            return


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.long_history", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    sys.exit(0 if run(parser.parse_args().rows) else 1)
