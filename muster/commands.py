"""The commands of `python -m muster`: trips are imported from files, by hand at a terminal or by night."""

from __future__ import annotations

import argparse
import getpass
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final, NoReturn

import pandas as pd

from client import ServiceError
from domain.runtime.server import Server
from domain.runtime.settings import SettingsError, read_settings
from domain.runtime.sign_in_check import refusal
from domain.runtime.version import version
from domain.runtime.workspace import Workspace
from domain.tables.spreadsheet import to_csv
from journal import JournalError
from muster.affected_answer import FORMATS, Question, answer_affected, read_locators
from muster.folder import NotAFolder, Watched
from muster.run import CommandError, Exit, Ran, imported, resumed

USERNAME: Final = "MUSTER_USERNAME"
PASSWORD: Final = "MUSTER_PASSWORD"  # noqa: S105 (the name of a variable)
LOOKED_EVERY: Final = 10.0
"""Seconds between two looks into a watched folder."""
TOLD_EVERY: Final = 10.0
"""Seconds between two lines of progress where nobody sits at a terminal."""

_EPILOG: Final = f"""\
Who signs in at the service: {USERNAME} and {PASSWORD}, or a password that is asked for. The other settings are the
dashboard's: MUSTER_SERVICE_URL, MUSTER_DATA_DIR or MUSTER_JOURNAL_URL, MUSTER_RATE_LIMIT. Imports stand in the same
history as those of the dashboard, under the name of this machine's user.

Standard output gets one line of JSON a file. Exit codes, the gravest of all files:
  0  every row was added or canceled 4  some rows, or all, were refused
  2  it could not begin           5  of some rows it is unknown
  3  there was nothing to do      6  not finished: --resume goes on
"""

