"""What takes a script in the page: text followed as it is typed, stages that start at their top, maps not painted, and
parts of a screen that are drawn by scripts of our own.

Scripts are files, as the content security policy asks: those in static/, without which everything still works, only
later; and those of a part, in the folder `browser` beside the module that draws it.

- The framework follows single lines as they are typed (`live=`, streamlit/streamlit#14905); a text area waits until it
  is left. Held by
  `tests/browser/test_public_alert.py::test_the_text_is_followed_as_it_is_typed_and_survives_a_refresh`.
- Where what a page draws becomes another thing altogether, such as a review, it stays scrolled to where it was; nothing
  in the framework brings it to its top (streamlit/streamlit#9516). So does another page, unless the one before is gone
  before anything of it is drawn. Held by `tests/browser/test_stages.py::test_each_stage_of_an_alert_starts_at_its_top`
  and `tests/browser/test_stages.py::test_another_page_starts_at_its_top`.
- So it does where what was picked in a list is drawn below it, on a phone. Held by
  `tests/browser/test_tables.py::test_on_a_phone_what_is_picked_comes_into_sight`.
- Nothing in the framework puts the cursor into a field (streamlit/streamlit#5371). Held by
  `tests/browser/test_public_alert_keyboard.py::test_a_ready_alert_is_sent_and_stopped_by_mouse_and_keyboard`.
- A toast lies over the title of a dialog, on a phone, and nothing in the framework takes it away before its time. Held
  by `tests/browser/test_public_alert.py::
  test_on_a_phone_what_is_left_to_be_filled_in_comes_first_and_nothing_covers_a_question`.
- Of two presses in a part that arrive before the server takes up the first, the framework keeps the second alone, since
  they are one trigger to it. So a part tells once more what was pressed before. Held by
  `tests/browser/test_tables.py::
  test_rows_are_picked_by_the_keyboard_alone_and_two_presses_at_once_are_both_taken`.
- Only the browser knows whether it can paint a map, and when it has: until then, and where it cannot, the framework
  leaves its place blank. Held by
  `tests/browser/test_find_trip.py::test_a_trip_is_found_by_its_locator_and_opened` and
  `tests/browser/test_maps.py::
  test_a_map_says_it_is_being_drawn_and_keeps_what_is_picked_while_rows_come_and_go`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.delta_generator import DeltaGenerator

from components.shell.session import draw_static_script
from components.shell.state import StateKey


def live_text(name: str, *, border: bool = False) -> DeltaGenerator:
    """A container whose text areas hand over what is typed at each pause; the page calls `follow_live_text` once."""
    return st.container(key=f"live_text-{name}", border=border)


def follow_live_text() -> None:
    """Draw the script that follows the text areas; without it they still hand over when they are left."""
    draw_static_script("live_text.js")


def tell_where_no_map_is_painted() -> None:
    """Say in this place that the map below is being drawn, until it covers that, or that the browser can paint none."""
    draw_static_script("no_map.js")


def new_stage(*names: str) -> None:
    """Bring the page to its top where these names are not those of the run before; else nothing moves.

    Call it once a run with what makes the stage: what it is of, and its name. The frame does it for another page.
    """
    with st.sidebar:  # where it shifts nothing
        draw_static_script("stage.js", {"of": "screen", "stage": "/".join(names)})


def in_sight(picked: str, *, begun: bool) -> None:
    """In the column beside a list, bring it into sight where this was not `picked` before.

    It may lie below the list, on a narrow screen; where something is `begun`, also above where one had scrolled to.
    """
    draw_static_script("in_sight.js", {"picked": picked, "begun": "yes" if begun else ""})


def focus_field(container_key: str, stage: str) -> None:
    """Put the cursor into the first field of a container, once for each `stage`, for who came there with the mouse."""
    draw_static_script("focus_field.js", {"field": container_key, "stage": f"{container_key}/{stage}"})


def own_part(
    package: str,
    name: str,
    beside: str,
    *,
    key: str,
    data: Mapping[str, Any] | bytes,
    then: Mapping[str, Callable[[Any], object]],
) -> None:
    """Draw a part of the page, of a package that is the folder `browser` beside that module's file.

    Bytes arrive in the browser as a Uint8Array; the web framework sends the same bytes once, and then their hash.

    What is pressed in it is told as a trigger `told`: a list of its latest presses, each its moment, which of `then` it
    is for, and what that is given, in a callback.
    """
    manager = get_bidi_component_manager()
    if manager.get(f"{package}.{name}") is None:
        manifest = ComponentManifest(package, "", [ComponentConfig(name, "browser")])
        manager.register_from_manifest(manifest, Path(beside).parent)
    heard = StateKey[list[Any]](f"{key}-heard", list)

    def hear() -> None:
        part = st.session_state.get(key)
        if part is None:  # the part is gone from the page, and this came after it
            return
        told = list(part["told"])
        before = heard.get()
        heard.set([moment for moment, *_ in told])
        for moment, kind, what in told:
            if moment not in before and kind in then:
                then[kind](what)

    part = st.components.v2.component(f"{package}.{name}", js=f"{name}.js", css=f"{name}.css")
    part(key=key, data=data, on_told_change=hear)
