"""Typical false alarms: the warnings on the screen before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import presses
from tests.app.test_public_alert_sending import open_review
from tests.domain.alerts.sending.alerts_for_sending import count_alerts
from tests.false_alarms import ALARMS, SEND, FalseAlarm
from tests.running_service import RunningService


def page_text(app: AppTest) -> str:
    """Return all texts on the page, without the signs of bold text."""
    return presses.page_text(app).replace("**", "")


@pytest.mark.parametrize("alarm", ALARMS, ids=repr)
def test_a_typical_false_alarm_has_its_warnings_before_sending(
    signed_in: Any, service: RunningService, alarm: FalseAlarm
) -> None:
    """The warnings are in the review or in the composer. Nothing is sent."""
    draft = alarm.new_draft()
    app = open_review(signed_in, service, draft)
    for text in alarm.texts:
        assert text in page_text(app)
    send = [button for button in app.button if SEND.search(button.label)]
    assert len(send) == alarm.is_sendable
    for button in send:
        button.click()
        assert "Nothing was sent." in page_text(presses.run(app))
    if alarm.fix_label:
        [fix] = [button for button in app.button if button.label == alarm.fix_label]
        fix.click()
        assert alarm.fixed_text not in page_text(presses.run(app))
    assert count_alerts(service, draft.sms) == 0
