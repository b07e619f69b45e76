"""Matching the areas of a CAP alert to the places of the service."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from domain.alerts.cap.cap_reading import CodedArea, OpenedCap, parts_of
from domain.alerts.draft import AlertDraft, excerpt
from domain.alerts.recipients.region_paste import read_pasted
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import County, us_counties
from domain.geography.folding import fold
from domain.geography.states import state_code
from domain.text.plain_text import names

_NAMED: Final = 4


def add_places(opened: OpenedCap, catalog: RegionCatalog | None) -> AlertDraft:
    """Return the draft with the places of its areas. Areas without a match are added to `omitted`.

    Codes come before names. An ID counts only if its place has the name of the area.
    """
    omitted, places = list(opened.omitted), list(opened.places)
    regions: list[int] = []
    for number, name in opened.regions.items():
        here = catalog.names([number])[0] if catalog is not None and number in catalog.ids else ""
        if not here:
            places.append(name or f"region {number}")
        elif fold(here) == fold(name):
            regions.append(number)
        else:
            area_name = f"“{excerpt(name)}”"
            omitted.append(
                f"The area {area_name}. The ID of this area is that of {here}. Select the places of {area_name}."
            )
    for area in opened.coded:
        regions += _find_by_codes(area, catalog, omitted)
    unknown = places
    if catalog is not None and places:
        read = read_pasted(catalog, "\n".join(places))
        for place in read.found:
            # Weather offices write a county without that word.
            if place.kind == "city" and us_counties().find_by_name(state_code(place.state), place.name):
                omitted.append(f"The area “{place.label}” is a city and a county. Select one.")
            else:
                regions.append(place.id)
        unknown = read.remaining.splitlines()
    omitted += [f"The area “{name}”. Select its places." for name in unknown]
    return opened.draft.model_copy(update={"regions": list(dict.fromkeys(regions)), "not_imported": omitted})


def _find_by_codes(area: CodedArea, catalog: RegionCatalog | None, omitted: list[str]) -> list[int]:
    """Return the IDs of the counties of codes. Other codes, and names that differ, are added to `omitted`.

    If the area has ZIP codes, the result is empty, and its other codes are added to `omitted`.
    """
    subject = f"The area “{excerpt(area.name)}”"
    if area.goes_by_zip:
        by_code = [
            label
            for code in area.codes
            for label in [county.label for county in us_counties().find_by_code(code).counties] or [code]
        ]
        means = names(list(dict.fromkeys(by_code)), at_most=_NAMED)
        omitted.append(
            f"{subject} has ZIP codes and the codes of {means}. Muster selected only the ZIP codes. Check the places."
        )
        return []
    ids: list[int] = []
    meant: dict[str, County] = {}
    left: list[str] = []
    for code in area.codes:
        found = us_counties().find_by_code(code)
        offered = [catalog.of_county(county.number) if catalog is not None else () for county in found.counties]
        if offered and all(offered) and not found.is_part:
            ids += [each for some in offered for each in some]
            meant |= {county.number: county for county in found.counties}
        else:
            left.append(code)
    states = {county.state for county in meant.values()}
    if left:
        omitted.append(f"{subject} with the codes {names(left, at_most=_NAMED)}. Select its places.")
    elif not all(_names_a_county(part, meant, states) for part in parts_of(area.name)):
        labels = [county.label for county in meant.values()]
        omitted.append(
            f"{subject}. Based on the codes, Muster selected {names(labels, at_most=_NAMED)}. Check the places."
        )
    return ids


def _names_a_county(text: str, counties: Mapping[str, County], states: Collection[str]) -> bool:
    """Return whether a text names one of these counties, with or without its state."""
    name, _, tail = text.rpartition(",")
    named_counties = [
        us_counties().find_by_name(state, name or text) for state in states if not name or state == state_code(tail)
    ]
    return any(county is not None and county.number in counties for county in named_counties)
