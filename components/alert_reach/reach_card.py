"""Draws whom an alert reaches: every line of its reach, `all` loud, an empty reach refused, a large one pointed out.

    reach_card(draft, held, key="public_alerts.reach", watch=False) -> Reach

`held` is region_lookups(workspace) or None. With `watch`, the card says that the lookups are being read and is drawn
anew when they are there: for screens that do not draw the region picker. It draws no control, so it is read-only.
"""

from __future__ import annotations

import streamlit as st

from components.alert_reach.lookup_status import lookup_status
from components.alert_reach.reach import Reach, ReachLine, reach_of
from components.alert_reach.region_catalog import RegionLookups
from components.public_alerts.draft import AlertDraft
from components.widgets.markdown_text import plain

_FEW = 8
_ICONS = {
    "jurisdiction": ":material/location_on:",
    "people": ":material/group:",
    "states": ":material/map:",
    "groups": ":material/groups:",
    "zip flag": ":material/filter_alt:",
    "type": ":material/campaign:",
}


def reach_card(
    draft: AlertDraft, held: RegionLookups | None, *, key: str = "public_alerts.reach", watch: bool = False
) -> Reach:
    """Draw the reach of the draft, and give it back."""
    catalog = held.regions.value if held is not None else None
    groups = held.groups.value if held is not None else None
    reach = reach_of(draft, catalog, groups)
    with st.container(border=True, key=key):
        for line in reach.lines:
            _line(line)
        if reach.refusal is not None and reach.headline.weight != "refused" and _is_begun(draft):
            st.markdown(f":red[:material/block: {plain(reach.refusal)}]")
        if reach.second_looks:
            looks = [f"- :orange[{plain(words)}]" for words in reach.second_looks]
            st.markdown("\n".join([":orange[:material/visibility: **Look at it again**]\n", *looks]))
    if watch and held is not None:
        lookup_status(held, key=f"{key}-lookups", is_written=False)
    return reach


def _is_begun(draft: AlertDraft) -> bool:
    """Whether somebody decided anything about the reach, or asked for the review; nobody is blamed before."""
    return draft.checked or bool(draft.jurisdiction or draft.regions or draft.groups)


def _line(line: ReachLine) -> None:
    words = plain(line.words)
    details = [plain(detail) for detail in line.details]
    if line.weight == "loud":
        st.error("  \n".join([f"**{words}**", *details]), icon=":material/campaign:")
        return
    if line.weight == "refused":
        st.markdown(f":red[:material/block: **{words}**]")
    elif line.weight == "look":
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
