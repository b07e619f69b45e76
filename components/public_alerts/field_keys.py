"""Which widget a field stands in: a new one each time a button writes into the field.

A widget begins with the draft's value and keeps what is typed. A value written into a widget that is there may be lost
on its way to the browser, where another run follows at once; a new widget cannot begin with anything but the draft.
"""

from __future__ import annotations

from components.public_alerts.draft import AlertDraft
from components.public_alerts.form_values import field_key
from components.public_alerts.state import WIDGETS


def widget_key(draft: AlertDraft, name: str) -> str:
    """The key of the widget a field stands in now."""
    key = field_key(draft, name)
    number = WIDGETS.get().get(key, 0)
    return f"{key}/{number}" if number else key


def renew(draft: AlertDraft, name: str) -> None:
    """Let a field begin anew with the draft's value."""
    key, numbers = field_key(draft, name), WIDGETS.get()
    WIDGETS.set({**numbers, key: numbers.get(key, 0) + 1})
