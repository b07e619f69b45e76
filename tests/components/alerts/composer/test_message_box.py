"""When typing in the text of an alert redraws the whole page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from components.alerts.composer.message_box import is_outdated
from tests.domain.alerts.sending.alerts_for_sending import an_alert


def test_typing_a_letter_does_not_redraw_the_page() -> None:
    draft = an_alert(sms="Leave now")
    assert not is_outdated(draft, draft.model_copy(update={"sms": "Leave now."}))


def test_editing_an_old_text_removes_the_note_about_its_age() -> None:
    """The note stands outside the text field. It stays until the text changes."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    draft = an_alert(sms="Leave now", written_at=yesterday)
    assert not is_outdated(draft, draft)
    assert is_outdated(draft, draft.model_copy(update={"sms": "Leave now.", "written_at": datetime.now(UTC)}))


def test_a_placeholder_replaced_by_typing_redraws_the_page() -> None:
    draft = an_alert(sms="[who]: leave now", placeholders=["[who]"], template=("Leave", 1))
    assert is_outdated(draft, draft.model_copy(update={"sms": "Boulder Fire: leave now"}))


def test_a_change_of_another_field_redraws_the_page() -> None:
    draft = an_alert()
    assert is_outdated(draft, draft.model_copy(update={"hours": 5}))
