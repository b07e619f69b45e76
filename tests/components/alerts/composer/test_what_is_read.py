"""When the page follows what is typed into the text of an alert, which alone is drawn at a key."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from components.alerts.composer.message_box import is_outdated
from tests.domain.alerts.sending.alerts_for_sending import an_alert


def test_a_letter_more_leaves_the_page_as_it_is() -> None:
    page_of = an_alert(sms="Leave now")
    assert not is_outdated(page_of, page_of.model_copy(update={"sms": "Leave now."}))


def test_words_said_to_be_old_are_new_with_the_next_letter() -> None:
    """The line that tells their age stands outside of the text; it is to go, and to stay while nothing was typed."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    page_of = an_alert(sms="Leave now", written_at=yesterday)
    assert not is_outdated(page_of, page_of)
    assert is_outdated(page_of, page_of.model_copy(update={"sms": "Leave now.", "written_at": datetime.now(UTC)}))


def test_a_blank_that_is_filled_in_by_hand_has_no_field_any_more() -> None:
    page_of = an_alert(sms="[who]: leave now", blanks=["[who]"], ready=("Leave", 1))
    assert is_outdated(page_of, page_of.model_copy(update={"sms": "Boulder Fire: leave now"}))


def test_whatever_else_changed_is_drawn() -> None:
    page_of = an_alert()
    assert is_outdated(page_of, page_of.model_copy(update={"hours": 5}))
