"""A name for a button that shows nothing but an icon.

The framework names such a button after the icon's file; a label that is there and not seen was proposed and not taken
(streamlit/streamlit#13320). Held by
`tests/browser/test_presses.py::test_the_second_click_of_two_goes_to_nothing_that_slid_under_the_pointer`, which finds
its buttons by these names.
"""

from __future__ import annotations

from typing import Final

from domain.text.plain_text import plain

_UNSEEN: Final = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
"""A picture of one pixel that lets everything through."""


def icon_name(words: str, of: str = "") -> str:
    """The label of a button whose icon says enough to those who see it; to a screen reader the button is these words.

    `of` names what it acts on: buttons without a key are told apart by their labels, and one that takes the place of
    another, saying the same, would take its presses too.

    Without a label the framework names it after the icon's file. It hides the icon beside a label, so the words are
    the text of a picture that nobody sees.
    """
    return f"![{plain(words)}]({_UNSEEN}#{of})"
