"""One draft in two tabs: what is taken over, what stays, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from components.public_alerts.draft import AlertDraft
from components.public_alerts.other_tab import joined, words

SEEN = AlertDraft(uid="one", category="Met", event="Tornado Warning", sms="Seen", jurisdiction="some", regions=[1])
TAKEN = "Changed in another tab and taken over here: "
TOO = "Changed in another tab too: "


@pytest.mark.parametrize(
    ("here", "there", "expected", "says"),
    [
        ({"hours": 3}, {}, {}, ""),
        ({"hours": 3}, {"hours": 3}, {}, ""),
        (
            {"hours": 3},
            {"sms": "Theirs", "title": "T"},
            {"sms": "Theirs", "title": "T"},
            f"{TAKEN}Title and Text message.",
        ),
        ({"sms": "Mine"}, {"sms": "Theirs"}, {}, f"{TOO}Text message. What stands here is kept."),
        (
            {"sms": "Mine"},
            {"category": "Fire", "event": ""},
            {"category": "Fire", "event": ""},
            f"{TAKEN}Category and Event.",
        ),
        ({"event": "Flood Watch"}, {"category": "Fire", "event": ""}, {}, f"{TOO}Category and Event."),
        ({"regions": [1, 2]}, {"jurisdiction": "all", "regions": []}, {}, f"{TOO}Who is warned, by place and Places."),
        ({"hours": 3}, {"stage": "review", "checked": True, "refused": [("", "No")]}, {}, ""),
    ],
)
def test_what_was_changed_there_alone_is_taken_over(
    here: dict[str, Any], there: dict[str, Any], expected: dict[str, Any], says: str
) -> None:
    """Fields that belong together come together; a conflict stays as it is here, and is told."""
    mine, theirs = SEEN.model_copy(update=here), SEEN.model_copy(update=there)
    both = joined(mine, SEEN, theirs)
    assert both.draft == mine.model_copy(update=expected)
    assert words(both).startswith(says)
    assert bool(words(both)) == bool(says)


def test_a_zip_flag_goes_where_the_other_tab_took_out_the_groups() -> None:
    """It may not be sent without them."""
    seen = SEEN.model_copy(update={"groups": [5], "zip_to_groups": True})
    both = joined(seen.model_copy(update={"sms": "Mine"}), seen, seen.model_copy(update={"groups": []}))
    assert (both.draft.groups, both.draft.zip_to_groups, both.draft.sms) == ([], False, "Mine")