_AFFECTED_EPILOG: Final = """\
AREA is circle:LAT,LON,40km, airport:KTM,40km, country:NP, rectangle:SOUTH,WEST,NORTH,EAST, polygon:LAT,LON LAT,LON …,
"40 km around Kathmandu", or a file: GeoJSON, KML, CAP, zipped shapefile. A TIME without an offset is UTC.

JSON has generatedAt, area (GeoJSON), notCovered (sentences), and people. Exit codes:
  0  every trip was read          3  the roster or file has no trips
  2  it could not begin           6  some trips could not be read: notCovered names them
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; the exit code."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("client").setLevel(logging.ERROR)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code: int = options.run(options)
    except (CommandError, SettingsError, NotAFolder) as error:
        print(f"muster: {error}", file=sys.stderr)
        return Exit.CANNOT
    except KeyboardInterrupt:
        return Exit.UNFINISHED
    return code


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m muster", description="Muster without a browser.")
    parser.add_argument("--version", action="version", version=f"Muster {version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "import",
        help="import trips from files",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("files", nargs="*", type=Path, metavar="FILE", help="CSV, XLSX or JSON")
    command.add_argument("--organization", type=int, required=True, help="the organization's number")
    command.add_argument("--mapping", metavar="NAME", help="match columns as they were kept under this name")
    command.add_argument("--sheet", metavar="NAME", help="read this sheet of a workbook, not the first with a table")
    command.add_argument("--dry-run", action="store_true", help="say what would be sent, and send nothing")
    command.add_argument("--resume", action="store_true", help="go on with imports that were cut off or paused")
    command.add_argument("--again", action="store_true", help="send a file that was sent before once more")
    command.add_argument("--not-added", type=Path, metavar="CSV", help="write the rows that were not added, and why")
    command.add_argument("--watch", type=Path, metavar="DIR", help="import each file that arrives there, and move it")
    command.add_argument("--once", action="store_true", help="with --watch: only what is there now")
    command.set_defaults(run=_import)
    command = commands.add_parser(
        "affected",
        help="list who is affected by an incident, and why",
        epilog=_AFFECTED_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--organization", type=int, required=True, help="the organization's number")
    trips = command.add_mutually_exclusive_group(required=True)
    trips.add_argument("--roster", metavar="NAME", help="the trips of this roster")
    trips.add_argument(
        "--locators", type=Path, metavar="FILE", help="the trips of this file, one record locator per line"
    )
    command.add_argument(
        "--area", action="append", required=True, metavar="AREA", help="where it happens; several areas count together"
    )
    command.add_argument("--from", dest="begins", required=True, metavar="TIME", help="when it begins, in ISO 8601")
    command.add_argument("--until", dest="ends", metavar="TIME", help="when it ends; without it, it goes on")
    command.add_argument("--margin", default="25km", metavar="DISTANCE", help="how far around is nearby (25km)")
    command.add_argument("--format", choices=FORMATS, default="json", help="what is printed (json)")
    command.set_defaults(run=_affected)
    return parser


def _affected(options: argparse.Namespace) -> int:
    question = Question.of(options.area, options.begins, options.ends, options.margin)
    locators = read_locators(options.locators) if options.locators is not None else None
    with _workspace(options.organization) as workspace:
        answer = answer_affected(workspace, question, roster=options.roster, locators=locators, tell=_Terminal().tell)
    print(answer.as_csv() if options.format == "csv" else answer.as_json(), flush=True)
    if options.format == "csv":
        for sentence in answer.not_covered:
            print(f"muster: {sentence}", file=sys.stderr)
    return answer.exit


def _import(options: argparse.Namespace) -> int:
    if not (options.files or options.watch or options.resume):
        raise CommandError("Name a file, or a folder with --watch, or go on with --resume.")
    if options.not_added is not None and len(options.files) != 1:
        raise CommandError("With --not-added, name one file.")
    if options.not_added is not None and options.not_added.resolve() == options.files[0].resolve():
        raise CommandError(f"{options.not_added} is the file itself: --not-added needs another name.")
    with _workspace(options.organization) as workspace:
        codes = [_told(ran) for ran in _runs(workspace, options)]
    if not codes and options.resume:
        print("muster: No import is there to go on with.", file=sys.stderr)
    return max(codes, key=list(Exit).index, default=Exit.NOTHING)


def _runs(workspace: Workspace, options: argparse.Namespace) -> Iterator[Ran]:
    terminal = _Terminal()

    def one(path: Path, *, resume: bool = options.resume) -> Ran:
        return imported(
            workspace,
            path,
            mapping=options.mapping,
            sheet=options.sheet,
            is_dry=options.dry_run,
            resume=resume,
            again=options.again,
            tell=terminal.tell,
        )

    if options.resume and not options.files:
        yield from resumed(workspace, terminal.tell)
    for path in options.files:
        _report(options.not_added, None)  # what cannot be written is told before anything is sent
        ran = one(path)
        yield ran
        _report(options.not_added, ran.not_added)
    if options.watch is not None:
        with _ended_by_signal() as is_ended, Watched(options.watch) as folder:
            while not is_ended.is_set():
                for ran in folder.taken(lambda path: one(path, resume=True), keep=options.dry_run):
                    yield ran
                    if is_ended.is_set():
                        break
                if options.once or options.dry_run:
                    return
                is_ended.wait(LOOKED_EVERY)
            print("muster: Ended by a signal, after the file in hand.", file=sys.stderr)


def _report(path: Path | None, rows: pd.DataFrame | None) -> None:
    """Write the rows that were not added, over what an earlier file left there."""
    try:
        if path is not None:
            path.write_bytes(b"" if rows is None else to_csv(rows))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error


@contextmanager
def _ended_by_signal() -> Iterator[threading.Event]:
    """What is set by the first signal to end, so that the file in hand comes to its end; the second one cuts it off."""
    is_ended = threading.Event()

    def end(*_: object) -> None:
        if is_ended.is_set():
            raise KeyboardInterrupt
        is_ended.set()

    before = {each: signal.signal(each, end) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield is_ended
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _told(ran: Ran) -> Exit:
    told = {name: value for name, value in asdict(replace(ran, not_added=None)).items() if value is not None}
    print(json.dumps(told, ensure_ascii=False), flush=True)
    return ran.exit


@contextmanager
def _workspace(organization: int) -> Iterator[Workspace]:
    """What the dashboard hands to its pages, for the user of this machine."""
    settings = read_settings()
    if settings.is_embedded:
        raise CommandError("Say which service: set MUSTER_SERVICE_URL to its address.")
    username = os.environ.get(USERNAME, "").strip()
    if not username:
        raise CommandError(f"Say who signs in at the service: set {USERNAME} and {PASSWORD}.")
    if organization < 1:
        raise CommandError("An organization is a whole number, such as 8800.")
    server = Server(settings)
    try:
        connection = server.connection(organization_id=organization, username=username, password=_password())
        with server.client(connection) as client:
            client.check_access()
            workspace = server.workspace(client)
            yield replace(workspace, actor=replace(workspace.actor, username=getpass.getuser()))
    except (ServiceError, JournalError) as error:
        raise CommandError(" ".join(refusal(error, server).words.values())) from error
    finally:
        server.stop()


def _password() -> str:
    password = os.environ.get(PASSWORD, "")
    if not password and sys.stdin.isatty():
        password = getpass.getpass("Password at the service: ")
    if not password:
        raise CommandError(f"Set {PASSWORD}, or run this where a password can be typed.")
    return password


class _Terminal:
    """Says on standard error how far it is: in one line that changes, or now and then where nobody sees it change."""

    def __init__(self) -> None:
        self._is_seen = sys.stderr.isatty()
        self._told_at = 0.0

    def tell(self, words: str, *, is_end: bool = False) -> None:
        """Say how far it is."""
        now = time.monotonic()
        if self._is_seen:
            print(f"\r\033[K{words}", end="\n" if is_end else "", file=sys.stderr, flush=True)
        elif is_end or now - self._told_at >= TOLD_EVERY:
            self._told_at = now
            print(words, file=sys.stderr, flush=True)
