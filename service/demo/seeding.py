"""Create the demo organization once, and update its dates daily, without touching changes by users."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import Connection

from service import named_values
from service.accounts import repository as accounts
from service.accounts.models import Caller
from service.accounts.passwords import hash_password, is_right_password
from service.database import Database
from service.demo import generator
from service.demo.demo_records import ensure_areas
from service.itineraries import repository as itineraries
from service.itineraries import storing
from service.itineraries.expected_locations import Margins
from service.itineraries.models import TripItinerary
from service.itineraries.rules import AcceptedItinerary, Spelling, accept
from service.itineraries.storing import MatchingOptions

PASSWORD_VARIABLE = "MUSTER_SERVICE_DEMO_PASSWORD"  # noqa: S105 (the name of a variable)
DEFAULT_PASSWORD = "demo"  # noqa: S105 (the demo's published password)
_STAMP = "demo"


@dataclass(frozen=True)
class Seeded:
    """What a call of `ensure_demo` did."""

    added: int = 0
    redated: int = 0
    removed: int = 0


def ensure_demo(
    database: Database, *, hours_before: float = 24.0, hours_after: float = 24.0, today: date | None = None
) -> Seeded:
    """Ensure that the demo organization, its user, and trips around today (UTC) exist; once per day."""
    today = today or datetime.now(UTC).date()
    margins = Margins(timedelta(hours=hours_before), timedelta(hours=hours_after))
    stamp = f"edition {generator.EDITION} of {today} with {hours_before:g} h and {hours_after:g} h"
    password_hash = _new_password_hash(database)
    with database.transaction() as connection:
        accounts.lock_organization(connection, generator.ORGANIZATION_ID)
        caller = _ensure_account(connection, password_hash)
        ensure_areas(connection, caller, today)
        if named_values.read(connection, _STAMP) == stamp:
            return Seeded()
        seeded = _ensure_trips(connection, caller, today, margins)
        named_values.store(connection, _STAMP, stamp)
        return seeded


def _new_password_hash(database: Database) -> str | None:
    """Return the hash of the user's new password, or None if it stays. Computed before the lock is taken."""
    password = os.environ.get(PASSWORD_VARIABLE)
    with database.transaction() as connection:
        user = accounts.find_user(connection, generator.USERNAME)
    if user is None:
        return hash_password(password or DEFAULT_PASSWORD)
    return hash_password(password) if password and not is_right_password(password, user.password_hash) else None


def _ensure_account(connection: Connection, password_hash: str | None) -> Caller:
    organization_id, username = generator.ORGANIZATION_ID, generator.USERNAME
    if not accounts.organization_exists(connection, organization_id):
        accounts.add_organization(connection, organization_id, generator.ORGANIZATION_NAME)
    user = accounts.find_user(connection, username)
    if user is None:
        user_id = accounts.add_user(connection, username, password_hash or hash_password(DEFAULT_PASSWORD), "Demo User")
        accounts.give_access(connection, user_id, organization_id)
        return Caller(user_id, username, "Demo User", organization_id)
    accounts.give_access(connection, user.id, organization_id)
    if password_hash is not None:
        accounts.set_password(connection, user.id, password_hash)
    return Caller(user.id, username, user.display_name, organization_id)


def _ensure_trips(connection: Connection, caller: Caller, today: date, margins: Margins) -> Seeded:
    known = itineraries.pnrs_ever(connection, caller.organization_id)
    untouched = itineraries.find_generated(connection, caller.organization_id)
    new: list[AcceptedItinerary] = []
    again: list[tuple[int, AcceptedItinerary]] = []
    for trip in generator.trips(today):
        accepted = accept(TripItinerary.read(trip), Spelling.ADD)
        if accepted.pnr in untouched:
            again.append((untouched.pop(accepted.pnr), accepted))
        elif accepted.pnr not in known:
            new.append(accepted)
    # The remaining trips come from an earlier edition, and no user has changed them.
    gone = list(untouched.values())
    storing.remove_all(connection, caller, gone)
    options = MatchingOptions()
    storing.overwrite_generated(connection, caller, again, options, margins)
    storing.add_all(connection, caller, new, options, margins, generated=True, contact_creation_limit=None)
    return Seeded(added=len(new), redated=len(again), removed=len(gone))
