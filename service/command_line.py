"""The commands of `python -m service`: serve, organizations, users, tokens, and the demo data."""

from __future__ import annotations

import argparse
import getpass
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import Connection
from sqlalchemy.exc import ArgumentError, OperationalError

from service.accounts import provisioning, repository, tokens
from service.accounts.passwords import hash_password
from service.accounts.provisioning import ProvisioningError
from service.database import Database, Given, Result, Work
from service.demo import seeding
from service.demo.demo_records import PRINTED, as_csv, desk_as_json
from service.dynamic_locations.rows import HeaderSpellingsError, header_spellings
from service.faults import FaultsFileError, read_faults_file
from service.options import ServiceOptions, default_database_url
from service.serving import address_of, listening_socket, serve, stop_cleanly_on_sigterm
from storage.migrations import NewerDatabase

PASSWORD_VARIABLE = "MUSTER_SERVICE_PASSWORD"  # noqa: S105 (the name of a variable)
DATABASE_VARIABLE = "MUSTER_SERVICE_DATABASE_URL"


class CommandError(Exception):
    """A command that cannot be carried out. The administrator sees only the message."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
    except (CommandError, ProvisioningError, FaultsFileError, HeaderSpellingsError) as error:
        print(f"service: {error}", file=sys.stderr)
        return 2
    except NewerDatabase as error:
        advice = "Start a newer version of the service, or give it another database."
        print(f"service: {error} {advice}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "::1")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m service", description="The embedded service.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("serve", help="serve requests until stopped")
    command.add_argument("--host", default="127.0.0.1")
    command.add_argument("--port", type=_whole(0, 65535), default=8700, help="0 uses a free one (default: 8700)")
    command.add_argument("--workers", type=_whole(1, 64), default=1, help="processes (default: 1)")
    command.add_argument(
        "--demo", action="store_true", help="add the demo organization, 8800001 with user demo, if it is missing"
    )
    command.add_argument("--faults", metavar="FILE", help="faults to inject, as TOML or JSON")
    command.add_argument("--hours-before", type=_hours, default=24.0, help="expected before a departure (default: 24)")
    command.add_argument("--hours-after", type=_hours, default=24.0, help="expected after an arrival (default: 24)")
    command.add_argument(
        "--allow-origin",
        type=_origin,
        action="append",
        default=[],
        metavar="ORIGIN",
        help="let web pages of an origin, such as https://muster.example.org, call the service (default: none)",
    )
    _with_database(command, _serve)

    groups = commands.add_parser("organization", help="add and list organizations").add_subparsers(required=True)
    command = groups.add_parser("add", help="add an organization")
    command.add_argument("id", type=int)
    command.add_argument("name")
    _with_database(command, _add_organization)
    _with_database(groups.add_parser("list", help="list organizations"), _list_organizations)

    password = f"The password is read from {PASSWORD_VARIABLE}, or else from the terminal."
    groups = commands.add_parser("user", help="add users and give them access to organizations").add_subparsers(
        required=True
    )
    command = groups.add_parser("add", help="add a user", description=password)
    command.add_argument("username")
    command.add_argument("--organization", type=int, action="append", required=True, help="can be repeated")
    command.add_argument("--name", help="the name shown in records (default: the user name)")
    command.add_argument("--without-public-alerts", action="store_true", help="do not allow public alerts")
    _with_database(command, _add_user)
    command = groups.add_parser("allow", help="give a user access to organizations")
    command.add_argument("username")
    command.add_argument("--organization", type=int, action="append", required=True, help="can be repeated")
    _with_database(command, _allow_user)
    command = groups.add_parser("public-alerts", help="allow or disallow public alerts for a user")
    command.add_argument("username")
    command.add_argument("setting", choices=("on", "off"))
    _with_database(command, _set_public_alerts)
    command = groups.add_parser("password", help="change a user's password", description=password)
    command.add_argument("username")
    _with_database(command, _change_password)

    command = commands.add_parser(
        "token",
        help="print an access token",
        description=f"Signed with {tokens.SECRET_VARIABLE}, or else with the secret in the database.",
    )
    command.add_argument("--user", required=True, metavar="NAME")
    _with_database(command, _print_token)

    groups = commands.add_parser("event-group", help="add groups that can receive public alerts").add_subparsers(
        required=True
    )
    command = groups.add_parser("add", help="add an event group")
    command.add_argument("name")
    command.add_argument("--organization", type=int, required=True)
    _with_database(command, _add_event_group)

    for name, (what, rows) in PRINTED.items():
        command = commands.add_parser(name, help=f"print the demo organization's {what} as CSV")
        command.set_defaults(run=_print_csv, rows=rows)
    command = commands.add_parser(
        "demo-desk", help="print the output of all four as one JSON object, with one CSV per command"
    )
    command.set_defaults(run=lambda _: sys.stdout.write(desk_as_json()))
    return parser


def _with_database(command: argparse.ArgumentParser, run: Callable[[argparse.Namespace], None]) -> None:
    help_text = f"SQLAlchemy URL (default: {DATABASE_VARIABLE}, else SQLite in MUSTER_DATA_DIR)"
    command.add_argument("--database-url", help=help_text)
    command.set_defaults(run=run)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{value} is not between {low} and {high}")
        return value

    return whole


def _origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or text != f"{parts.scheme}://{parts.netloc}":
        raise argparse.ArgumentTypeError(f"{text} is not an origin, such as https://muster.example.org")
    return text


def _hours(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 24 * 366:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 hours and a year")
    return value


def _serve(options: argparse.Namespace) -> None:
    stop_cleanly_on_sigterm()
    tokens.secret_from_environment()
    header_spellings()
    if options.faults:
        if options.host not in _THIS_MACHINE:
            raise CommandError(f"Faults can be injected only on this machine: --host {_THIS_MACHINE[0]}.")
        read_faults_file(Path(options.faults))
    try:
        listener = listening_socket(options.host, options.port)
    except OSError as error:
        raise CommandError(f"Cannot listen on {options.host} port {options.port}: {error.strerror or error}") from error
    with closing(listener):
        url = _database_url(options)
        with closing(_open(url)) as database:
            if options.demo:
                seeding.ensure_demo(database, hours_before=options.hours_before, hours_after=options.hours_after)
        service_options = ServiceOptions(
            url, options.hours_before, options.hours_after, options.faults, tuple(options.allow_origin)
        )
        address = address_of(listener)
        serve(
            service_options, listener, workers=options.workers, announce=lambda: print(f"ready {address}", flush=True)
        )


def _add_organization(options: argparse.Namespace) -> None:
    _in_transaction(options, provisioning.add_organization, options.id, options.name)
    print(f"Organization {options.id} added.")


def _list_organizations(options: argparse.Namespace) -> None:
    for organization_id, name in _in_transaction(options, repository.list_organizations):
        print(f"{organization_id}\t{name}")


def _add_user(options: argparse.Namespace) -> None:
    password_hash = hash_password(_new_password())

    def work(connection: Connection) -> None:
        provisioning.add_user(
            connection, options.username, password_hash, options.organization, display_name=options.name
        )
        if options.without_public_alerts:
            provisioning.set_public_alerts(connection, options.username, allowed=False)

    _in_transaction(options, work)
    print(f"User {options.username} added.")


def _allow_user(options: argparse.Namespace) -> None:
    _in_transaction(options, provisioning.allow_user, options.username, options.organization)
    print(f"User {options.username} has access.")


def _set_public_alerts(options: argparse.Namespace) -> None:
    allowed = options.setting == "on"
    _in_transaction(options, provisioning.set_public_alerts, options.username, allowed=allowed)
    print(f"User {options.username} {'can' if allowed else 'cannot'} send public alerts.")


def _add_event_group(options: argparse.Namespace) -> None:
    _in_transaction(options, provisioning.add_event_group, options.organization, options.name)
    print(f"Event group {options.name} added.")


def _change_password(options: argparse.Namespace) -> None:
    password_hash = hash_password(_new_password())
    _in_transaction(options, provisioning.change_password, options.username, password_hash)
    print(f"Password of {options.username} changed.")


def _print_token(options: argparse.Namespace) -> None:
    print(_in_transaction(options, tokens.issue, options.user))


def _print_csv(options: argparse.Namespace) -> None:
    sys.stdout.write(as_csv(options.rows()))


def _new_password() -> str:
    given = os.environ.get(PASSWORD_VARIABLE)
    if given:
        return given
    if not sys.stdin.isatty():
        raise CommandError(f"Set {PASSWORD_VARIABLE}, or run the command in a terminal.")
    password = getpass.getpass("Password: ")
    if not password:
        raise CommandError("A password cannot be empty.")
    if password != getpass.getpass("Again: "):
        raise CommandError("The two passwords differ. Nothing was changed.")
    return password


def _database_url(options: argparse.Namespace) -> str:
    return options.database_url or os.environ.get(DATABASE_VARIABLE) or default_database_url()


def _open(url: str) -> Database:
    try:
        return Database(url)
    except (ArgumentError, ValueError) as error:
        raise CommandError(f"The database URL cannot be used: {error}") from error
    except (OperationalError, sqlite3.Error, OSError) as error:
        raise CommandError(f"The database cannot be opened: {getattr(error, 'orig', error)}") from error


def _in_transaction(
    options: argparse.Namespace, work: Work[Given, Result], *given: Given.args, **named: Given.kwargs
) -> Result:
    with closing(_open(_database_url(options))) as database, database.transaction() as connection:
        return work(connection, *given, **named)
