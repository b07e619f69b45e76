"""The rule builder in AppTest: every input, every button, JSON, and invalid stored rules."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from client.models.contact_filters import ContactFilter
from components.filters.builder import rule_actions
from components.filters.builder.rule_actions import EDITOR
from components.filters.builder.rule_menu import menu_key, values_key
from domain.filters import rule_steps
from domain.filters.filter_draft import FilterDraft, RuleDraft, to_json
from domain.filters.filter_form import PREFIX
from domain.filters.names.stored_names import change_names
from domain.filters.values import local_moment, span_of
from domain.runtime import screens
from tests.app.form_fields import key_of
from tests.app.presses import press_twice, run
from tests.running_service import RunningService

PAGE = screens.CONTACT_FILTER.page
EXTERNAL_ID = "externalId|SYSTEM|"
RECORD_TYPE = "recordTypeId|SYSTEM|"
GROUPS = "groups|SYSTEM_ARRAY|"
CREATED = "createdDate|SYSTEM|"
EXPECTED = "expectedDate|SYSTEM_EXPECTED_OBJECT|"
COUNTRY = "country|SYSTEM_EXPECTED_OBJECT|address"
CITY = "city|SYSTEM_EXPECTED_OBJECT|address"
AIRPORT = "iata|SYSTEM_EXPECTED_OBJECT|address"


def draft_of(app: AppTest) -> FilterDraft:
    """Return the draft in the session."""
    draft = app.session_state[EDITOR.draft.name]
    assert isinstance(draft, FilterDraft)
    return draft


def page_text(app: AppTest) -> str:
    """Return all messages on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


def read_sentence(app: AppTest) -> str:
    """Return the sentence that describes the filter."""
    return next(str(each.value) for each in app.markdown if "format_quote" in str(each.value)).replace("\\", "")


def find_key(app: AppTest, number: int, field: str) -> str:
    """Return the widget key of a rule's field; `number` counts from 1."""
    return key_of(app, PREFIX, draft_of(app).rules[number - 1].uid, field)


def read_rule(app: AppTest, number: int) -> dict[str, Any]:
    """Return the JSON of a rule."""
    return draft_of(app).rules[number - 1].payload


def press(app: AppTest, help_text: str) -> AppTest:
    """Click the button with this tooltip or label."""
    button = next(
        each for each in app.button if help_text in (each.help.replace("\\", ""), each.label.replace("\\", ""))
    )
    button.click()
    return run(app)


def open_menu(app: AppTest, number: int) -> AppTest:
    """Open the menu of a rule."""
    app.session_state[menu_key(draft_of(app).rules[number - 1].uid)] = True
    return run(app)


def open_filter(app: AppTest, draft: FilterDraft) -> AppTest:
    """Open a filter with these rules."""
    app.session_state[EDITOR.draft.name] = draft_of(app).model_copy(
        update={name: getattr(draft, name) for name in ("filter_id", "name", "rules", "base", "checked", "refused")}
    )
    app.query_params["draft"] = draft_of(app).uid
    return run(app)


def new_filter(*rules: tuple[str, str]) -> FilterDraft:
    """Return a filter with a rule for each column and operator."""
    draft = FilterDraft(name="Some people")
    for key, operator in rules:
        draft = rule_steps.add_rule(draft, key)
        draft = rule_steps.set_operator(draft, draft.rules[-1].uid, operator)
    return draft


def stored_filter(*rules: dict[str, Any]) -> FilterDraft:
    """Return a stored filter with these rules."""
    return FilterDraft(
        filter_id=5,
        name="Old",
        rules=[RuleDraft(payload=rule, stored=deepcopy(rule)) for rule in rules],
        base={"name": "Old", "contactFilterRules": deepcopy(list(rules))},
    )


@pytest.fixture
def app(signed_in: Any, service: RunningService) -> AppTest:
    """The builder with a new filter, in an organization without filters."""
    return run(signed_in(service, PAGE))


def test_a_new_filter_has_one_rule_and_shows_no_errors(app: AppTest) -> None:
    """The first step is clear, and no error is shown."""
    assert [rule.payload for rule in draft_of(app).rules] == [{}]
    assert app.selectbox(key=find_key(app, 1, "column")).placeholder == "Select a column"
    assert "Select a column." in read_sentence(app)
    assert ":red[" not in page_text(app)
    assert app.button(key="contact_filter.undo").disabled
    assert app.button(key="contact_filter.redo").disabled


