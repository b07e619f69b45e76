"""Read areas from files: GeoJSON, KML, a zipped shapefile, or a CAP alert. This is the only reader of areas.

Each feature of a file becomes a part of the area, or a note says why it is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Final

import shapely

from domain.alerts.cap.alert_state import judge_message, judge_time, read_moment
from domain.alerts.cap.cap_reading import NotCap, read_cap_areas
from domain.alerts.cap.cap_writing import CapArea
from domain.incidents.area import NO_AREA, AreaError, Country, Part, circle, parts_of_feature, polygon
from domain.incidents.area_codes import PlacedCodes, codes_in_attributes, place_codes
from domain.incidents.area_file import AreaFile, FilePart, merge_parts
from domain.incidents.swapped import swapped_note
from domain.text.plain_text import count, names
from shapes.archives import NESTED
from shapes.confined_process import ReaderNotStartedError, UnreadableShapeError
from shapes.features import CODE_COLUMNS
from shapes.preparing import FORMATS, OTHER_ENDINGS, members_left_out, shape_files
from shapes.reading import AreaFeature, AreaFeatures, read_features

CAP_ENDINGS: Final = (".xml", ".cap")
FILE_ENDINGS: Final = frozenset({*CAP_ENDINGS, *FORMATS, *OTHER_ENDINGS, *NESTED})
CAP_NAME: Final = "CAP alert"
_NUMBER: Final = r"[-+]?(?<!\d)\d++(?:\.\d++)?"
_POSITION: Final = re.compile(rf"({_NUMBER})(?:\s++(?:,\s*+)?|,\s*+)({_NUMBER})")
_NAME_KEYS: Final = ("name", "title", "label", "event", "headline")
_KIND_KEYS: Final = ("class", "type", "kind", "category", "areadesc", "description", "severity")
_PLACE_KEYS: Final = ("areadesc", "description")
"""Attributes that tell where a part is rather than of what kind."""
_WARNING: Final = "warning"
"""The kind of every feature in a feed of warnings. They belong together, whatever their events."""
_OVERLAP: Final = 0.05
"""Parts with different names are of different kinds if they share more of the smaller one: neighbors share a border."""
_MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]*>")
"""Descriptions in KML are often web pages."""
_NAMED: Final = 6
_LONGEST_WORD: Final = 60


def read_area_file(name: str, content: bytes, *, now: datetime | None = None) -> AreaFile:
    """Read an area file. GDAL reads shapes in a confined process. Raises `AreaError`."""
    now = now or datetime.now(UTC)
    if PurePath(name).suffix.lower() in CAP_ENDINGS:
        return read_cap_area(content, name=name, now=now)
    files, problems = shape_files([(name, content)])
    if problems or not files:
        raise AreaError(" ".join(problems) or f"“{name}” has no shape.")
    parts: list[FilePart] = []
    notes: list[str] = []
    if PurePath(name).suffix.lower() in NESTED and (others := members_left_out(content)):
        verb = "is not a shape and is" if len(others) == 1 else "are not shapes and are"
        notes.append(f"{count(len(others), 'file', 'files')} in “{name}” {verb} skipped: {_listed(others)}.")
    for file in files:
        try:
            _read_parts(file.name, file.stem, read_features(file), now, parts, notes)
        except (UnreadableShapeError, ReaderNotStartedError) as error:
            raise AreaError(f"“{file.name}” cannot be read. {error}") from error
    return _file_of(name, _grouped(parts), notes, NO_AREA)


def read_cap_area(content: bytes | str, *, name: str = CAP_NAME, now: datetime | None = None) -> AreaFile:
    """Read the area of a CAP alert: polygons and circles, or the counties of an area that has neither."""
    try:
        areas, states = read_cap_areas(content, now=now)
    except NotCap as error:
        raise AreaError(f"The CAP alert cannot be read. {error}") from error
    parts: list[FilePart] = []
    notes: list[str] = list(states)
    for area, kind, is_over, begins, ends in areas:
        area_notes: list[str] = []
        shapes = tuple(_shapes_of_cap(area, area_notes))
        if shapes:
            parts.append(FilePart(area.name, kind, shapes, (), not is_over, begins=begins, ends=ends))
        if not is_over:
            notes += area_notes
    return _file_of(name, parts, notes, "The CAP alert has no area that Muster can place.")


def _file_of(name: str, parts: Sequence[FilePart], notes: Sequence[str], problem: str) -> AreaFile:
    if not any(part.is_preselected for part in parts):
        raise AreaError(" ".join([problem, *notes]))
    merged = merge_parts(parts)
    doubts = [note for part in merged if (note := swapped_note(part.label, [each.geometry for each in part.shapes]))]
    return AreaFile(name, merged, tuple(dict.fromkeys([*notes, *doubts])))


# Shapes


def _read_parts(
    name: str, stem: str, read: AreaFeatures, now: datetime, parts: list[FilePart], notes: list[str]
) -> None:
    """Add the parts and the notes of one file."""
    by_codes: list[str] = []
    left_out: defaultdict[str, list[str]] = defaultdict(list)
    partly: list[str] = []
    titles_by_state: defaultdict[str, list[str]] = defaultdict(list)
    code_notes: list[str] = []
    for number, feature in enumerate(read.features, 1):
        label, kind = _label_and_kind(feature.attributes, stem if len(read.features) == 1 else f"{stem} {number}")
        part = FilePart(label, kind, (), tuple(_names_in(feature.attributes)), group=_group_in(feature.attributes))
        shapes = _shapes_of(feature, label)
        if not shapes and (codes := list(codes_in_attributes(feature.attributes))):
            placed = place_codes(codes, part.title, label)
            code_notes += placed.notes
            shapes = list(placed.shapes)
            if shapes:
                by_codes.append(part.title)
        if not shapes:
            left_out[feature.reason or "no area"].append(part.title)
            continue
        begins, ends = _period_in(feature.attributes)
        parts.append(replace(part, shapes=tuple(shapes), begins=begins, ends=ends))
        for message in _judge(feature.attributes, now):
            titles_by_state[message].append(part.title)
        if feature.has_points_or_lines:
            partly.append(part.title)
    for reason, titles in left_out.items():
        verbs = ("has", "is") if len(titles) == 1 else ("have", "are")
        features = count(len(titles), "feature", "features")
        notes.append(f"{features} of “{name}” {verbs[0]} {reason} and {verbs[1]} skipped: {_listed(titles)}.")
    if by_codes:
        verb = "has" if len(by_codes) == 1 else "have"
        features = count(len(by_codes), "feature", "features")
        missing = f"{features} of “{name}” {verb} no geometry"
        notes.append(f"{missing}. Muster uses the counties of the codes: {_listed(by_codes)}.")
    if partly:
        verb = "has" if len(partly) == 1 else "have"
        notes.append(f"{_listed(partly)} also {verb} points or lines. Muster skipped them.")
    notes += code_notes
    notes += [f"{_listed(titles)}: {message}" for message, titles in titles_by_state.items()]
    notes += [f"“{name}”: {message}" for message in read.findings]


def _shapes_of(feature: AreaFeature, label: str) -> list[Part]:
    try:
        return parts_of_feature({"properties": {"label": label}, "geometry": feature.geometry})
    except AreaError:
        return []


def _listed(titles: list[str]) -> str:
    return names(titles, at_most=_NAMED)


def _label_and_kind(attributes: Mapping[str, str], fallback: str) -> tuple[str, str]:
    """Return the name of a feature, and what tells it from others with the same name."""
    texts = {
        name: " ".join(text.split())
        for name, text in attributes.items()
        if name.lower() not in CODE_COLUMNS and _MARKUP.search(text) is None
    }
    label_key = _first_key(texts, _NAME_KEYS)
    kind_key = _first_key({name: text for name, text in texts.items() if name != label_key}, _KIND_KEYS)
    label = texts.get(label_key, "") or texts.get(kind_key, "") or fallback
    kind = texts.get(kind_key, "") if label_key else ""
    return _cut(label), _cut(kind) if kind != label else ""


def _group_in(attributes: Mapping[str, str]) -> str:
    """Return the kind of a feature without the texts that describe a place; "" if it has none."""
    if _is_warning({name.lower(): text for name, text in attributes.items()}):
        return _WARNING
    texts = {name: text for name, text in attributes.items() if name.lower() not in (*CODE_COLUMNS, *_PLACE_KEYS)}
    label_key = _first_key(texts, _NAME_KEYS)
    key = _first_key({name: text for name, text in texts.items() if name != label_key}, _KIND_KEYS)
    return " ".join(texts[key].split()).casefold() if key else ""


def _grouped(parts: Sequence[FilePart]) -> list[FilePart]:
    """Return the parts with a group each. Without kinds, parts that overlap are of different kinds by their names."""
    if any(part.group for part in parts) or len({part.label for part in parts}) < 2:
        return list(parts)
    wholes = [shapely.union_all([each.geometry for each in part.shapes]) for part in parts]
    for first, second in shapely.STRtree(wholes).query(wholes, predicate="intersects").T:
        if parts[first].label != parts[second].label:
            shared = shapely.area(shapely.intersection(wholes[first], wholes[second]))
            if shared > _OVERLAP * min(wholes[first].area, wholes[second].area):
                return [replace(part, group=part.label.casefold()) for part in parts]
    return list(parts)


def _first_key(texts: Mapping[str, str], keys: Sequence[str]) -> str:
    """Return the attribute that is called like one of the keys, or ends like it; "" if there is none."""
    exact = [name for key in keys for name in texts if name.lower() == key]
    alike = [name for key in keys for name in texts if name.lower().endswith(key)]
    return next(iter([*exact, *alike]), "")


def _names_in(attributes: Mapping[str, str]) -> Iterator[str]:
    for name, text in attributes.items():
        if name.lower() not in CODE_COLUMNS and len(text) <= _LONGEST_WORD:
            yield " ".join(text.split())


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_WORD else f"{text[: _LONGEST_WORD - 1]}…"


def _judge(attributes: Mapping[str, str], now: datetime) -> list[str]:
    """Judge a feature that is a CAP alert, as in the feeds of weather offices."""
    fields = {name.lower(): text for name, text in attributes.items()}
    if not _is_warning(fields):
        return []
    message_type = fields.get("messagetype") or fields.get("msgtype") or ""
    end = read_moment(fields.get("ends") or fields.get("expires") or "")
    states = [
        *judge_message(fields.get("status", ""), message_type, fields.get("scope", "")),
        *judge_time(fields.get("urgency", ""), [fields.get("response", "")], end, now),
    ]
    return [state.message for state in states]


def _period_in(attributes: Mapping[str, str]) -> tuple[datetime | None, datetime | None]:
    """Return when a feature that is a CAP alert begins and ends."""
    fields = {name.lower(): text for name, text in attributes.items()}
    if not _is_warning(fields):
        return None, None
    sides = ("onset", "effective", "sent"), ("ends", "expires")
    begins, ends = (
        next(filter(None, (read_moment(fields.get(name) or "") for name in names)), None) for names in sides
    )
    return begins, ends


def _is_warning(fields: Mapping[str, str]) -> bool:
    return bool(fields.get("messagetype") or fields.get("msgtype") or ("event" in fields and "areadesc" in fields))


# CAP


def _shapes_of_cap(area: CapArea, notes: list[str]) -> list[Part]:
    """Return the parts of one area of a CAP alert. If the area draws polygons or circles, its geocodes do not count."""
    # ASSUMPTION A502
    drawn: list[Part] = []
    # Alerts give the center of an earthquake as such a circle.
    if points := [text for text in area.circles if not (text.split() or ["?"])[-1].strip("+0.")]:
        circles = count(len(points), "circle has", "circles have")
        notes.append(f"{circles} no radius in the area “{area.name}”. Only the center counts. Add the area around it.")
    for text in (*area.polygons, *area.circles):
        try:
            drawn += _cap_polygon(text) if text in area.polygons else _cap_circle(text)
        except AreaError as error:
            notes.append(f"A shape of the alert’s area “{area.name}” is skipped. {error}")
    if drawn:
        return [replace(part, label=area.name) for part in drawn if not isinstance(part, Country)]
    if not area.codes:
        notes.append(f"The area “{area.name}” has only a name. Muster cannot place it.")
        return []
    placed: PlacedCodes = place_codes(area.codes, area.name, area.name)
    notes += placed.notes
    return list(placed.shapes)


def _cap_polygon(text: str) -> tuple[Part, ...]:
    return polygon([(float(lat), float(lon)) for lat, lon in _POSITION.findall(text)]).parts


def _cap_circle(text: str) -> tuple[Part, ...]:
    try:
        center, radius = text.rsplit(maxsplit=1)
        latitude, longitude, kilometers = *map(float, center.split(",")), float(radius)
    except ValueError as error:
        raise AreaError(f"The alert’s circle “{text}” cannot be read.") from error
    return circle(latitude, longitude, kilometers).parts
