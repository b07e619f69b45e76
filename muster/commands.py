"""The commands of `python -m muster`: import trips, list who is affected, check alerts, and remove old data."""

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
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
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
from muster.alert_check import check_alerts, exit_code
from muster.file_errors import explain_write_error
from muster.folder import FolderError, WatchedFolder
from muster.leftovers import keep_leftover
from muster.run import CommandError, Exit, ImportResult, import_file, resume_imports

USERNAME: Final = "MUSTER_USERNAME"
PASSWORD: Final = "MUSTER_PASSWORD"  # noqa: S105 (the name of a variable)
WATCH_SECONDS: Final = 10.0
"""Seconds between two scans of a watched folder."""
PROGRESS_SECONDS: Final = 10.0
"""Seconds between two lines of progress outside a terminal."""
CLOSED_PIPE: Final = 128 + signal.SIGPIPE
"""The exit code of a command whose output no one reads anymore, as in a shell."""

_EPILOG: Final = f"""\
{USERNAME} and {PASSWORD} sign in to the service. In a terminal, the command asks for the password. The other settings
are those of the dashboard: MUSTER_SERVICE_URL, MUSTER_DATA_DIR or MUSTER_JOURNAL_URL, MUSTER_RATE_LIMIT. The journal
lists the imports under the name of the operating-system user who ran the command.

Standard output has one line of JSON per file. The exit code is the most severe result of any file:
  0  every row was added or canceled  4  some or all rows were rejected
  2  the command could not start      5  some rows have status Unknown
  3  there was nothing to do          6  not finished: continue with --resume
"""

_AFFECTED_EPILOG: Final = """\
AREA is circle:LAT,LON,40km, airport:KTM,40km, country:NP, rectangle:SOUTH,WEST,NORTH,EAST, polygon:LAT,LON LAT,LON …,
"40 km around Kathmandu", or a file: GeoJSON, KML, CAP, zipped shapefile. A TIME without an offset is UTC. All
parts of a file count, but if a CAP alert has active parts, its ended parts do not count. With --part, only the named
parts count.

JSON has generatedAt, area (GeoJSON), notCovered (sentences), and people. CSV has the people, then one row per sentence
with "notCovered" as its section. Exit codes:
  0  every trip was loaded        6  some trips could not be loaded: notCovered names them
  2  the command could not start  7  some record locators were not found: notCovered names them
  3  the roster or file has no trips
"""