def test_names_of_ids_are_offered_where_ids_are_entered(signed_in: Any, service: RunningService) -> None:
    """Groups, record types, and attributes are found by name; the rule has the ID."""
    names = {"group": {310: "Fire wardens"}, "record type": {9: "Contractor"}, "custom attribute": {4001: "Department"}}
    app = signed_in(service, PAGE)
    run(app)
    change_names(signed_in.workspace, names)
    open_filter(app, new_filter((GROUPS, "IN"), (RECORD_TYPE, "E")))
    chips = app.multiselect(key=find_key(app, 1, "value/chips"))
    assert chips.options == ["Fire wardens (310)"]
    chips.set_value(["310"])
    run(app)
    press(app, "Contractor (9)")
    app.session_state[rule_actions.add_key()] = True
    run(app)
    press(app, "Department (4001)")
    assert read_rule(app, 1)["columnValue"] == [310]
    assert read_rule(app, 2)["columnValue"] == 9
    assert read_rule(app, 3)["attributeId"] == 4001
    assert "belong to group Fire wardens (310), whose record type is Contractor (9)" in read_sentence(app)
    assert "whose Department (custom attribute 4001) is …" in read_sentence(app)


def test_a_column_without_a_known_id_is_marked_and_a_guess_stays_marked(
    signed_in: Any, service: RunningService
) -> None:
    """A guess is used only when the person selects it, and the rule says that it is one."""
    address = {"type": "SYSTEM_OBJECT", "dataType": "STRING", "operator": "E", "embeddedColumnName": "address"}
    rules = [{**address, "columnName": name, "columnValue": "x", "contactFieldId": 240} for name in ("city", "suite")]
    with service.client() as client:
        client.contact_filters.create(ContactFilter.from_wire({"name": "Addresses", "contactFilterRules": rules}))
    app = run(signed_in(service, PAGE))
    app.session_state[rule_actions.add_key()] = True
    run(app)
    locked = {each.label for each in app.button if each.icon and "key_off" in each.icon}
    assert "Postal code · address" in locked
    assert "First name" in locked
    assert not locked & {"City · address", "City · expected location"}
    app.button(key=f"{PREFIX}.add_column/postalCode|SYSTEM_OBJECT|address").click()
    run(app)
    assert "contactFieldId" not in read_rule(app, 1)
    press(app, "Use 240 (a guess)")
    assert read_rule(app, 1)["contactFieldId"] == 240
    assert "Contact field ID 240 is a guess." in page_text(app)


def test_a_time_span_that_has_ended_is_marked_and_moves_to_this_week_in_one_step(app: AppTest) -> None:
    """The service stores fixed moments, so last year's week would select no one."""
    draft = new_filter((EXPECTED, "BETWEEN"))
    uid = draft.rules[0].uid
    for slot, text in (("value", "BETWEEN"), ("from", "2025-10-06"), ("until", "2125-10-12")):
        draft = rule_steps.set_value(draft, uid, slot, text)
    open_filter(app, draft)
    assert "This time span ended" not in page_text(app)
    open_filter(app, rule_steps.set_value(draft, uid, "until", "2025-10-12"))
    assert "This time span ended: the end of Sun, Oct 12, 2025 UTC. Only past times can match." in page_text(app)
    app.button(key=f"{PREFIX}/{uid}/move-span").click()
    run(app)
    assert "This time span ended" not in page_text(app)
    begin, end = span_of(read_rule(app, 1))
    assert (end - begin + 1) == 7 * 86_400_000
    assert local_moment(begin).weekday() == 0
    app.button(key="contact_filter.undo").click()
    run(app)
    assert "This time span ended" in page_text(app)


