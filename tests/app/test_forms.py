"""Form fields and their draft stay in sync, whichever of them changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from pydantic import Field
from streamlit.testing.v1 import AppTest

from components.forms.form_view import FormView, sync_from_widgets
from components.shell.state import StateKey
from domain.forms.form import Choice, Choices, Day, Form, Part, Parts, Problems, Switch, Text


class Row(Part):
    code: str = ""


class Color(Part):
    name: str = ""
    kind: str = ""
    group: int | None = None
    groups: list[int] = Field(default_factory=list)
    since: str = ""
    hidden: bool = False
    notes: str = ""
    rows: list[Row] = Field(default_factory=list)


NAMES: dict[int, str] = {}
COLORS = Form[Color](
    "colors",
    Text("name", "Name"),
    Choice("kind", "Kind", options=("warm", "cold"), empty_label="Neither"),
    Choice("group", "Group", none_value=None),
    Choices("groups", "Groups", options=(1, 2, 3), none_value=None),
    Day("since", "Since"),
    Switch("hidden", "Hidden"),
    Text("notes", "Notes", height=120, max_length=20),
    parts=(Parts("rows", "Row {}", (Text("code", "Code", clean=str.strip),)),),
)
DRAFT = StateKey[Color | None]("colors.draft", lambda: None)


def draw_page() -> None:
    from tests.app.test_forms import color_form

    color_form()


def color_form() -> None:
    """Draw the form."""
    draft = sync_from_widgets(COLORS, DRAFT)
    assert draft is not None
    problems = Problems()
    problems.add(draft.uid, "name", "*No* such name")
    fields = FormView(COLORS, draft, problems)
    if not st.toggle("away", key="away"):
        fields.draw("group", options=list(NAMES), labels={7: "Group 7"} | NAMES)
        fields.draw("name", "kind", "groups", "since", "hidden", "notes")
        for row in draft.rows:
            fields.draw("code", part=row)
    st.button("Step", key="step", on_click=apply_step)


STEPS: list[Callable[[Color], Color]] = []


def apply_step() -> None:
    """Apply the next step as a button does: after the typed input."""
    draft = sync_from_widgets(COLORS, DRAFT)
    assert draft is not None
    DRAFT.set(STEPS.pop()(draft))


@pytest.fixture
def app() -> AppTest:
    """The form for a color with one row."""
    NAMES.clear()
    STEPS.clear()
    app = AppTest.from_function(draw_page)
    app.session_state[DRAFT.name] = Color(uid="c", name="Red", groups=[2], rows=[Row(uid="r", code="R1")])
    app.run()
    assert not app.exception
    return app


def draft_of(app: AppTest) -> Color:
    draft: Color = app.session_state[DRAFT.name]
    return draft


def find_field(app: AppTest, label: str) -> Any:
    """Return the widget with this label."""
    kinds = (app.text_input, app.selectbox, app.multiselect, app.date_input, app.toggle, app.text_area)
    return next(field for kind in kinds for field in kind if field.label == label)


def press(app: AppTest, change: Callable[[Color], Color]) -> None:
    STEPS.append(change)
    app.button(key="step").click().run()
    assert not app.exception


def test_fields_start_with_the_values_of_the_draft(app: AppTest) -> None:
    assert [find_field(app, label).value for label in ("Name", "Kind", "Groups", "Since", "Hidden", "Code")] == [
        "Red",
        None,
        [2],
        None,
        False,
        "R1",
    ]


@pytest.mark.parametrize(
    ("label", "typed", "path", "saved"),
    [
        ("Name", "Blue", "name", "Blue"),
        ("Kind", "cold", "kind", "cold"),
        ("Groups", [2, 3], "groups", [2, 3]),
        ("Hidden", True, "hidden", True),
        ("Notes", "one\ntwo", "notes", "one\ntwo"),
    ],
)
def test_typed_input_is_saved_in_the_draft_and_stays_in_its_field(
    app: AppTest, label: str, typed: Any, path: str, saved: Any
) -> None:
    key = find_field(app, label).key
    find_field(app, label).set_value(typed).run()
    assert getattr(draft_of(app), path) == saved
    app.run()
    assert (find_field(app, label).key, find_field(app, label).value) == (key, typed)


def test_a_value_that_is_longer_than_its_field_allows_stays_whole_and_can_be_shortened(app: AppTest) -> None:
    press(app, lambda draft: draft.model_copy(update={"notes": "a" * 30}))
    app.run()
    assert (draft_of(app).notes, find_field(app, "Notes").value) == ("a" * 30, "a" * 30)
    key = find_field(app, "Notes").key
    for shorter in ("a" * 25, "a" * 10):
        find_field(app, "Notes").set_value(shorter).run()
        assert (draft_of(app).notes, find_field(app, "Notes").value) == (shorter, shorter)
    assert find_field(app, "Notes").key == key, "the cursor stays where it is"


def test_a_value_set_by_a_button_is_shown_in_its_field(app: AppTest) -> None:
    press(app, lambda draft: draft.model_copy(update={"name": "Green", "kind": "warm", "since": "2026-11-20"}))
    assert [find_field(app, label).value for label in ("Name", "Kind")] == ["Green", "warm"]
    assert f"{find_field(app, 'Since').value:%Y-%m-%d}" == "2026-11-20"
    app.run()
    assert draft_of(app).name == "Green"
    press(app, lambda draft: draft.model_copy(update={"name": "Blue"}))
    press(app, lambda draft: draft.model_copy(update={"name": "Green"}))
    assert (draft_of(app).name, find_field(app, "Name").value) == ("Green", "Green")


def test_a_hidden_field_shows_the_changed_value_when_it_returns(app: AppTest) -> None:
    app.toggle(key="away").set_value(True).run()
    press(app, lambda draft: draft.model_copy(update={"name": "Green"}))
    app.toggle(key="away").set_value(False).run()
    assert (draft_of(app).name, find_field(app, "Name").value) == ("Green", "Green")


def test_a_button_uses_input_typed_just_before(app: AppTest) -> None:
    find_field(app, "Notes").set_value("typed")
    press(app, lambda draft: draft.model_copy(update={"name": f"{draft.name}, {draft.notes}"}))
    assert (draft_of(app).name, find_field(app, "Notes").value) == ("Red, typed", "typed")


def test_undo_removes_input_typed_just_before(app: AppTest) -> None:
    find_field(app, "Name").set_value("Blue")
    press(app, lambda draft: draft.model_copy(update={"name": "Red"}))
    assert (draft_of(app).name, find_field(app, "Name").value) == ("Red", "Red")
    app.run()
    assert draft_of(app).name == "Red"


def test_changes_of_another_tab_are_merged_with_typed_text(app: AppTest) -> None:
    find_field(app, "Notes").set_value("mine").run()
    app.session_state[DRAFT.name] = draft_of(app).model_copy(update={"name": "Theirs"})
    app.run()
    assert [find_field(app, label).value for label in ("Name", "Notes")] == ["Theirs", "mine"]
    assert (draft_of(app).name, draft_of(app).notes) == ("Theirs", "mine")


def test_a_restored_row_shows_its_values(app: AppTest) -> None:
    find_field(app, "Code").set_value("R2").run()
    with_row = draft_of(app)
    press(app, lambda draft: draft.model_copy(update={"rows": []}))
    assert "Code" not in [field.label for field in app.text_input]
    press(app, lambda _: with_row)
    assert find_field(app, "Code").value == "R2"


def test_hidden_fields_return_with_the_values_of_the_draft(app: AppTest) -> None:
    find_field(app, "Name").set_value("Blue").run()
    app.toggle(key="away").set_value(True).run()
    app.toggle(key="away").set_value(False).run()
    assert (draft_of(app).name, find_field(app, "Name").value) == ("Blue", "Blue")


def test_cleaned_text_does_not_draw_the_field_again(app: AppTest) -> None:
    key = find_field(app, "Code").key
    find_field(app, "Code").set_value("R2 ").run()
    assert draft_of(app).rows[0].code == "R2"
    assert (find_field(app, "Code").key, find_field(app, "Code").value) == (key, "R2 ")


def test_a_selection_can_be_cleared(app: AppTest) -> None:
    find_field(app, "Kind").set_value("cold").run()
    find_field(app, "Kind").set_value("").run()
    assert draft_of(app).kind == ""
    assert find_field(app, "Kind").options[0] == "Neither"


def test_a_selection_survives_a_late_label(app: AppTest) -> None:
    press(app, lambda draft: draft.model_copy(update={"group": 7}))
    assert find_field(app, "Group").options == ["Group 7"]
    key = find_field(app, "Group").key
    NAMES[7] = "Schools"
    app.run()
    assert (find_field(app, "Group").options, find_field(app, "Group").value) == (["Schools"], 7)
    assert find_field(app, "Group").key != key, "the browser identifies an option by its label"
    app.run()
    assert draft_of(app).group == 7


def test_a_run_that_stops_before_the_draft_is_saved_loses_nothing(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any access to the session may start another run."""

    def interrupt(*_: object) -> None:
        raise RuntimeError("another run is requested")

    with monkeypatch.context() as patch:
        patch.setattr(type(DRAFT), "set", interrupt)
        find_field(app, "Name").set_value("Blue").run()
        assert app.exception
    app.run()
    assert (draft_of(app).name, find_field(app, "Name").value) == ("Blue", "Blue")


def test_problems_are_shown_below_their_field_as_plain_text(app: AppTest) -> None:
    assert [mark.value for mark in app.markdown if ":red[" in mark.value] == [
        r":small[:red[:material/error: \*No\* such name]]"
    ]
