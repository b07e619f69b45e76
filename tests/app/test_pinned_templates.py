"""Pinned alert templates with number keys, and the search in all templates, on the composer."""

from __future__ import annotations

from typing import Any

import pytest

from domain.alerts.alert_templates import MOST_PINNED, pin_template, pinned_names, save_template
from domain.runtime import screens
from journal import JournalError
from tests.app.presses import press
from tests.domain.alerts.sending.alerts_for_sending import an_alert
from tests.running_service import RunningService


def test_pinned_templates_have_number_keys_and_all_templates_are_searched(
    signed_in: Any, service: RunningService
) -> None:
    app = signed_in(service, screens.PUBLIC_ALERT.page)
    workspace = signed_in.workspace
    names = [f"Template {letter}" for letter in "ABCDEFGHIJ"]
    for name in names:
        save_template(workspace, an_alert(), name)
    for name in names[1 : MOST_PINNED + 1]:
        pin_template(workspace, name, is_pinned=True)
    with pytest.raises(JournalError, match="Unpin one first"):
        pin_template(workspace, "Template A", is_pinned=True)
    app.run()
    keys = {each.label: each.proto.shortcut for each in app.button if each.key.startswith("public_alert.ready/")}
    assert keys == {name: str(number) for number, name in enumerate(names[1 : MOST_PINNED + 1], start=1)}
    (search,) = (each for each in app.text_input if each.label == "Find")
    search.set_value("late j").run()
    assert [each.label for each in app.button if each.key.startswith("public_alert.all_ready/")] == ["Template J"]


def test_a_template_is_pinned_and_unpinned_on_its_screen(signed_in: Any, service: RunningService) -> None:
    signed_in(service, screens.ALERT_TEMPLATES.page)
    workspace = signed_in.workspace
    save_template(workspace, an_alert(), "Fire")
    app = signed_in.open_tab(screens.ALERT_TEMPLATES.page, ready="Fire").run()
    app = press(app, "ready_alerts-pin/Fire")
    assert pinned_names(workspace) == ["Fire"]
    app = press(app, "ready_alerts-pin/Fire")
    assert pinned_names(workspace) == []
