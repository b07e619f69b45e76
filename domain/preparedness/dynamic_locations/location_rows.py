"""Rows of files of dynamic locations: columns, rules, and the CSV file to send.

External id, Arrives, Expires, Latitude, Longitude
E10001, 2026-11-20 08:00, 2026-11-21, 47.38, 8.54
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from client.vocabulary.dynamic_locations import COLUMNS as FILE_COLUMNS
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Decimal, Moment, Text
from domain.file_import.positions import Position
from domain.file_import.row_problems import Offer, Problem, Rows
from domain.file_import.row_sending import MAX_NAMES, Outgoing
from domain.file_import.traveler_cells import strip_decimal_zero
from domain.preparedness.assets.asset_rows import KINDS as ASSET_KINDS
from domain.preparedness.assets.asset_rows import find_sent_assets
from domain.text.plain_text import count, names

if TYPE_CHECKING:
    from domain.file_import.column_types import Mask
    from domain.runtime.workspace import Workspace

KIND: Final = "dynamic_location"
SOON_MS: Final = 15 * 60 * 1000
"""In milliseconds: a location that expires this soon may have expired when the service reads it."""
CONFIRMATION_AGE_MS: Final = 60 * 1000
"""In milliseconds: how long the time of the check for expired rows stays the same."""
ADDRESS: Final = ("street", "suite", "city", "state", "postalCode", "country")
DROP_EXPIRED: Final = "Skip {} that expired"
EXPIRED: Final = "This location has expired. Sending it removes the person’s current location from this source."
EXPIRES_SOON: Final = (
    "This location expires within 15 minutes. If the service reads it later, it removes the person’s current location "
    "from this source."
)
REFUSED: Final = "The service had no contact with this ID at the last upload."
NO_ASSET: Final = "No asset that was added in Muster has this ID or external ID. The service may not have it either."

POSITION: Final = Position("lat", "lon", "country", "city")
ARRIVES: Final = (
    *("arrive", "arrival", "arrival date", "start", "start date", "from", "valid from", "since", "begins"),
    *("badge time", "badge in", "badged at", "swipe time", "check in", "checked in", "time", "timestamp", "seen at"),
)
EXPIRES: Final = (
    *("expire", "expiry", "expiry date", "expiration date", "expires at", "expires on", "end", "end date", "until"),
    *("to", "valid until", "valid to", "valid thru", "badge out", "check out", "checked out"),
)
COLUMNS: Final = (
    Column(
        "externalId",
        "External ID",
        Text(max_length=255, normalizer=strip_decimal_zero),
        aliases=(
            *("employee id", "employee", "employee number", "employee no", "emp id", "emp no", "personnel number"),
            *("person id", "contact external id", "staff id", "staff number", "badge id"),
        ),
        required=True,
        is_code=True,
        help="The external ID of the person’s contact.",
    ),
    Column(
        "arriveDate",
        "Arrives",
        Moment(),
        aliases=ARRIVES,
    ),
    Column(
        "expireDate",
        "Expires",
        Moment(is_end=True),
        aliases=EXPIRES,
        required=True,
        help="When the person leaves. A date without a time means the end of that day.",
    ),
    Column(
        "locationId",
        "Location ID",
        Text(),
        aliases=("location", "site", "site id", "building", "building id", "office", "asset", "asset id"),
        is_code=True,
        help="The ID or external ID of an asset.",
    ),
    Column("lat", "Latitude", Decimal(-90, 90), aliases=("y",)),
    Column("lon", "Longitude", Decimal(-180, 180), aliases=("lng", "long", "x")),
    Column(
        "source",
        "Source",
        Text(max_length=255),
        aliases=("system", "origin"),
        help="Each source has one current location per person.",
    ),
    Column("street", "Street", aliases=("street address", "address", "address line 1")),
    Column("suite", "Suite", aliases=("address line 2",)),
    Column("city", "City", aliases=("town",)),
    Column("state", "State", aliases=("province", "region")),
    Column("postalCode", "Postal code", aliases=("zip", "ZIP code", "postcode")),
    Column("country", "Country", aliases=("country code",)),
    Column("floorNo", "Floor", aliases=("floor number", "level")),
    Column("roomNo", "Room", aliases=("room number",)),
    Column("referenceId", "Reference", aliases=("reference number", "record id")),
)


@dataclass(frozen=True)
class KnownIds:
    """The IDs that Muster knows from trips, assets, and uploads. The service lists neither people nor assets."""

    people: Mapping[str, str] = field(default_factory=dict)
    """Names by external ID."""
    accepted_ids: frozenset[str] = frozenset()
    """External IDs that the service accepted in earlier uploads."""
    rejected_ids: frozenset[str] = frozenset()
    """External IDs that the service rejected in earlier uploads."""
    assets: frozenset[str] = frozenset()
    """IDs and external IDs of assets."""
    last_upload: int = 0
    """The highest ID of an upload from Muster."""
    checked_at: int = field(default_factory=lambda: now_ms())
    """The time for the check for expired rows, in epoch milliseconds."""

    def refreshed(self) -> KnownIds:
        """Return these IDs with the current time, if the time of the check is too old."""
        return self if now_ms() - self.checked_at < CONFIRMATION_AGE_MS else replace(self, checked_at=now_ms())

    def describe_coverage(self, texts: pd.DataFrame) -> str:
        """Describe how many IDs of the rows Muster knows, and which it cannot check."""
        ids = texts["externalId"]
        people = set(ids[ids != ""])
        known = len(people & (self.accepted_ids | self.people.keys()))
        appear = "person already appears", "people already appear"
        text = f"{count(known, *appear)} in trips or earlier uploads."
        others = len(people) - known
        if others:
            text += f" The service checks {count(others, 'other person', 'other people')} when it receives the file."
        named = set(texts["locationId"]) - {""}
        if named and not self.assets:
            text += " Muster cannot check location IDs, because no asset was added in Muster."
        return text

    def check_ids(self, rows: Rows) -> Iterator[Problem]:
        """Find IDs that the service may not have, as far as Muster can know."""
        people, places = rows.texts["externalId"], rows.texts["locationId"]
        yield Problem(people.isin(self.rejected_ids).to_numpy(dtype=bool), "externalId", REFUSED, is_error=False)
        if self.assets:
            unknown = (places != "") & ~places.isin(self.assets)
            yield Problem(unknown.to_numpy(dtype=bool), "locationId", NO_ASSET, is_error=False)

    def confirmation_lines(self, rows: Rows) -> list[str]:
        """Describe the current locations that would be removed, for confirmation."""
        is_expired = find_expired(rows, self.checked_at)
        expires_soon = find_expired(rows, self.checked_at + SOON_MS) & ~is_expired
        groups = (
            (is_expired, "row has expired and will remove", "rows have expired and will remove"),
            (
                expires_soon,
                "row expires within 15 minutes and, if it arrives after that, will remove",
                "rows expire within 15 minutes and, if they arrive after that, will remove",
            ),
        )
        lines = []
        for mask, one, many in groups:
            people = list(dict.fromkeys(rows.texts["externalId"][mask]))
            labels = [f"{self.people[each]} ({each})" if each in self.people else each for each in people]
            rows_text, people_text = count(int(mask.sum()), one, many), count(len(people), "person", "people")
            if people:
                lines.append(f"{rows_text} the current location of {people_text}: {names(labels, at_most=MAX_NAMES)}.")
        return lines


def read_known_ids(workspace: Workspace) -> KnownIds:
    """Read the known IDs from the journal. Raises JournalError."""
    journal, actor = workspace.journal, workspace.actor
    statuses = journal.ledger_history.last_results(actor, KIND)
    numbers = [
        int(status.result_id) for status in statuses.values() if status.result_id and status.result_id.isdecimal()
    ]
    assets = find_sent_assets(journal.ledger_history.list_done(actor, ASSET_KINDS))
    return KnownIds(
        people=journal.travelers.names(actor.service, actor.organization_id),
        accepted_ids=frozenset(label for label, status in statuses.items() if status.state == "done"),
        rejected_ids=frozenset(label for label, status in statuses.items() if "externalId" in status.reasons),
        assets=frozenset(str(each) for asset in assets for each in (asset.id, asset.payload.get("externalId")) if each),
        last_upload=max(numbers, default=0),
    )


def find_expired(rows: Rows, time_ms: int) -> Mask:
    """Return a mask of the rows that have expired at a time in epoch milliseconds."""
    return np.asarray((rows.values["expireDate"] <= time_ms).fillna(value=False), dtype=bool)


def now_ms() -> int:
    """Return the current time in epoch milliseconds."""
    return int(time.time() * 1000)


def expiry_rule(rows: Rows) -> Iterator[Problem]:
    """Find rows that have expired or expire soon."""
    now = now_ms()
    is_expired = find_expired(rows, now)
    yield Problem(is_expired, "expireDate", EXPIRED, is_error=False, offer=Offer(DROP_EXPIRED))
    yield Problem(find_expired(rows, now + SOON_MS) & ~is_expired, "expireDate", EXPIRES_SOON, is_error=False)


def place_rule(rows: Rows) -> Iterator[Problem]:
    """Find rows without a location. An expired row needs none."""
    has_place = np.zeros(len(rows), dtype=bool)
    for name in ("lat", "lon", "locationId", *ADDRESS):
        has_place |= (rows.texts[name] != "").to_numpy(dtype=bool)
    message = "Enter latitude and longitude, a location ID, or an address."
    yield Problem(~has_place & ~find_expired(rows, now_ms()), "", message)


def build_items(rows: Rows, *, confirmed_at: int = 0) -> Iterator[Outgoing]:
    """Yield one item per row with the columns of the interface.

    Rows that had expired, or were about to, when the user confirmed are marked: they may remove a location.
    """
    cells_by_column = {name: rows.texts[name] for name in FILE_COLUMNS if (rows.texts[name] != "").any()}
    for name in cells_by_column.keys() & {"arriveDate", "expireDate"}:
        cells_by_column[name] = _utc(rows, name)
    for name in cells_by_column.keys() & {"lat", "lon"}:
        degrees = rows.values[name].astype("float64")
        cells_by_column[name] = degrees.map(lambda each: f"{each:.9f}".rstrip("0").rstrip("."), "ignore")
    is_confirmed = find_expired(rows, confirmed_at + SOON_MS)
    columns = {name: texts.astype(object).where(texts.notna(), "").tolist() for name, texts in cells_by_column.items()}
    for place, cells in enumerate(zip(*columns.values(), strict=True)):
        row = {name: cell for name, cell in zip(columns, cells, strict=True) if cell}
        yield Outgoing([place], {"row": row, "removes": bool(is_confirmed[place])}, row["externalId"])


def _utc(rows: Rows, name: str) -> Any:
    moments = rows.values[name]
    is_valid = moments.notna()
    texts = np.datetime_as_string(moments[is_valid].to_numpy(dtype="int64").astype("datetime64[ms]"), unit="s")
    cells = rows.texts[name].astype(object).mask(is_valid, None)
    cells[is_valid] = [f"{text}Z" for text in texts]
    return cells


def has_expired_unconfirmed(payload: Mapping[str, Any]) -> bool:
    """Return whether a row has expired, and would remove a location, though the user has not confirmed that."""
    ends = np.datetime64(payload["row"]["expireDate"].removesuffix("Z"), "ms").astype("int64")
    return not payload["removes"] and int(ends) <= now_ms()


def build_csv(payloads: Sequence[Mapping[str, Any]], headings: Mapping[str, str] | None = None) -> bytes:
    """Build the CSV file to send, with the headings of the interface except for those in `headings`."""
    sink = io.StringIO()
    writer = csv.DictWriter(sink, FILE_COLUMNS, restval="", lineterminator="\n")
    writer.writerow({name: (headings or {}).get(name, name) for name in FILE_COLUMNS})
    writer.writerows(payload["row"] for payload in payloads)
    return sink.getvalue().encode()
