"""The false alarms of this trade, each begun again: what the person is told before anything goes out."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import presses
from tests.app.test_public_alert_sending import opened
from tests.domain.alerts.sending.alerts_for_sending import arrived
from tests.false_alarms import ALARMS, SEND, Alarm
from tests.running_service import RunningService


def said(app: AppTest) -> str:
    """Everything that is said on the page, loudly or not."""
    return presses.said(app).replace("**", "")


@pytest.mark.parametrize("alarm", ALARMS, ids=repr)
def test_the_person_is_told_what_is_wrong_before_it_is_sent(
    signed_in: Any, service: RunningService, alarm: Alarm
) -> None:
    """In the review, or in the composer where it stands there; nothing has left."""
    draft = alarm.begun()
    app = opened(signed_in, service, draft)
    for words in alarm.sees:
        assert words in said(app)
    send = [button for button in app.button if SEND.search(button.label)]
    assert len(send) == alarm.is_sendable
    for button in send:
        button.click()
        assert "Nothing was sent." in said(presses.run(app))
    if alarm.mend:
        [mend] = [button for button in app.button if button.label == alarm.mend]
        mend.click()
        assert alarm.mended not in said(presses.run(app))
    assert arrived(service, draft.sms) == 0
