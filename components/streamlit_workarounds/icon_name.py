"""Accessible names for buttons that show only an icon, or less text than a screen reader needs.

Streamlit names such a button after the file of its icon; a hidden label was proposed and rejected
(streamlit/streamlit#13320). Held by
`tests/browser/test_presses.py::test_a_double_click_removes_one_rule_and_two_clicks_remove_two`, which finds its buttons
by these names.
"""

from __future__ import annotations

from typing import Final

from domain.text.plain_text import plain

_TRANSPARENT_PIXEL: Final = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def icon_name(name: str, target_id: str = "") -> str:
    """Return a label that screen readers read as `name` and that shows nothing beside the icon.

    The name is the alternative text of a transparent picture: without a label Streamlit uses the icon's file name.
    `target_id` makes the labels of buttons without a key unique, so that one that takes the place of another with the
    same name does not get its presses.
    """
    return f"![{plain(name)}]({_TRANSPARENT_PIXEL}#{target_id})"
