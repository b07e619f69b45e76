"""Scripts in the page, for what Streamlit does not do.

Scripts are files, as the content security policy requires: those in static/, without which everything still works, and
those of components, in the folder `browser` beside the module that draws them.

- Streamlit sends single lines as they are typed (`live=`, streamlit/streamlit#14905), but a text area only when it
  loses the focus. Held by
  `tests/browser/test_public_alert.py::test_the_preview_follows_typing_and_the_text_survives_a_refresh`.
- When a page draws another stage, such as a review, it stays scrolled where it was (streamlit/streamlit#9516). So does
  another page, unless the page before is removed first. Held by
  `tests/browser/test_stages.py::test_each_stage_of_an_alert_starts_at_its_top` and
  `tests/browser/test_stages.py::test_another_page_starts_at_its_top`.
- On a phone the detail below a list is out of sight. Held by
  `tests/browser/test_tables.py::test_on_a_phone_the_selected_record_scrolls_into_view`.
- Streamlit cannot set the focus (streamlit/streamlit#5371). Held by
  `tests/browser/test_public_alert_keyboard.py::test_an_alert_template_is_sent_and_stopped_by_keyboard`.
- Only a script run tells the server that a page is open, and it waits for other runs (a busy server would stop a
  countdown). Held by `tests/browser/test_public_alert_sending.py::
  test_an_alert_is_sent_and_stopped_in_time_while_no_script_runs`.
- On a phone a toast covers the title of a dialog, and Streamlit cannot remove it early. Held by
  `tests/browser/test_public_alert.py::
  test_on_a_phone_open_placeholders_come_first_and_nothing_covers_a_dialog`.
- Of two presses in a component that arrive before the server handles the first, Streamlit keeps only the second, since
  they are one trigger. So a component also sends its previous presses again. Held by
  `tests/browser/test_tables.py::
  test_rows_are_selected_by_keyboard_and_two_simultaneous_clicks_both_count`.
- Only the browser knows whether it can draw a map, and when it has. Until then Streamlit leaves the place blank. Held
  by `tests/browser/test_find_trip.py::test_a_trip_is_found_by_its_record_locator_and_opened` and
  `tests/browser/test_maps.py::
  test_a_map_shows_progress_and_preserves_the_selection_while_rows_change`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer
from streamlit.delta_generator import DeltaGenerator

from components.shell.session import browser_path, draw_static_script
from components.shell.state import StateKey


def live_text(name: str, *, border: bool = False) -> DeltaGenerator:
    """Return a container whose text areas send their text at each pause in typing. Call `follow_live_text` once per
    page.
    """
    return st.container(key=f"live_text-{name}", border=border)


def follow_live_text() -> None:
    """Draw the script that follows text areas. Without it they send their text when they lose the focus."""
    draw_static_script("live_text.js")


def draw_map_status() -> None:
    """Show that the map below is being drawn, until it covers the message, or that the browser cannot draw maps."""
    draw_static_script("no_map.js")


def new_stage(*names: str) -> None:
    """Scroll to the top of the page if these names differ from those of the last run.

    Call it once per run with the names of the subject and the stage. The frame does so for other pages.
    """
    with st.sidebar:  # where it moves no part of the page
        draw_static_script("stage.js", {"of": "screen", "stage": "/".join(names)})


def scroll_to_detail(selected: str, *, is_new: bool) -> None:
    """Scroll the column beside a list into view if it shows another record than before.

    It may be below the list on a narrow screen. For a new record, scroll up too.
    """
    draw_static_script("in_sight.js", {"picked": selected, "begun": "yes" if is_new else ""})


def focus_field(container_key: str, stage: str, *, next_key: str = "") -> None:
    """Set the focus to the first field of a container, once per `stage`.

    Enter in the field moves the focus to the button in the container `next_key`.
    """
    stage = f"{container_key}/{stage}"
    draw_static_script("focus_field.js", {"field": container_key, "stage": stage, "next": next_key})


def report_open_page(countdown_id: str, *, stop_key: str) -> None:
    """Report to the server, without a script run, that the page of a countdown is open, or that it was stopped.

    `stop_key` is the container of the button that stops it.
    """
    data = {"countdown": countdown_id, "stop": stop_key, "route": browser_path("/countdown")}
    with st.sidebar:  # where it moves no part of the page
        draw_static_script("countdown.js", data)


def draw_component(
    package: str,
    name: str,
    module_file: str,
    *,
    key: str,
    data: Mapping[str, Any] | bytes,
    on_press: Mapping[str, Callable[[Any], object]],
) -> None:
    """Draw a component of a package, whose scripts are in the folder `browser` next to `module_file`.

    Bytes arrive in the browser as a Uint8Array. Streamlit sends the same bytes once, and afterwards their hash. The
    script sends the trigger `presses`: a list of the latest ones, each with its time, a key of `on_press`, and the
    argument for that function.
    """
    handled = StateKey[list[Any]](f"{key}-handled", list)

    def handle() -> None:
        state = st.session_state.get(key)
        if state is None:  # the component has left the page, and the press came after that
            return
        presses = list(state["presses"])
        handled_before = handled.get()
        handled.set([pressed_at for pressed_at, *_ in presses])
        for pressed_at, kind, argument in presses:
            if pressed_at not in handled_before and kind in on_press:
                on_press[kind](argument)

    component = _register_component(get_bidi_component_manager(), package, name, Path(module_file).parent)
    component(key=key, data=data, on_presses_change=handle)


@lru_cache(maxsize=16)
def _register_component(manager: BidiComponentManager, package: str, name: str, folder: Path) -> ComponentRenderer:
    """Register a component once per runtime, since that reads its files."""
    manager.register_from_manifest(ComponentManifest(package, "", [ComponentConfig(name, "browser")]), folder)
    return st.components.v2.component(f"{package}.{name}", js=f"{name}.js", css=f"{name}.css")
