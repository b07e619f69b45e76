"""A CAP file or text opened as a draft, with what of it could not be carried over."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.alert_composer.opening import show_new
from components.alert_reach.region_catalog import region_lookups
from components.alert_reach.region_paste import read_pasted
from components.alert_reach.regions import RegionCatalog
from components.cap.cap_reading import NotCap, OpenedCap, read_cap
from components.public_alerts.draft import AlertDraft
from components.shell.state import StateKey
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

FILE_KEY: Final = "public_alert.cap_file"
TEXT_KEY: Final = "public_alert.cap_text"
_ASKED: Final = StateKey[list[bool]]("public_alerts.cap_asked", list)
_ERROR: Final = StateKey[str]("public_alerts.cap_error", str)


def open_cap() -> None:
    """Draw the way to open a CAP alert."""
    with st.popover("Open a CAP alert", icon=":material/rss_feed:", key="public_alert.cap"):
        st.file_uploader("A CAP file", type=["xml", "cap"], key=FILE_KEY)
        st.text_area("or its text", key=TEXT_KEY, placeholder="<alert xmlns=…", height=120)
        st.button(
            "Open as a draft",
            key="public_alert.open_cap",
            icon=":material/file_open:",
            on_click=_ASKED.get().append,
            args=(True,),
        )
        if _ERROR.get():
            st.error(plain(_ERROR.get()), icon=":material/error:")


def open_if_asked(workspace: Workspace) -> None:
    """Open what stands in the fields as a new draft; what is no CAP alert is told, and nothing is opened."""
    asked = _ASKED.get()
    if not asked:
        return
    file, text = st.session_state.get(FILE_KEY), str(st.session_state.get(TEXT_KEY) or "")
    try:
        opened = read_cap(file.getvalue() if file is not None else text.strip())
    except NotCap as error:
        _ERROR.set(str(error))
    else:
        _ERROR.clear()
        show_new(workspace, with_places(opened, region_lookups(workspace).regions.value))
    asked.clear()


def with_places(opened: OpenedCap, catalog: RegionCatalog | None) -> AlertDraft:
    """The draft with the places that its areas name, as far as the service offers them; the others are lost."""
    lost, regions = list(opened.lost), list(opened.draft.regions)
    unknown = opened.places
    if catalog is not None and opened.places:
        read = read_pasted(catalog, "\n".join(opened.places))
        regions += [place.id for place in read.found]
        unknown = read.remaining.splitlines()
    lost += [f"The area “{name}”: choose the places it means." for name in unknown]
    return opened.draft.model_copy(update={"regions": list(dict.fromkeys(regions)), "lost": lost})


def what_was_lost(draft: AlertDraft) -> None:
    """Draw what the file said and the draft does not."""
    if not draft.lost:
        return
    told = f"Opened from a CAP alert: {count(len(draft.lost), 'thing', 'things')} could not be carried over"
    with st.expander(told, icon=":material/rss_feed:", expanded=True):
        st.markdown("\n".join(f"- {plain(line)}" for line in draft.lost))
