"""Draw the recipients of an alert in words, with errors and warnings, and the state of the two lookups.

    reach_card(draft, lookups, key="public_alerts.reach", watch=False) -> Reach

`lookups` is region_lookups(workspace) or None. With `watch`, the card says that the lookups are loading and redraws the
page when they have loaded, for screens without the region picker.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.shell.notices import show_problem
from components.shell.page_redraw import redraw_page
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.reach import Reach, ReachLine, reach_of
from domain.alerts.recipients.region_catalog import RegionLookups
from domain.text import time_text
from domain.text.plain_text import count, plain

_FEW = 8
_ICONS = {
    "jurisdiction": ":material/location_on:",
    "people": ":material/group:",
    "states": ":material/map:",
    "groups": ":material/groups:",
    "zip flag": ":material/filter_alt:",
    "type": ":material/campaign:",
}
_LOOK_EVERY_SECONDS: Final = 0.5
_SLOW_AFTER_SECONDS: Final = 10


def reach_card(
    draft: AlertDraft, lookups: RegionLookups | None, *, key: str = "public_alerts.reach", watch: bool = False
) -> Reach:
    """Draw the recipients of the draft, and return them."""
    catalog = lookups.regions.value if lookups is not None else None
    groups = lookups.groups.value if lookups is not None else None
    reach = reach_of(draft, catalog, groups)
    with st.container(border=True, key=key):
        for line in reach.lines:
            _line(line)
        if reach.warnings:
            looks = [f"- :orange[{plain(words)}]" for words in reach.warnings]
            st.markdown("\n".join([":orange[:material/visibility: **Check the recipients**]\n", *looks]))
    if watch and lookups is not None:
        lookup_status(lookups, key=f"{key}-lookups", is_written=False)
    return reach


def _line(line: ReachLine) -> None:
    words = plain(line.words)
    details = [plain(detail) for detail in line.details]
    if line.weight == "strong":
        st.error("  \n".join([f"**{words}**", *details]), icon=":material/campaign:")
        return
    if line.weight == "error":
        st.markdown(f":red[:material/block: **{words}**]")
    elif line.weight == "warning":
        st.markdown(f":orange[:material/warning: {words}]")
    elif line.kind == "jurisdiction":
        st.markdown(f"{_ICONS[line.kind]} **{words}**")
    else:
        st.markdown(f"{_ICONS[line.kind]} {words}")
    if len(details) > _FEW:
        with st.expander(f"All {len(details)}"):
            st.markdown("\n".join(f"- {detail}" for detail in details))
    elif len(details) == 1:
        st.caption(details[0])
    elif details:
        st.markdown("\n".join(f"- {detail}" for detail in details))


def lookup_status(lookups: RegionLookups, *, key: str = "public_alerts.lookups", is_written: bool = True) -> None:
    """Draw the state of the lookups, and redraw the page when one has loaded. `is_written` if the user can continue
    meanwhile.
    """
    meanwhile = " You can continue writing." if is_written else ""
    if lookups.is_reading:
        _watch(lookups, meanwhile)
    for name, each in (("regions", lookups.regions), ("groups", lookups.groups)):
        now = each.now
        if now.error is None:
            continue
        show_problem(now.error, key=f"{key}-{name}", is_read=True)
        if now.value is not None and now.read_at is not None:
            st.caption(f"Muster uses the list from {time_text.ago(now.read_at, datetime.now(UTC))}.")
        else:
            st.caption(f"Your selection is unchanged.{meanwhile}")
        st.button("Retry", icon=":material/replay:", key=f"{key}-{name}-retry", on_click=lookups.reload_failed)


def draw_lookup_age(lookups: RegionLookups, *, key: str = "public_alerts.lookups") -> None:
    """Draw the age of the list of places, and the button that reads it again."""
    catalog, read_at = lookups.regions.value, lookups.regions.now.read_at
    if catalog is None or read_at is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        age = time_text.ago(read_at, datetime.now(UTC))
        st.caption(plain(f"{len(catalog):,} places available, loaded {age}"), width="content")
        st.button(
            "Refresh list",
            icon=":material/refresh:",
            type="tertiary",
            key=f"{key}-reload",
            on_click=lookups.reload,
            disabled=lookups.is_reading,
            help="Loads the places and event groups from the service again. Your selection does not change.",
        )


def _watch(lookups: RegionLookups, meanwhile: str) -> None:
    drawn = lookups.version

    @st.fragment(run_every=_LOOK_EVERY_SECONDS)
    def watch() -> None:
        if lookups.version != drawn:
            redraw_page()
        st.caption(f":material/hourglass_top: {plain(_words(lookups, meanwhile))}")

    watch()


def _words(lookups: RegionLookups, meanwhile: str) -> str:
    now = lookups.regions.now
    if not now.is_running:
        return "Loading the event groups…"
    if now.value is not None:
        return "Loading the places again. You can continue with the current list."
    waited = (datetime.now(UTC) - now.began_at).total_seconds() if now.began_at else 0.0
    message = "Loading the cities, ZIP codes, and counties."
    if waited >= 1:
        message += f" {count(round(waited), 'second', 'seconds')} so far."
    if waited > _SLOW_AFTER_SECONDS:
        message += " The service is slow."
    return message + meanwhile
