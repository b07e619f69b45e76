"""Draw the files of a watched folder that were not sent, each with a button that opens it on the import screen."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from components.file_import.steps import read_file
from components.shell.address import go_to
from components.trips.trip_import.import_screen import KEY
from components.widgets.downloads import download
from domain.runtime.screens import TRIP_IMPORT
from domain.text.plain_text import count, plain
from domain.text.time_text import moment
from domain.trips.trip_import.leftover_files import LeftoverFile, list_leftovers, remove_leftover
from domain.trips.trip_import.trip_declaration import TRIPS

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


def draw_leftovers(workspace: Workspace) -> None:
    """Draw the files, if there are any."""
    files = list_leftovers(workspace)
    if not files:
        return
    with st.container(border=True, key="leftovers"):
        verb = "needs" if len(files) == 1 else "need"
        st.markdown(f"**{count(len(files), 'file', 'files')} from a watched folder {verb} attention**")
        for file in files:
            _draw_leftover(workspace, file)


def _draw_leftover(workspace: Workspace, file: LeftoverFile) -> None:
    at = moment(file.arrived_at, now=datetime.now(UTC))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(file.file)}** · {at}  \n{plain(file.reason)}", width="stretch")
        download(
            "Download",
            lambda: file.content,
            file.file,
            mime="application/octet-stream",
            key=f"leftover-download-{file.digest}",
        )
        if st.button("Fix rows", key=f"leftover-open-{file.digest}", icon=":material/build:"):
            read_file(TRIPS, KEY, file.file, file.content, workspace)
            go_to(TRIP_IMPORT)
        st.button(
            "Remove",
            key=f"leftover-remove-{file.digest}",
            icon=":material/close:",
            on_click=partial(remove_leftover, workspace, file.digest),
        )
