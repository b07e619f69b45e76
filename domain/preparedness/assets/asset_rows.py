"""Rows of asset files: columns, rules, payloads, and the assets that were sent from Muster.

Name, External id, Asset type, Geometry (GeoJSON), Starts, Properties
Depot, D-1, depot, "{""type"": ""Point"", ""coordinates"": [8.5, 47.4]}", 2026-11-20, "{""Floors"": 3}"
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from unicodedata import is_normalized

import numpy as np
import shapely

from client import ServiceClient
from client.json_text import parse_json
from client.models.asset_rules import geometry_problems
from client.models.assets import Asset, AssetBatchOutcome, AssetFailure, AssetProperty
from client.vocabulary.assets import EARLIEST_MOMENT, LATEST_MOMENT, LENGTHS
from client.vocabulary.limits import ASSET_BATCH
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Decimal, Moment, Parsed, Text
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import build_statuses, treat_missing_as_done
from domain.file_import.positions import Position
from domain.file_import.row_problems import Offer, Problem, Rows, Rule, find_repeats
from domain.file_import.row_sending import MAX_NAMES, JournalContext, Outgoing, Sending, build_each_row, list_names
from domain.geography.place_conflicts import FIX_LABELS, FIXES, REASONS, TURNS, find_conflicts
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count, in_short, names
from journal import Done, Item, ItemStatus

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TEXTS: Final = ("id", "name", "externalId", "assetTypeId", "category", "iconId", "notes")
_ADDRESS: Final = ("streetAddress1", "streetAddress2", "postalCode", "city", "state", "country")
MAX_VALUE_LENGTH: Final = 40
_PROPERTY_FIELDS: Final = frozenset({"name", "propertyId", "value"})
PROPERTIES_HELP: Final = (
    'An object of names and values, {"Floors": 3}, or a list of [{"name": …, "propertyId": …, "value": …}]. '
    "A value can be any JSON."
)


def _geometry(text: str) -> str:
    """Return GeoJSON to send; the geometry of a feature. Raises ValueError with a message for the user."""
    if '"Feature"' in text:
        found = _json(text, "Enter the geometry as GeoJSON.")
        if isinstance(found, dict) and found.get("type") == "Feature":
            text = json.dumps(found.get("geometry"))
    problems = geometry_problems(text)
    if problems:
        raise ValueError(problems[0])
    return text


def _properties(text: str) -> list[AssetProperty]:
    """Read properties from a list of objects with name, ID, and value, or from an object of names and values.

    Raises ValueError with a message for the user.
    """
    found = _json(text, "Enter the properties as JSON.")
    if isinstance(found, dict):
        is_one = "value" in found and set(found) <= _PROPERTY_FIELDS and len(found) > 1
        found = [found] if is_one else [{"name": name, "value": value} for name, value in found.items()]
    if not isinstance(found, list):
        raise ValueError("Properties must be an object of names and values, or a list.")  # noqa: TRY004 (a cell)
    for each in found:
        if not isinstance(each, dict) or not set(each) <= _PROPERTY_FIELDS:
            raise ValueError("A property can have a name, a propertyId, and a value.")
        named = [each[name] for name in ("name", "propertyId") if each.get(name) is not None]
        if not all(isinstance(name, str) for name in named) or not any(name.strip() for name in named):
            raise ValueError("Each property needs a name or a propertyId, in quotation marks.")
    return [AssetProperty(**each) for each in found]


def _json(text: str, message: str) -> Any:
    try:
        found = parse_json(text)
        json.dumps(found, allow_nan=False, ensure_ascii=False).encode()
    except ValueError as error:
        raise ValueError(message) from error
    return found


def _text(name: str) -> Text:
    return Text(max_length=LENGTHS.get(name, LENGTHS.get(f"address.{name}")))


POSITION: Final = Position("latitude", "longitude", "country", "city")
ID: Final = Column("id", "Asset ID", Text(), aliases=("asset ids", "ids"), required=True)
COLUMNS: Final = (
    Column("name", "Name", _text("name"), aliases=("asset name", "title"), required=True),
    Column(
        "externalId",
        "External ID",
        _text("externalId"),
        aliases=("asset external id", "reference", "external reference"),
        required=True,
        is_code=True,
    ),
    Column("assetTypeId", "Asset type", Text(), aliases=("type", "type id", "asset type name", "kind"), required=True),
    Column("category", "Category", _text("category"), aliases=("asset category",)),
    Column("iconId", "Icon", Text(), aliases=("icon name", "symbol")),
    Column("notes", "Notes", _text("notes"), aliases=("note", "description", "remarks", "comment", "comments")),
    Column("streetAddress1", "Street", _text("streetAddress1"), aliases=("street 1", "address", "address line 1")),
    Column("streetAddress2", "Street, second line", _text("streetAddress2"), aliases=("street 2", "address line 2")),
    Column("postalCode", "Postal code", _text("postalCode"), aliases=("zip", "ZIP code", "postcode")),
    Column("city", "City", _text("city"), aliases=("town",)),
    Column("state", "State", _text("state"), aliases=("province", "region")),
    Column("country", "Country", _text("country"), aliases=("country code",)),
    Column(
        "geometry",
        "Geometry (GeoJSON)",
        Parsed(_geometry),
        aliases=("geojson", "shape"),
        help="A point, lines, or polygons as GeoJSON, with longitude first.",
    ),
    Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",)),
    Column("longitude", "Longitude", Decimal(-180, 180), aliases=("lon", "lng", "long")),
    Column("startTimestamp", "Starts", Moment(), aliases=("start", "start date", "from", "valid from", "begins")),
    Column("endTimestamp", "Ends", Moment(is_end=True), aliases=("end", "end date", "until", "to", "valid until")),
    Column(
        "properties", "Properties", Parsed(_properties), aliases=("custom fields", "attributes"), help=PROPERTIES_HELP
    ),
)


def place_rule(rows: Rows) -> Iterator[Problem]:
    """Find rows with both a geometry and a position."""
    has_value = {name: (rows.texts[name] != "").to_numpy(dtype=bool) for name in ("geometry", "latitude", "longitude")}
    has_both = has_value["geometry"] & (has_value["latitude"] | has_value["longitude"])
    yield Problem(has_both, "geometry", "Enter a geometry, or latitude and longitude, not both.")


def geometry_rule(rows: Rows) -> Iterator[Problem]:
    """Find geometries whose center contradicts the country or city of their asset."""
    texts = rows.values["geometry"].astype(object)
    given = np.flatnonzero(texts.notna().to_numpy(dtype=bool))
    if not len(given):
        return
    shapes = shapely.from_geojson(texts.iloc[given].tolist(), on_invalid="ignore")
    centers = shapely.centroid(shapes)
    y, x = np.full((2, len(rows)), np.nan)
    y[given], x[given] = shapely.get_y(centers), shapely.get_x(centers)
    stated = POSITION.stated(rows)
    found = find_conflicts(y, x, stated)

    def message(row: int) -> str:
        return stated.message(row, REASONS[found.reason[row]])

    for number in np.unique(found.fix[found.reason >= 0]).tolist():
        has_fix = (found.reason >= 0) & (found.fix == number)
        offer = None
        if turn := TURNS.get(FIXES[number]) if number >= 0 else None:
            cells = rows.texts["geometry"].copy()
            turned = shapely.to_geojson(shapely.transform(shapes[has_fix[given]], turn))
            cells.iloc[np.flatnonzero(has_fix)] = turned
            offer = Offer(f"{FIX_LABELS[FIXES[number]]} of the geometry in {{}}", {"geometry": cells})
        yield Problem(has_fix, "geometry", "", row_message=message, offer=offer)


def time_span_rule(start: str, end: str) -> Rule:
    """Return a rule for two columns of times: both within the years 1 to 9999, and the end not before the start."""

    def rule(rows: Rows) -> Iterator[Problem]:
        starts, ends = rows.values[start], rows.values[end]
        for name, moments in ((start, starts), (end, ends)):
            is_invalid = ((moments < EARLIEST_MOMENT) | (moments > LATEST_MOMENT)).fillna(False).to_numpy(dtype=bool)
            yield Problem(is_invalid, name, "Enter a time in the years 1 to 9999.")
        yield Problem((ends < starts).fillna(False).to_numpy(dtype=bool), end, "The end is before the start.")

    return rule


time_rule: Final = time_span_rule("startTimestamp", "endTimestamp")


def build_payload(record: Mapping[str, Any]) -> dict[str, Any]:
    """Build the payload of an asset from the values of a row by column name."""
    payload = {name: record[name] for name in (*_TEXTS, "startTimestamp", "endTimestamp", "geometry") if name in record}
    if "geometry" not in payload and "latitude" in record and "longitude" in record:
        payload["geometry"] = json.dumps({"type": "Point", "coordinates": [record["longitude"], record["latitude"]]})
    address = {name: record[name] for name in _ADDRESS if name in record}
    if address:
        payload["address"] = address
    if record.get("properties"):
        payload["properties"] = [each.to_wire() for each in record["properties"]]
    return payload


def build_row(asset: Asset) -> dict[str, str]:
    """Return the cells of an asset by column name; "" for missing values."""
    payload = asset.to_wire()
    cells = {name: str(payload.get(name, "")) for name in (*_TEXTS, "geometry")}
    cells |= {name: str(payload.get("address", {}).get(name, "")) for name in _ADDRESS}
    cells |= {name: format_iso(payload[name]) if name in payload else "" for name in ("startTimestamp", "endTimestamp")}
    properties = payload.get("properties")
    text = json.dumps(properties, ensure_ascii=False) if properties else ""
    # A file is read with its accents normalized. Escapes keep a value with other accents unchanged.
    return cells | {"properties": text if is_normalized("NFC", text) else json.dumps(properties)}


def to_utc(milliseconds: int) -> datetime:
    """Convert milliseconds since 1970 to a time in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def format_iso(milliseconds: int) -> str:
    """Format milliseconds since 1970 for a file: ISO 8601 in UTC."""
    return to_utc(milliseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def find_column(path: str) -> str:
    """Return the column for a field of the interface; "" if there is none."""
    name = path.partition("[")[0].rpartition(".")[2]
    return name if name in {ID.name, *(column.name for column in COLUMNS)} else ""


_PLACEHOLDER: Final = "Name;External ID;Asset type;Latitude;Longitude\nZurich depot;D-1;depot;47.38;8.54"


def _reasons(failure: AssetFailure) -> dict[str, str]:
    """Return why the service rejected a row, by column."""
    reasons: dict[str, str] = {}
    for error in failure.field_errors:
        name = find_column(error.field)
        reasons[name] = f"{reasons[name]} {error.message}" if name in reasons else error.message
    return reasons or {"": failure.message}


def _send(
    call: Callable[[ServiceClient, Sequence[Item]], AssetBatchOutcome],
) -> Callable[[ServiceClient, Sequence[Item]], Sequence[ItemStatus]]:
    return lambda client, items: build_statuses(call(client, items), len(items), _reasons)


_delete: Final = _send(lambda client, items: client.assets.delete_batch([item.payload["id"] for item in items]))


def _is_duplicate(status: ItemStatus) -> bool:
    # ASSUMPTION A139
    return any("exist" in text.casefold() or "duplicate" in text.casefold() for text in status.reasons.values())


def _find_names(context: JournalContext, ids: Collection[str]) -> dict[str, str]:
    return {
        each.id: each.name
        for each in find_sent_assets(context.journal.ledger_history.list_done(context.actor, KINDS))
        if each.id in ids
    }


def _describe_deletions(rows: Rows, context: JournalContext) -> list[str]:
    """Name the assets of a deletion, and say which of them can be added again."""
    sent = {each.id for each in find_sent_assets(context.journal.ledger_history.list_done(context.actor, KINDS))}
    others = [record.get("name") or record["id"] for record in rows.records() if record["id"] not in sent]
    lines = list_names("name", "id", find_names=_find_names)(rows, context)
    if len(others) == len(rows):
        return [*lines, "Muster has not sent these assets and cannot add them again. This cannot be undone."]
    lines.append("Muster keeps what it last sent, so you can add the assets again. They get new IDs.")
    if others:
        who = names(others, at_most=MAX_NAMES)
        lines.append(f"Muster has not sent these assets and cannot add them again: {who}.")
    return lines


def _describe_changes(rows: Rows, context: JournalContext) -> list[str]:
    """Describe how each row would change the asset, compared with what Muster sent last."""
    known = {each.id: each for each in find_sent_assets(context.journal.ledger_history.list_done(context.actor, KINDS))}
    examples, unknown, same = [], [], 0
    totals: Counter[tuple[str, str]] = Counter()
    for record in rows.records():
        last_sent = known.get(record["id"])
        if last_sent is None:
            unknown.append(f"“{record['name']}”")
            continue
        was, now = build_row(last_sent.asset), build_row(Asset.model_validate(build_payload(record)))
        changes = []
        for column in COLUMNS:
            old, new = (in_short(row.get(column.name, ""), MAX_VALUE_LENGTH) for row in (was, now))
            if was.get(column.name, "") != now.get(column.name, ""):
                totals[column.label, "changes" if new else "is cleared"] += 1
                changes.append(
                    f"{column.label} from “{old}” to “{new}”" if new else f"{column.label} “{old}” is cleared"
                )
        same += not changes
        examples += [f"“{last_sent.name}”: {', '.join(changes)}."] if changes else []
    lines = [
        f"{label} {verb} in {count(number, 'asset', 'assets')}."
        for (label, verb), number in totals.items()
        if len(examples) > MAX_NAMES
    ]
    if unknown:
        who = names(unknown, at_most=MAX_NAMES)
        lines.append(f"Muster has not sent these assets before. All their values will be overwritten: {who}.")
    lines += examples[:MAX_NAMES]
    if len(examples) > MAX_NAMES:
        lines.append(f"{count(len(examples) - MAX_NAMES, 'more asset is', 'more assets are')} edited.")
    return [*lines, *([f"{count(same, 'asset does', 'assets do')} not change."] if same else [])]


def _build_deletions(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        yield Outgoing([place], {"id": record["id"]}, record.get("name") or record["id"])


ADD: Final = ImportDeclaration(
    kind="asset_add",
    noun=("asset", "assets"),
    columns=COLUMNS,
    rules=(
        place_rule,
        geometry_rule,
        time_rule,
        # ASSUMPTION A139
        find_repeats(
            "externalId",
            message="Another row has the same external ID. The service may reject the row.",
            is_error=False,
        ),
    ),
    sending=Sending(
        verb="Add",
        done_verb="added",
        build_items=build_each_row(build_payload, label="name"),
        send=_send(lambda client, items: client.assets.create_batch([item.payload_text for item in items])),
        is_duplicate=_is_duplicate,
        max_batch_size=ASSET_BATCH,
        width=4,
    ),
    position=POSITION,
    help="One row per asset, with its name, external ID, type, and location.",
    placeholder=_PLACEHOLDER,
)
CHANGE: Final = ImportDeclaration(
    kind="asset_change",
    noun=("asset", "assets"),
    columns=(ID, *COLUMNS),
    rules=(
        find_repeats("id", message="Another row has the same asset ID. Keep only one of them."),
        place_rule,
        geometry_rule,
        time_rule,
    ),
    sending=Sending(
        verb="Edit",
        done_verb="edited",
        build_items=build_each_row(build_payload, label="name"),
        send=_send(lambda client, items: client.assets.update_batch([item.payload_text for item in items])),
        confirmation_lines=_describe_changes,
        max_batch_size=ASSET_BATCH,
        width=4,
    ),
    position=POSITION,
    help="One row per asset, with its ID and all of its values. A value that is missing from the row is cleared.",
    placeholder="Asset ID;" + _PLACEHOLDER.replace("\n", "\n5f1c…;"),
)
DELETE: Final = ImportDeclaration(
    kind="asset_delete",
    noun=("asset", "assets"),
    columns=(ID, Column("name", "Name", aliases=("asset name", "title"))),
    rules=(find_repeats("id", message="Another row has the same asset ID."),),
    sending=Sending(
        verb="Delete",
        done_verb="deleted",
        build_items=_build_deletions,
        send=lambda client, items: treat_missing_as_done(_delete(client, items)),
        max_batch_size=ASSET_BATCH,
        width=4,
        is_repeatable=True,
        confirmation_lines=_describe_deletions,
        last_line="The assets will be deleted from the service, for everyone in your organization.",
    ),
    help="One row per asset, with its ID.",
    placeholder="Asset ID;Name\n5f1c…;Zurich depot",
)


KINDS: Final = (ADD.kind, CHANGE.kind, DELETE.kind)


@dataclass(frozen=True)
class SentAsset:
    """An asset as Muster sent it last, with its user and time."""

    id: str
    payload: dict[str, Any]
    by: str
    at: datetime

    @cached_property
    def asset(self) -> Asset:
        """The asset with its ID."""
        return Asset.model_validate(self.payload | {"id": self.id})

    @property
    def name(self) -> str:
        """The name, or the ID of an asset without a name."""
        return str(self.payload.get("name") or self.id)

    @property
    def place(self) -> str:
        """The city, state, and country."""
        address = self.payload.get("address", {})
        return ", ".join(address[part] for part in ("city", "state", "country") if address.get(part))


def find_sent_assets(sent_items: Iterable[Done]) -> list[SentAsset]:
    """Return the assets that remain after these items, without those that have no ID from the service."""
    assets: dict[str, SentAsset] = {}
    for each in sent_items:
        asset_id = each.result_id or each.payload.get("id")
        if asset_id is None:
            continue
        if each.kind == DELETE.kind:
            assets.pop(asset_id, None)
        else:
            assets[asset_id] = SentAsset(asset_id, each.payload, each.by, each.at)
    return list(assets.values())


def find_deleted_assets(workspace: Workspace, job_id: int) -> list[SentAsset]:
    """Return the assets that a job deleted, as Muster sent them last before. Raises JournalError."""
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    if job is None or job.kind != DELETE.kind:
        return []
    deleted = {str(each.payload["id"]) for each in workspace.journal.ledger.items(job.id, ["done"])}
    sent_items = workspace.journal.ledger_history.list_done(workspace.actor, (ADD.kind, CHANGE.kind))
    return [each for each in find_sent_assets(sent_items) if each.id in deleted]


def read_sent_assets(workspace: Workspace, _: ReportProgress) -> LoadedRecords[SentAsset]:
    """Read the assets that were sent from Muster. The total includes those without an ID. Raises JournalError."""
    sent_items = workspace.journal.ledger_history.list_done(workspace.actor, KINDS)
    assets = find_sent_assets(sent_items)
    without_id = sum(each.kind == ADD.kind and each.result_id is None for each in sent_items)
    return LoadedRecords(assets, len(assets) + without_id)
