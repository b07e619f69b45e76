"""Rules for every form: no value is lost between draft, widget, and JSON, and every problem has a place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from client import FieldError
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.draft import AlertDraft
from domain.filters.filter_draft import FilterDraft
from domain.filters.filter_form import FILTER_FORM
from domain.filters.rule_steps import add_rule, set_operator
from domain.forms.form import Choice, Field, Form, Part, text_for
from domain.mappings.mapping_change import FORM as MAPPING_FORM
from domain.mappings.mapping_change import MappingDraft
from domain.trips.editor.form_state import TRIP_FORM, TravelerDraft, new_trip

FULL_TRIP = new_trip().model_copy(update={"arranger": TravelerDraft(first_name="Ben")})
FULL_TRIP.travelers[0].first_name = "Ana"
FULL_FILTER = FilterDraft(name="Some")
for key, operator in (
    ("recordTypeId|SYSTEM|", "E"),
    ("groups|SYSTEM_ARRAY|", "IN"),
    ("createdDate|SYSTEM|", "GT"),
    ("lastModifiedDate|SYSTEM|", "BETWEEN"),
    ("expectedDate|SYSTEM_EXPECTED_OBJECT|", "BETWEEN"),
    ("country|SYSTEM_EXPECTED_OBJECT|address", "E"),
    ("custom", "E"),
):
    FULL_FILTER = add_rule(FULL_FILTER, key)
    FULL_FILTER = set_operator(FULL_FILTER, FULL_FILTER.rules[-1].uid, operator)
FORMS: list[tuple[Form[Any], Part]] = [
    (TRIP_FORM, FULL_TRIP),
    (ALERT_FORM, AlertDraft()),
    (MAPPING_FORM, MappingDraft()),
    (FILTER_FORM, FULL_FILTER),
]


def fields() -> Iterator[Any]:
    for form, draft in FORMS:
        for parts, part, _ in form.walk(draft):
            for each in parts.fields:
                yield pytest.param(form, draft, part, each, id=f"{form.name}-{parts.path or 'own'}-{each.path}")


every_field = pytest.mark.parametrize(("form", "draft", "part", "field"), list(fields()))
every_form = pytest.mark.parametrize(("form", "draft"), FORMS, ids=[form.name for form, _ in FORMS])


@every_field
def test_every_field_refers_to_a_value_of_the_draft(form: Form[Any], draft: Part, part: Part, field: Field) -> None:
    assert form.field(draft, part.uid, field.path) is field
    assert (part.uid, field.path) in form.values(draft)


@every_field
def test_the_widget_value_of_a_new_draft_converts_back_to_the_same_value(
    form: Form[Any], draft: Part, part: Part, field: Field
) -> None:
    value = field.value_in(part)
    if not (isinstance(field, Choice) and field.required and value == field.none_value):
        assert field.from_widget(field.to_widget(value)) == value


@every_field
def test_the_texts_of_a_field_work_for_every_part(form: Form[Any], draft: Part, part: Part, field: Field) -> None:
    for text in (field.label, field.help, field.placeholder):
        assert isinstance(text_for(text, part), str)


@every_field
def test_an_error_with_the_path_of_a_field_is_shown_at_the_field(
    form: Form[Any], draft: Part, part: Part, field: Field
) -> None:
    if field.payload_path:
        parts = next(parts for parts, each, _ in form.walk(draft) if each is part)
        assert parts.place_of(field.payload_path) == field.path
        assert parts.place_of(f"{field.payload_path}[3].more") == field.path


@every_form
def test_no_input_changes_nothing(form: Form[Any], draft: Part) -> None:
    assert form.with_values(draft, form.values(draft)) == draft
    assert form.apply_input(draft, {("nobody", "nothing"): "x", (draft.uid, "nothing"): "x"}) == draft


@every_form
def test_every_error_is_in_the_list_of_problems(form: Form[Any], draft: Part) -> None:
    paths = ["", "nowhere", "nowhere[2].at.all"]
    paths += [field.payload_path for field in form.root.fields if field.payload_path]
    for parts in form.parts:
        paths += [
            parts.payload_path,
            f"{parts.payload_path}[0]",
            f"{parts.payload_path}[99].x",
            f"{parts.payload_path}.x",
        ]
        paths += [f"{parts.payload_path}[0].{field.payload_path}" for field in parts.fields if field.payload_path]
    for path in paths:
        found = form.place_errors(draft, [FieldError(path, "wrong here")])
        assert any(line.endswith("wrong here") for line in form.describe_problems(draft, found)), path


@every_form
def test_every_widget_has_a_unique_key(form: Form[Any], draft: Part) -> None:
    keys = [form.key(*place) for place in form.values(draft)]
    assert len(keys) == len(set(keys))
