"""Pressing twice what a browser still showed when it was pressed again."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button


def press_twice(app: AppTest, button: Button) -> AppTest:
    """Press a button, and once more before the browser has drawn what the first press led to."""
    pressed = button.id
    button.click().run()
    assert not app.exception
    again = next((each for each in app.button if each.id == pressed), app.button[0])
    again.id = pressed
    again.click().run()
    assert not app.exception
    return app