def test_every_type_of_value_has_an_input(app: AppTest) -> None:
    """13 rules are typed and selected, and each has the expected JSON."""
    rules: list[tuple[str, str, dict[str, Any], str, Any]] = [
        (CITY, "LIKE", {"value/text": "Par"}, "columnValue", "Par"),
        ("gisLocation.lat|SYSTEM_OBJECT|address", "GT", {"value/text": "47.5"}, "columnValue", 47.5),
        (RECORD_TYPE, "NE", {"value/text": "9007199254740993"}, "columnValue", 9007199254740993),
        (CREATED, "GT", {"value/day": date(2026, 11, 20), "value/clock": "14:05"}, "columnValue", 1_795_183_500_000),
        ("addressGeoCodingSource|SYSTEM_OBJECT|address", "IN", {"value/chips": ["A", "B"]}, "columnValue", ["A", "B"]),
        (GROUPS, "NIN", {"value/chips": ["310", "241901148045316"]}, "columnValue", [310, 241901148045316]),
        (
            "lastModifiedDate|SYSTEM|",
            "BETWEEN",
            {"from/day": date(2026, 11, 1), "until/day": date(2026, 11, 2)},
            "columnValue",
            [1_793_491_200_000, 1_793_663_999_999],
        ),
        (EXPECTED, "BETWEEN", {"value/pattern": "NOW"}, "columnValue", ["NOW", None, None]),
        (COUNTRY, "E", {"value/country": "FR"}, "columnValue", "FR"),
        (AIRPORT, "E", {"value/text": "lhr"}, "columnValue", "LHR"),
        ("userId|SYSTEM|", "NOTNULL", {"field_id/text": "231"}, "contactFieldId", 231),
        (
            "custom",
            "E",
            {"attribute_id/text": "4001", "data_type": "NUMBER", "values/chips": ["3"]},
            "attributeValues",
            ["3"],
        ),
        ("custom_array", "IN", {"attribute_id/text": "4003", "values/chips": ["German", "Dutch"]}, "attributeId", 4003),
    ]
    open_filter(app, new_filter(*((key, operator) for key, operator, *_ in rules)))
    for number, (_, _, fields, _, _) in enumerate(rules, start=1):
        for field, value in fields.items():
            key = find_key(app, number, field)
            input_kind = field.rpartition("/")[2]
            inputs = {"text": app.text_input, "clock": app.text_input, "day": app.date_input, "chips": app.multiselect}
            inputs.get(input_kind, app.selectbox)(key=key).set_value(value)
    run(app)
    assert [read_rule(app, number)[part] for number, (*_, part, _) in enumerate(rules, start=1)] == [
        value for *_, value in rules
    ]
    assert read_rule(app, 12)["dataType"] == "NUMBER"
    assert "lastModifiedDate" in to_json(draft_of(app))
    text = read_sentence(app)
    for part in ("“Par”", "47.5", "9007199254740993", "14:05", "241901148045316", "France", "Heathrow", "German"):
        assert part in text
    assert ":red[" not in page_text(app)
    assert "columnValue" not in read_rule(app, 11)


def test_an_operator_list_with_other_labels_gets_a_new_key(app: AppTest) -> None:
    """Otherwise, the browser keeps "is", which is no longer in the list, and the rule uses it."""
    open_filter(app, new_filter(("custom", "E")))
    before = find_key(app, 1, "operator")
    app.selectbox(key=find_key(app, 1, "data_type")).set_value("NUMBER").run()
    assert find_key(app, 1, "operator") == before, "the labels are the same"
    app.selectbox(key=find_key(app, 1, "data_type")).set_value("DATE").run()
    assert not app.exception
    assert find_key(app, 1, "operator") != before
    assert app.selectbox(key=find_key(app, 1, "operator")).value == read_rule(app, 1)["operator"] == "E"


def test_expected_dates_can_include_now_or_be_between_two_moments(app: AppTest) -> None:
    """The moments appear with "between", and are also shown in UTC."""
    open_filter(app, new_filter((EXPECTED, "BETWEEN")))
    app.selectbox(key=find_key(app, 1, "value/pattern")).set_value("NOW")
    run(app)
    assert not app.date_input
    app.selectbox(key=find_key(app, 1, "value/pattern")).set_value("BETWEEN")
    run(app)
    press(app, "Next 7 days")
    first, last = read_rule(app, 1)["columnValue"][1:]
    assert last - first == 7 * 86_400_000 - 1
    assert "both days included" in read_sentence(app)
    assert not [each for each in app.button if each.label == "Next 7 days"]
    app.date_input(key=find_key(app, 1, "from/day")).set_value(date(2026, 11, 20))
    app.text_input(key=find_key(app, 1, "from/clock")).set_value("08:00")
    app.text_input(key=find_key(app, 1, "until/clock")).set_value("")
    app.date_input(key=find_key(app, 1, "until/day")).set_value(date(2026, 11, 19))
    run(app)
    assert read_rule(app, 1)["columnValue"] == ["BETWEEN", 1_795_161_600_000, 1_795_132_799_999]
    assert "The end is before the beginning." in page_text(app)
    app.date_input(key=find_key(app, 1, "until/day")).set_value(date(2026, 11, 27))
    app.text_input(key=find_key(app, 1, "until/clock")).set_value("noon")
    run(app)
    assert "“noon” is not a time of day." in page_text(app)
    app.text_input(key=find_key(app, 1, "until/clock")).set_value("12:00")
    run(app)
    assert read_rule(app, 1)["columnValue"] == ["BETWEEN", 1_795_161_600_000, 1_795_780_800_000]
    assert "Fri, Nov 20, 2026, 08:00 UTC – Fri, Nov 27, 2026, 12:00 UTC" in page_text(app)
    assert ":red[" not in page_text(app)