_CHECK_EPILOG: Final = """\
FILE has one draft or a list of drafts in JSON. docs/commands.md lists the keys. Nothing is sent, and no service is
needed. Places are those of the United States.

Exit codes:
  0  no draft has hints           3  the file has no drafts
  2  the file cannot be read      4  at least one draft has hints, or was not checked
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return the exit code."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        # What reads the output has ended, such as `head`. Nothing can be printed anymore, not at the exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
    finally:
        sys.stdout.flush()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("client").setLevel(logging.ERROR)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code: int = options.run(options)
    except (CommandError, SettingsError, FolderError) as error:
        print(f"muster: {error}", file=sys.stderr)
        return Exit.CANNOT
    except KeyboardInterrupt:
        return Exit.UNFINISHED
    sys.stdout.flush()
    return code


def _organization(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"“{text}” is not the ID of an organization. Enter a number, such as 8800.")
    return int(text)


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
    command.add_argument("files", nargs="*", type=Path, metavar="FILE", help="CSV, XLSX, or JSON")
    command.add_argument("--organization", type=_organization, required=True, help="the organization ID")
    command.add_argument("--mapping", metavar="NAME", help="use this saved profile")
    command.add_argument("--sheet", metavar="NAME", help="read this sheet of a workbook, not the first with a table")
    command.add_argument("--dry-run", action="store_true", help="print what would be sent, and send nothing")
    command.add_argument("--resume", action="store_true", help="continue imports that stopped early or are paused")
    command.add_argument("--again", action="store_true", help="resend a file that was sent before")
    command.add_argument("--not-added", type=Path, metavar="CSV", help="write the rows that were not added, and why")
    command.add_argument(
        "--watch", type=Path, metavar="DIR", help="import each file that arrives in this folder, and move it"
    )
    command.add_argument(
        "--once", action="store_true", help="with --watch: import the files that are in the folder, then end"
    )
    command.set_defaults(run=_import)
    command = commands.add_parser(
        "affected",
        help="list who is affected by an incident, and why",
        epilog=_AFFECTED_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--organization", type=_organization, required=True, help="the organization ID")
    trips = command.add_mutually_exclusive_group(required=True)
    trips.add_argument("--roster", metavar="NAME", help="the trips of this roster")
    trips.add_argument(
        "--locators", type=Path, metavar="FILE", help="the trips of this file, one record locator per line"
    )
    command.add_argument(
        "--area",
        action="append",
        required=True,
        metavar="AREA",
        help="where the incident is; repeat the option to combine areas",
    )
    command.add_argument(
        "--part",
        action="append",
        metavar="NAME",
        help="the part of the file to include, by name or attribute; repeat the option for several parts",
    )
    command.add_argument(
        "--from", dest="begins", required=True, metavar="TIME", help="when the incident begins, in ISO 8601"
    )
    command.add_argument(
        "--until", dest="ends", metavar="TIME", help="when the incident ends; without this option, it is ongoing"
    )
    command.add_argument(
        "--margin",
        default="25km",
        metavar="DISTANCE",
        help="how far from the area counts as nearby (default: 25km)",
    )
    command.add_argument("--format", choices=FORMATS, default="json", help="the output format (default: json)")
    command.set_defaults(run=_affected)
    command = commands.add_parser(
        "check-alert",
        help="check alert texts and print the composer’s hints",
        epilog=_CHECK_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("file", type=Path, metavar="FILE", help="one draft or a list of drafts, in JSON")
    command.add_argument("--json", action="store_true", help="print one line of JSON per draft")
    command.set_defaults(run=_check_alert)
    command = commands.add_parser("retention", help="remove data that is older than the retention period")
    command.add_argument("--dry-run", action="store_true", help="print what would be removed, and remove nothing")
    command.set_defaults(run=_remove_old_data)
    return parser


def _remove_old_data(options: argparse.Namespace) -> int:
    """Print one line of JSON per organization with old data."""
    server = Server(read_settings())
    days = server.settings.retention_days
    if days is None:
        raise CommandError(
            "There is no retention period. Set MUSTER_RETENTION_DAYS to the number of days to keep data."
        )
    before = datetime.now(UTC) - timedelta(days=days)
    try:
        with server.journal as journal:
            removed = journal.retention.find(before) if options.dry_run else journal.retention.remove(before)
    except JournalError as error:
        raise CommandError(str(error)) from error
    for each in removed:
        print(json.dumps({"service": each.service, "organization": each.organization_id, **each.counts}))
    return Exit.DONE if removed else Exit.NOTHING


def _check_alert(options: argparse.Namespace) -> int:
    checked = check_alerts(options.file)
    for each in checked:
        print(each.as_json() if options.json else each.as_text(), flush=True)
    return exit_code(checked)


def _affected(options: argparse.Namespace) -> int:
    question = Question.of(options.area, options.begins, options.ends, options.margin, part_names=options.part or ())
    locators = read_locators(options.locators) if options.locators is not None else None
    with _workspace(options.organization) as workspace:
        answer = answer_affected(
            workspace, question, roster=options.roster, locators=locators, report=_Terminal().report
        )
    print(answer.as_csv() if options.format == "csv" else answer.as_json(), flush=True)
    if options.format == "csv":
        for sentence in answer.not_covered:
            print(f"muster: {sentence}", file=sys.stderr)
    return answer.exit


def _import(options: argparse.Namespace) -> int:
    if not (options.files or options.watch or options.resume):
        raise CommandError("Name a file, name a folder with --watch, or use --resume.")
    if options.not_added is not None and len(options.files) != 1:
        raise CommandError("With --not-added, name one file.")
    if options.not_added is not None and options.not_added.resolve() == options.files[0].resolve():
        raise CommandError(f"--not-added needs another name. {options.not_added} is the file to import.")
    with _workspace(options.organization) as workspace:
        codes = [_print_result(result) for result in _import_all(workspace, options)]
    if not codes and options.resume:
        print("muster: There is no import to continue.", file=sys.stderr)
    return max(codes, key=list(Exit).index, default=Exit.NOTHING)


def _import_all(workspace: Workspace, options: argparse.Namespace) -> Iterator[ImportResult]:
    terminal = _Terminal()

    def one(path: Path, *, resume: bool = options.resume) -> ImportResult:
        return import_file(
            workspace,
            path,
            mapping=options.mapping,
            sheet=options.sheet,
            is_dry=options.dry_run,
            resume=resume,
            resend=options.again,
            report=terminal.report,
        )

    def watched(path: Path) -> ImportResult:
        content = b""
        with suppress(OSError):  # The import says why the file cannot be read.
            content = path.read_bytes()
        result = one(path, resume=True)
        if not options.dry_run:
            keep_leftover(workspace, path.name, content, result)
        return result

    if options.resume and not options.files:
        yield from resume_imports(workspace, terminal.report)
    for path in options.files:
        _write_not_added(options.not_added, None)  # fails before anything is sent
        result = one(path)
        yield result
        _write_not_added(options.not_added, result.not_added)
    if options.watch is not None:
        with _end_on_signal() as is_ended, WatchedFolder(options.watch) as folder:
            while not is_ended.is_set():
                for result in folder.import_files(watched, leaves_files=options.dry_run):
                    yield result
                    if is_ended.is_set():
                        break
                if options.once or options.dry_run:
                    return
                is_ended.wait(WATCH_SECONDS)
            print("muster: Stopped by a signal after the current file.", file=sys.stderr)


def _write_not_added(path: Path | None, rows: pd.DataFrame | None) -> None:
    """Write the rows that were not added, in place of those of an earlier file."""
    try:
        if path is not None:
            path.write_bytes(b"" if rows is None else to_csv(rows))
    except OSError as error:
        raise CommandError(explain_write_error(path or "The file", error)) from error


@contextmanager
def _end_on_signal() -> Iterator[threading.Event]:
    """Yield an event that the first signal sets, so that the current file is finished. The second signal interrupts."""
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


def _print_result(result: ImportResult) -> Exit:
    plain = asdict(replace(result, not_added=None, left_rows=None))
    shown = {name: value for name, value in plain.items() if value is not None}
    print(json.dumps(shown, ensure_ascii=False), flush=True)
    return result.exit


@contextmanager
def _workspace(organization: int) -> Iterator[Workspace]:
    """Sign in, and yield a workspace like that of the dashboard's pages, with the name of the operating-system user."""
    settings = read_settings()
    if settings.is_embedded:
        raise CommandError("Set MUSTER_SERVICE_URL to the address of the service.")
    username = os.environ.get(USERNAME, "").strip()
    if not username:
        raise CommandError(f"Set {USERNAME} and {PASSWORD} to the user name and password of a service account.")
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
        password = getpass.getpass("Password for the service: ")
    if not password:
        raise CommandError(f"Set {PASSWORD}, or run the command in a terminal.")
    return password


class _Terminal:
    """Prints progress on standard error: in one line that changes, or every few seconds outside a terminal."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._reported_at = 0.0

    def report(self, message: str, *, is_end: bool = False) -> None:
        """Print one line; `is_end` keeps it."""
        now = time.monotonic()
        # Work goes on if no one reads the progress.
        with suppress(BrokenPipeError):
            self._print(message, now, is_end=is_end)

    def _print(self, message: str, now: float, *, is_end: bool) -> None:
        if self._is_terminal:
            print(f"\r\033[K{message}", end="\n" if is_end else "", file=sys.stderr, flush=True)
        elif is_end or now - self._reported_at >= PROGRESS_SECONDS:
            self._reported_at = now
            print(message, file=sys.stderr, flush=True)
