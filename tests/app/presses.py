"""What a person does on a page and sees of it: running it, pressing once or twice, reading what it says."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button


def run(app: AppTest) -> AppTest:
    """Draw the page, which must not fail."""
    app.run()
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Press a button."""
    app.button(key=key).click()
    return run(app)


def title(app: AppTest) -> str:
    """What the page is called."""
    return str(app.title[0].value).replace("\\", "")


def told(app: AppTest) -> list[str]:
    """What is said in passing."""
    return [str(toast.value).replace("\\", "") for toast in app.toast]


def said(app: AppTest) -> str:
    """Everything that is said on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.text, app.code, app.toast]
    parts += [app.error, app.warning, app.info, app.success]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


def press_twice(app: AppTest, button: Button) -> AppTest:
    """Press a button, and once more before the browser has drawn what the first press led to, or its address."""
    pressed, address = button.id, dict(app.query_params)
    button.click().run()
    assert not app.exception
    app.query_params.clear()
    app.query_params.update(address)
    again = next((each for each in app.button if each.id == pressed), None)
    if again is None:  # the page has drawn it no more, and the browser still has it
        again, again.root = button, app._tree
        app.main.children[len(app.main.children)] = again
    again.click().run()
    assert not app.exception
    return app