def test_moments_are_typed_in_the_time_zone_of_the_browser_and_stay_the_same_in_another(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another time zone, the same moments are shown as other local times."""
    monkeypatch.setattr(rule_actions, "viewers_zone", lambda: "Europe/Berlin")
    open_filter(app, new_filter((CREATED, "GT")))
    app.date_input(key=find_key(app, 1, "value/day")).set_value(date(2026, 11, 20))
    app.text_input(key=find_key(app, 1, "value/clock")).set_value("14:05")
    run(app)
    assert read_rule(app, 1)["columnValue"] == 1_795_179_900_000
    assert "Europe/Berlin time · Fri, Nov 20, 2026, 13:05 UTC" in page_text(app)
    monkeypatch.setattr(rule_actions, "viewers_zone", lambda: "Asia/Singapore")
    run(app)
    assert app.text_input(key=find_key(app, 1, "value/clock")).value == "21:05"
    run(app)
    assert read_rule(app, 1)["columnValue"] == 1_795_179_900_000


@pytest.mark.parametrize(
    ("timezone", "zone"), [("Asia/Calcutta", "Asia/Calcutta"), ("Mars/Olympus", "UTC"), ("", "UTC"), (None, "UTC")]
)
def test_an_unknown_time_zone_of_the_browser_is_ignored(
    monkeypatch: pytest.MonkeyPatch, timezone: str | None, zone: str
) -> None:
    monkeypatch.setattr(type(streamlit.context), "timezone", timezone)
    assert rule_actions.viewers_zone() == zone


def test_an_airport_is_found_by_its_city(app: AppTest) -> None:
    """The suggestions are below the field until one is selected."""
    open_filter(app, new_filter((AIRPORT, "E")))
    app.text_input(key=find_key(app, 1, "value/text")).set_value("Heathrow")
    run(app)
    press(app, next(each.label for each in app.button if each.label.startswith("LHR")))
    assert read_rule(app, 1)["columnValue"] == "LHR"
    assert app.text_input(key=find_key(app, 1, "value/text")).value == "LHR"
    assert "London Heathrow Airport" in page_text(app)
    press(app, "Undo: select LHR in rule 1")
    assert app.text_input(key=find_key(app, 1, "value/text")).value == "Heathrow"


def test_a_rule_is_added_by_group_or_by_search_and_its_column_changed(app: AppTest) -> None:
    """The first column goes to the rule without one. Values that fit the new column are kept."""
    app.session_state[rule_actions.PREFIX + ".add/0"] = True
    run(app)
    assert {"Person", "Delivery paths", "Expected location"} <= set(page_text(app).replace("*", "").split("\n"))
    app.button(key=f"contact_filter.add_column/{CITY}").click()
    run(app)
    assert [rule.payload.get("columnName") for rule in draft_of(app).rules] == ["city"]
    app.session_state[rule_actions.PREFIX + ".add/1"] = True
    run(app)
    app.text_input(key="contact_filter.add/1.find").set_value("mobile")
    run(app)
    offered_keys = [each.key for each in app.button if str(each.key).startswith("contact_filter.add_column/")]
    assert "contact_filter.add_column/value|SYSTEM_OBJECT|paths" in offered_keys
    assert len(offered_keys) < 4
    app.button(key="contact_filter.add_column/value|SYSTEM_OBJECT|paths").click()
    run(app)
    assert not [each for each in app.button if str(each.key).startswith("contact_filter.add_column/")]
    assert len(draft_of(app).rules) == 2
    app.text_input(key=find_key(app, 1, "value/text")).set_value("Paris")
    app.selectbox(key=find_key(app, 1, "operator")).set_value("LIKE")
    run(app)
    app.selectbox(key=find_key(app, 1, "column")).set_value("locationName|SYSTEM_EXPECTED_OBJECT|address")
    run(app)
    assert read_rule(app, 1)["columnName"] == "locationName"
    assert (read_rule(app, 1)["operator"], read_rule(app, 1)["columnValue"]) == ("LIKE", "Paris")
    assert app.text_input(key=find_key(app, 1, "value/text")).value == "Paris"
    app.selectbox(key=find_key(app, 1, "column")).set_value(GROUPS)
    run(app)
    assert app.selectbox(key=find_key(app, 1, "operator")).value == "IN"
    assert app.multiselect(key=find_key(app, 1, "value/chips")).value == []
    # Each change of a column is a separate step: undo restores the text with its column.
    press(app, "Undo: change the column of rule 1")
    assert app.text_input(key=find_key(app, 1, "value/text")).value == "Paris"
    assert read_rule(app, 1)["columnName"] == "locationName"


@pytest.mark.parametrize(
    ("help_text", "columns", "muted"),
    [
        ("Remove rule 2, Country · expected location", ["city", "iata"], 0),
        ("Move rule 2 down. Alt+↓", ["city", "iata", "country"], 0),
        ("Move rule 2 up. Alt+↑", ["country", "city", "iata"], 0),
        ("Mute rule 2. Muted rules are not saved.", ["city", "country", "iata"], 1),
    ],
)
def test_a_double_click_on_a_rule_acts_once_and_only_on_that_rule(
    app: AppTest, help_text: str, columns: list[str], muted: int
) -> None:
    """The button is gone, or has the same effect again."""
    open_filter(app, new_filter((CITY, "E"), (COUNTRY, "E"), (AIRPORT, "E")))
    press_twice(app, next(each for each in app.button if each.help.replace("\\", "") == help_text))
    rules = draft_of(app).rules
    assert [rule.payload["columnName"] for rule in rules] == columns
    assert sum(rule.muted for rule in rules) == muted


def test_steps_on_rules_can_be_undone(app: AppTest) -> None:
    """The labels of Undo and Redo name the step. Typed input is undone too."""
    open_filter(app, new_filter((CITY, "E"), (COUNTRY, "E")))
    app.text_input(key=find_key(app, 1, "value/text")).set_value("Par")
    run(app)
    app.text_input(key=find_key(app, 1, "value/text")).set_value("Paris")
    run(app)
    assert app.button(key="contact_filter.undo").label.replace("\\", "") == "Undo: change the value of rule 1"
    press(open_menu(app, 1), "Duplicate rule 1")
    press(app, "Move rule 2 down. Alt+↓")
    columns = [rule.payload["columnName"] for rule in draft_of(app).rules]
    assert columns == ["city", "country", "city"]
    press(app, "Mute rule 3. Muted rules are not saved.")
    assert "not saved" in page_text(app)
    assert app.text_input(key=find_key(app, 3, "value/text")).disabled
    assert len(json.loads(to_json(draft_of(app)))["contactFilterRules"]) == 2
    assert "1 muted rule is not included" in page_text(app)
    press(app, "Remove rule 1, City · expected location")
    removed = "remove rule 1, City · expected location"
    assert [rule.payload["columnName"] for rule in draft_of(app).rules] == ["country", "city"]
    for step in (removed, "mute rule 3", "move rule 2 down", "duplicate rule 1"):
        press(app, f"Undo: {step}")
    assert [rule.payload["columnName"] for rule in draft_of(app).rules] == ["city", "country"]
    press(app, "Undo: change the value of rule 1")
    assert app.text_input(key=find_key(app, 1, "value/text")).value == ""
    assert app.button(key="contact_filter.undo").disabled
    for step in ("change the value of rule 1", "duplicate rule 1", "move rule 2 down", "mute rule 3", removed):
        press(app, f"Redo: {step}")
    assert app.text_input(key=find_key(app, 2, "value/text")).value == "Paris"
    press(app, "Unmute rule 2")
    assert not app.text_input(key=find_key(app, 2, "value/text")).disabled
    assert app.button(key="contact_filter.redo").disabled


def test_a_rule_is_inverted_and_one_without_an_opposite_says_why(app: AppTest) -> None:
    """The value stays, and the menu closes."""
    open_filter(app, new_filter((COUNTRY, "E"), (CITY, "STARTWITH")))
    app.selectbox(key=find_key(app, 1, "value/country")).set_value("FR")
    run(app)
    press(open_menu(app, 1), "Invert rule 1")
    assert (read_rule(app, 1)["operator"], read_rule(app, 1)["columnValue"]) == ("NE", "FR")
    assert "without an expected location whose country is France" in read_sentence(app)
    assert "Duplicate rule 1" not in [each.help for each in app.button]
    press(app, "Undo: invert rule 1")
    assert read_rule(app, 1)["operator"] == "E"
    open_menu(app, 2)
    assert app.button(key=f"{menu_key(draft_of(app).rules[1].uid)}/contrast").disabled
    assert "The service has no opposite of “starts with” for “City · expected location”." in page_text(app)


def test_none_of_several_values_adds_a_rule_for_each(app: AppTest) -> None:
    open_filter(app, new_filter((COUNTRY, "NE")))
    app.selectbox(key=find_key(app, 1, "value/country")).set_value("FR")
    run(app)
    uid = draft_of(app).rules[0].uid
    open_menu(app, 1).multiselect(key=values_key(uid)).set_value(["BR", "DE"])
    press(run(app), "Add 2 rules")
    assert [rule.payload["columnValue"] for rule in draft_of(app).rules] == ["FR", "BR", "DE"]
    press(app, "Undo: add 2 values to rule 1")
    assert len(draft_of(app).rules) == 1


def test_unreadable_input_is_reported_at_once_and_missing_input_after_an_attempt_to_save(
    app: AppTest,
) -> None:
    """No errors are shown for input that the user has not reached."""
    open_filter(app, new_filter((RECORD_TYPE, "E"), (COUNTRY, "E")))
    assert ":red[" not in page_text(app)
    app.text_input(key=find_key(app, 1, "value/text")).set_value("nine")
    run(app)
    assert "“nine” is not a whole number." in page_text(app)
    assert "Select a country." not in page_text(app)
    assert app.text_input(key=find_key(app, 1, "value/text")).value == "nine"
    open_filter(app, draft_of(app).model_copy(update={"checked": True}))
    assert "Select a country." in page_text(app)
    assert "Enter the ID of the contact field." in page_text(app)
    app.text_input(key=find_key(app, 1, "value/text")).set_value("9")
    app.text_input(key=find_key(app, 1, "field_id/text")).set_value("222")
    app.selectbox(key=find_key(app, 2, "value/country")).set_value("FR")
    run(app)
    assert ":red[" not in page_text(app)
    assert read_rule(app, 1) | {"columnValue": 9, "contactFieldId": 222} == read_rule(app, 1)


def test_an_error_from_the_service_is_shown_at_its_rule_until_the_rule_changes(app: AppTest) -> None:
    """The second rule that is sent is the third on the screen, because one is muted."""
    draft = new_filter((CITY, "E"), (CITY, "NE"), (COUNTRY, "E"))
    draft = rule_steps.mute(draft, draft.rules[1].uid)
    open_filter(
        app, draft.model_copy(update={"refused": [("contactFilterRules[1].columnValue", "No such country here.")]})
    )
    errors = [str(each.value) for each in app.markdown if "No such country here" in str(each.value)]
    assert len(errors) == 1
    app.selectbox(key=find_key(app, 3, "value/country")).set_value("DE")
    run(app)
    assert "No such country here" not in page_text(app)


def test_warnings_are_shown_at_their_rules(app: AppTest) -> None:
    """Such rules can be saved."""
    draft = new_filter((GROUPS, "IN"))
    draft = rule_steps.set_value(draft, draft.rules[0].uid, "value", "310")
    draft = rule_steps.duplicate(draft, draft.rules[0].uid)
    open_filter(app, draft)
    warnings = [str(each.value) for each in app.markdown if ":orange[:material/warning" in str(each.value)]
    assert len(warnings) == 2
    assert ":red[" not in page_text(app)


def test_a_pasted_list_is_added_to_the_values(app: AppTest) -> None:
    """With any separator. Duplicates are dropped, and IDs stay exact."""
    open_filter(app, new_filter((GROUPS, "IN")))
    app.multiselect(key=find_key(app, 1, "value/chips")).set_value(["310"])
    run(app)
    uid = draft_of(app).rules[0].uid
    app.session_state[f"{rule_actions.PREFIX}.paste/{uid}/opens/0"] = True
    run(app)
    app.text_area(key=f"{rule_actions.PREFIX}.paste/{uid}/text/0").set_value("311; 310\n9007199254740993")
    press(app, "Add to the list")
    assert read_rule(app, 1)["columnValue"] == [310, 311, 9007199254740993]
    assert app.multiselect(key=find_key(app, 1, "value/chips")).value == ["310", "311", "9007199254740993"]
    assert not [each for each in app.text_area if str(each.key).startswith(f"{rule_actions.PREFIX}.paste/")]
    press(app, "Undo: paste a list into rule 1")
    assert app.multiselect(key=find_key(app, 1, "value/chips")).value == ["310"]


def test_a_value_with_a_separator_has_a_note_that_it_is_not_split(app: AppTest) -> None:
    open_filter(app, new_filter(("addressGeoCodingSource|SYSTEM_OBJECT|address", "IN")))
    app.multiselect(key=find_key(app, 1, "value/chips")).set_value(["Manual, GPS", "Manual"])
    run(app)
    assert read_rule(app, 1)["columnValue"] == ["Manual, GPS", "Manual"]
    assert "“Manual, GPS” is 1 value and is not split. To add several values, paste a list." in page_text(app)
    assert page_text(app).count("is not split") == 1
    open_filter(app, new_filter(("city|SYSTEM_OBJECT|address", "E")))
    app.text_input(key=find_key(app, 1, "value/text")).set_value("Paris; Lyon")
    run(app)
    assert "“Paris; Lyon” is 1 value and is not split." in page_text(app)


def test_numbers_typed_as_one_value_of_a_list_are_split(app: AppTest) -> None:
    open_filter(app, new_filter(("groups|SYSTEM_ARRAY|", "IN")))
    app.multiselect(key=find_key(app, 1, "value/chips")).set_value(["310 311", "312, 313"])
    run(app)
    assert read_rule(app, 1)["columnValue"] == [310, 311, 312, 313]
    assert app.multiselect(key=find_key(app, 1, "value/chips")).value == ["310", "311", "312", "313"]
    assert "is not split" not in page_text(app)


def test_a_search_that_finds_no_column_offers_custom_attributes(app: AppTest) -> None:
    app.session_state[rule_actions.PREFIX + ".add/0"] = True
    run(app)
    app.text_input(key="contact_filter.add/0.find").set_value("passport")
    run(app)
    assert "No column matches “passport”." in page_text(app)
    press(app, "Custom attribute")
    assert draft_of(app).rules[0].payload["type"] == "CUSTOM"


def test_ids_of_contact_fields_are_filled_in_from_the_organizations_filters(
    signed_in: Any, demo_service: RunningService
) -> None:
    """Known IDs are filled in. For unknown IDs, the field explains why it is needed."""
    app = run(signed_in(demo_service, PAGE))
    app.selectbox(key=find_key(app, 1, "column")).set_value(EXTERNAL_ID)
    run(app)
    assert read_rule(app, 1)["contactFieldId"] == 214
    assert not [each for each in app.text_input if "contact field ID" in each.label]
    open_menu(app, 1)
    assert app.text_input(key=find_key(app, 1, "field_id/text")).value == "214"
    app.selectbox(key=find_key(app, 1, "column")).set_value("suffix|SYSTEM|")
    run(app)
    assert "contactFieldId" not in read_rule(app, 1)
    assert "The service requires the ID of this contact field." in page_text(app)
    app.text_input(key=find_key(app, 1, "field_id/text")).set_value("217")
    run(app)
    assert read_rule(app, 1)["contactFieldId"] == 217
    app.selectbox(key=find_key(app, 1, "column")).set_value(CITY)
    run(app)
    assert not [each for each in app.text_input if "contact field ID" in each.label]


def test_a_stored_contact_field_id_is_shown_unchanged(app: AppTest) -> None:
    """The stored value is never interpreted as markup."""
    rule = {"columnName": "firstName", "type": "SYSTEM", "operator": "E", "contactFieldId": "[*here*](//x)"}
    open_filter(app, stored_filter(rule))
    open_menu(app, 1)
    assert app.text_input(key=find_key(app, 1, "field_id/text")).value == "[*here*](//x)"


def test_json_is_opened_with_each_offending_rule_explained(app: AppTest) -> None:
    """Valid rules have no notes. The others are marked in place."""
    app.session_state[rule_actions.PREFIX + ".json_in/opens/0"] = True
    run(app)
    app.text_area(key="contact_filter.json_in/text/0").set_value("{not JSON")
    press(app, "Open JSON")
    assert "The JSON was not opened" in page_text(app)
    assert [rule.payload for rule in draft_of(app).rules] == [{}]
    good = {
        "columnName": "firstName", "type": "SYSTEM", "dataType": "STRING", "operator": "LIKE",
        "contactFilterOption": "LIKE", "contactFieldId": 210, "columnValue": "An",
    }  # fmt: skip
    bad = {**good, "columnName": "shoeSize", "columnValue": 44}
    text = json.dumps({"name": "From elsewhere", "contactFilterRules": [good, bad]})
    app.text_area(key="contact_filter.json_in/text/0").set_value(text)
    press(app, "Open JSON")
    assert draft_of(app).name == "From elsewhere"
    assert app.text_input(key=key_of(app, PREFIX, draft_of(app).uid, "name")).value == "From elsewhere"
    assert [rule.payload for rule in draft_of(app).rules] == [good, bad]
    assert "Rule 2: “shoeSize” is not a column that a filter can use." in page_text(app)
    # At its rule, and in the bar at the bottom.
    assert len([each for each in app.markdown if "shoeSize” is not a column" in str(each.value).replace("\\", "")]) == 2
    assert app.selectbox(key=find_key(app, 2, "column")).value == "?"
    assert app.text_input(key=find_key(app, 2, "value/text")).value == "44"
    press(app, "Dismiss")
    assert "From elsewhere" in page_text(app)
    assert not app.warning
    app.session_state[rule_actions.PREFIX + ".json"] = True
    run(app)
    assert json.loads(app.code[-1].value)["contactFilterRules"] == [good, bad]
    press(app, "Undo: open JSON")
    assert [rule.payload for rule in draft_of(app).rules] == [{}]


def test_invalid_stored_rules_are_marked_and_unchanged(app: AppTest) -> None:
    """Unknown column, different operator and option, no value, numbers in a text list: drawn, marked, unchanged."""
    rules: list[dict[str, Any]] = [
        {"id": 71, "columnName": "shoeSize", "type": "SYSTEM", "dataType": "NUMBER", "operator": "EQ",
         "columnValue": 44},
        {
            "id": 72, "contactFieldId": 211, "columnName": "lastName", "columnValue": "Sm", "type": "SYSTEM",
            "dataType": "STRING", "operator": "STARTWITH", "contactFilterOption": "LIKE",
        },
        {"id": 73, "contactFieldId": 231, "columnName": "userId", "type": "SYSTEM", "dataType": "NUMBER",
         "operator": "NOTNULL"},
        {"id": 74, "attributeId": 4010, "attributeValues": [4711, "4713"], "type": "CUSTOM_ARRAY",
         "dataType": "NUMBER", "operator": "IN", "contactFilterOption": "IN"},
        {"id": 75, "columnName": "firstName", "type": "SYSTEM", "dataType": "STRING", "contactFilterOption": "E"},
    ]  # fmt: skip
    draft = stored_filter(*rules)
    open_filter(app, draft)
    run(app)
    assert [rule.payload for rule in draft_of(app).rules] == rules
    assert all(rule.is_untouched for rule in draft_of(app).rules)
    text = page_text(app)
    assert "The rule has two comparisons, “starts with” and “contains”. Select one." in text
    assert "Select a comparison." in text
    assert "Saving the filter doesn’t change it unless you edit the rule." in text
    press(app, "Use “contains”")
    assert read_rule(app, 2)["operator"] == read_rule(app, 2)["contactFilterOption"] == "LIKE"
    assert app.selectbox(key=find_key(app, 2, "operator")).value == "LIKE"
    app.session_state[f"contact_filter.raw/{draft.rules[0].uid}"] = True
    run(app)
    assert rules[0] in [json.loads(each.value) for each in app.code]
    app.text_input(key=find_key(app, 1, "value/text")).set_value("45")
    run(app)
    assert read_rule(app, 1) == {**rules[0], "columnValue": 45}


def test_demo_filters_open_and_would_be_sent_back_unchanged(signed_in: Any, demo_service: RunningService) -> None:
    """Every demo filter, old ones included, is drawn once, and its JSON has the rules as stored."""
    app = run(signed_in(demo_service, PAGE))
    client = signed_in.workspace.client
    filters = [client.contact_filters.retrieve(each.id) for each in client.contact_filters.list()]
    rules = [rule.to_wire() for each in filters for rule in each.rules]
    assert len(rules) > 30
    open_filter(app, stored_filter(*rules))
    run(app)
    assert all(rule.is_untouched for rule in draft_of(app).rules)
    assert json.loads(to_json(draft_of(app)))["contactFilterRules"] == rules
