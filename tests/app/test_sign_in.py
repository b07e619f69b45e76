"""Signing in and out: each error at its field, sessions shared by tabs, and every page protected."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.shell import sidebar
from components.shell.page_redraw import IS_BY_TIMER
from components.shell.session import TICKET, TOKEN
from components.shell.sidebar import SIGN_OUT
from domain.runtime import screens
from domain.runtime.attempts import PERSON_LIMIT
from domain.runtime.background import BackgroundRead
from domain.runtime.server import Server, server, use_server
from domain.runtime.session_store import COOKIE, SessionStore
from domain.runtime.settings import settings
from domain.runtime.sign_in_check import Refusal, check_sign_in
from domain.text.plain_text import plain
from service.accounts.provisioning import add_user
from service.accounts.tokens import sign
from service.database import Database
from tests.app.conftest import FRAME
from tests.running_service import OTHER_ORGANIZATION_ID


def type_in(app: AppTest, *, organization: str = "", user: str = "", password: str = "") -> AppTest:
    app.text_input(key="sign_in.organization").input(organization)
    app.text_input(key="sign_in.username").input(user)
    password_field(app).input(password)
    return next(button for button in app.button if button.label == "Sign in").click().run()


def password_field(app: AppTest) -> Any:
    return next(field for field in app.text_input if field.label == "Password")


def read_fields(app: AppTest) -> tuple[str, str, str]:
    fields = {field.label: field.value for field in app.text_input}
    return fields["Organization"], fields["User"], fields["Password"]


def list_errors(app: AppTest) -> list[str]:
    return [line.value for line in app.markdown if ":red[" in line.value]


def is_signed_in(app: AppTest) -> bool:
    return SIGN_OUT in [option for menu in app.sidebar.get("menu_button") for option in menu.proto.options]


def test_only_the_sign_in_is_shown_before_sign_in(signed_out_app: AppTest):
    app = signed_out_app.run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Sign in"]
    assert not is_signed_in(app)
    assert app.caption[0].value == "Service: 127.0.0.1:9"


def test_valid_credentials_open_the_page(service: Any, use_service: Any, signed_out_app: AppTest):
    use_service(service)
    signed_out_app.run()
    signed_out_app.switch_page(screens.CONNECTION.page)
    app = type_in(signed_out_app.run(), organization="8800", user=service.username, password=service.password)
    assert not app.exception
    assert is_signed_in(app)
    assert app.title[0].value == "Connection"
    assert server().sessions.peek(app.session_state[TOKEN.name]).actor.username == "ana"
    assert service.password not in str(app.session_state._state.filtered_state)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"password": "wrong"}, "user name or password is wrong"),
        ({"user": "nobody"}, "user name or password is wrong"),
        ({"organization": "9900"}, "The organization does not exist"),
        ({"organization": "123456"}, "The organization does not exist"),
    ],
)
def test_an_error_is_shown_at_its_field_and_the_other_fields_keep_their_values(
    change: dict[str, str], message: str, service: Any, use_service: Any, signed_out_app: AppTest
):
    use_service(service)
    fields = {"organization": "8800", "user": service.username, "password": service.password} | change
    app = type_in(signed_out_app.run(), **fields)
    assert not app.exception
    assert not app.error
    assert len(list_errors(app)) == 1
    assert message in list_errors(app)[0]
    assert read_fields(app) == (fields["organization"], fields["user"], "")
    assert not is_signed_in(app)


def test_the_correct_password_signs_in_after_a_rejection(service: Any, use_service: Any, signed_out_app: AppTest):
    use_service(service)
    app = type_in(signed_out_app.run(), organization="8800", user=service.username, password="wrong")
    password_field(app).input(service.password)
    app = next(button for button in app.button if button.label == "Sign in").click().run()
    assert is_signed_in(app)


def test_an_access_token_stays_in_its_field_after_a_wrong_password(
    service: Any, use_service: Any, signed_out_app: AppTest
):
    use_service(service)
    app, token = signed_out_app.run(), sign("x" * 40, service.username)
    next(field for field in app.text_input if field.label.startswith("Access token")).input(token)
    app = type_in(app, organization="8800", user=service.username, password="wrong")
    assert next(field for field in app.text_input if field.label.startswith("Access token")).value == token


def test_an_unreachable_service_is_reported_above_the_fields(signed_out_app: AppTest):
    app = type_in(signed_out_app.run(), organization="8800", user="ana", password="right")
    assert not app.exception
    assert list_errors(app) == []
    assert "cannot be reached" in app.error[0].value
    assert "127.0.0.1:9" in app.error[0].value
    assert read_fields(app) == ("8800", "ana", "")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ["Enter the number", "Enter your user name", "Enter your password"]),
        ({"organization": "Acme", "user": "ana", "password": "x"}, ["whole number"]),
        ({"organization": "-5", "user": "ana", "password": "x"}, ["whole number"]),
        ({"organization": str(2**63), "user": "ana", "password": "x"}, ["whole number"]),
        ({"organization": "8800", "user": "a:b", "password": "x"}, ["cannot contain a colon"]),
    ],
)
def test_missing_or_invalid_values_are_reported_without_a_request(
    fields: dict[str, str], words: list[str], signed_out_app: AppTest
):
    app = type_in(signed_out_app.run(), **fields)
    assert not app.error
    assert len(list_errors(app)) == len(words)
    assert all(word in refusal for word, refusal in zip(words, list_errors(app), strict=True))


def test_sign_in_attempts_with_wrong_passwords_are_limited(service: Any, use_service: Any, signed_out_app: AppTest):
    use_service(service)
    app = signed_out_app.run()
    for _ in range(PERSON_LIMIT):
        app = type_in(app, organization="8800", user=service.username, password="wrong")
    app = type_in(app, organization="8800", user=service.username, password=service.password)
    assert not is_signed_in(app)
    assert "Too many wrong passwords" in list_errors(app)[0]


def test_simultaneous_wrong_passwords_reach_the_service_only_up_to_the_limit(service: Any, use_service: Any):
    used_server = use_service(service)
    guess = partial(check_sign_in, used_server, organization="8800", username="ana", address="10.0.0.1")
    with ThreadPoolExecutor(24) as pool:
        results = list(pool.map(lambda number: guess(password=f"wrong {number}"), range(24)))
    messages = [result.words["password"] for result in results if isinstance(result, Refusal)]
    assert sum("is wrong" in message for message in messages) == PERSON_LIMIT
    assert sum("Too many" in message for message in messages) == 24 - PERSON_LIMIT


def test_changing_the_organization_allows_no_extra_attempts(service: Any, use_service: Any):
    used_server = use_service(service)
    guess = partial(check_sign_in, used_server, username="ana", password="wrong", address="10.0.0.1")
    results = [guess(organization=str(8800 + number)) for number in range(PERSON_LIMIT + 1)]
    assert isinstance(results[-1], Refusal)
    assert "Too many" in results[-1].words["password"]


def test_attempts_during_an_outage_do_not_count_toward_the_limit(use_service: Any):
    results = [
        check_sign_in(server(), organization="8800", username="ana", password="right", address="10.0.0.1")
        for _ in range(PERSON_LIMIT + 1)
    ]
    assert all(isinstance(result, Refusal) and "service" in result.words for result in results)


def test_after_a_restart_every_tab_explains_the_new_sign_in(signed_out_app: AppTest, browser: Any):
    browser.cookies[COOKIE] = "of the process before"
    for app in (signed_out_app.run(), AppTest.from_file(FRAME, default_timeout=60).run()):
        assert "Muster restarted. Sent changes are in the Journal." in app.info[0].value
        assert not any('data-ended="yes"' in str(element) for element in app.main), "the message appears in every tab"


def test_an_unusable_journal_is_reported_at_the_sign_in_with_its_cause(
    service: Any, use_service: Any, signed_out_app: AppTest
):
    used_server = use_service(service)
    used_server.settings.data_path.mkdir(parents=True, exist_ok=True)
    (used_server.settings.data_path / "journal.sqlite").write_bytes(b"no database" * 1000)
    app = type_in(signed_out_app.run(), organization="8800", user=service.username, password=service.password)
    assert "journal is not available" in app.error[0].value
    assert "is a file of another format" in app.error[0].value
    assert not is_signed_in(app)


def test_a_second_tab_shares_the_session_and_signing_out_ends_both(
    signed_in: Any, service: Any, browser: Any, signed_out_app: AppTest
):
    first = signed_in(service, screens.CONNECTION.page).run()
    second = signed_out_app.run()
    assert not is_signed_in(second)
    browser.cookies[COOKIE] = first.session_state[TOKEN.name]
    second.switch_page(screens.CONNECTION.page).run()
    assert is_signed_in(second)

    first.button(key="connection.sign_out").click().run()
    assert first.title[0].value == "Sign in"
    assert "You are signed out in all tabs" in first.info[0].value
    second.run()
    assert second.title[0].value == "Sign in"
    assert not second.exception

    # The cookie that Streamlit reports may belong to an earlier session, which no longer exists.
    browser.cookies[COOKIE] = "of a session before a restart"
    first.run()
    assert "You are signed out in all tabs" in first.info[0].value

    second = type_in(second, organization="8800", user=service.username, password=service.password)
    assert is_signed_in(second)


def test_an_idle_session_ends_with_a_message(signed_in: Any, service: Any, monkeypatch: pytest.MonkeyPatch):
    app = signed_in(service, screens.CONNECTION.page).run()
    sessions = server().sessions
    now = sessions._clock()
    monkeypatch.setattr(sessions, "_clock", lambda: now + 30 * 60)
    app.run()
    assert app.title[0].value == "Sign in"
    assert "after 30 minutes without activity" in app.info[0].value
    assert not app.exception


def test_a_page_that_redraws_itself_does_not_keep_a_session_alive(
    signed_in: Any, service: Any, monkeypatch: pytest.MonkeyPatch
):
    app = signed_in(service, screens.CONNECTION.page).run()
    sessions = server().sessions
    began = sessions._clock()
    for minutes, by_timer in ((20, False), (40, True), (45, True), (51, True)):
        app.session_state[IS_BY_TIMER.name] = by_timer
        monkeypatch.setattr(sessions, "_clock", lambda now=began + minutes * 60: now)
        app.run()
        assert is_signed_in(app) is (minutes < 50)


def test_a_sign_in_creates_a_cookie_ticket_that_is_requested_until_redeemed(
    service: Any, use_service: Any, signed_out_app: AppTest
):
    use_service(service)
    signed_out_app.run()
    signed_out_app.switch_page(screens.CONNECTION.page)
    app = type_in(signed_out_app.run(), organization="8800", user=service.username, password=service.password)
    ticket = app.session_state[TICKET.name]
    scripts = [each.proto.body for each in app.sidebar.get("html") if "/session/" in each.proto.body]
    assert len(scripts) == 1
    assert f'data-ticket="{ticket}"' in scripts[0]
    assert server().sessions.redeem(ticket, bound_to="AppTest") == app.session_state[TOKEN.name]
    app.run()
    assert not [each for each in app.sidebar.get("html") if "/session/" in each.proto.body]


def test_an_organization_id_may_contain_spaces(service: Any, use_service: Any, signed_out_app: AppTest):
    use_service(service)
    app = type_in(signed_out_app.run(), organization=" 8 800 ", user=service.username, password=service.password)
    assert is_signed_in(app)


def test_no_page_is_drawn_before_the_browser_has_its_cookie(
    service: Any, use_service: Any, signed_out_app: AppTest, monkeypatch: pytest.MonkeyPatch
):
    """So every page that a user sees can be reloaded."""
    use_service(service)
    monkeypatch.setattr(SessionStore, "wait_until_spent", lambda *_: st.stop())
    app = type_in(signed_out_app.run(), organization="8800", user=service.username, password=service.password)
    assert "data-ticket" in app.sidebar.get("html")[0].proto.body
    assert not is_signed_in(app)
    assert len(app.title) == 0


def test_a_second_user_in_the_same_tab_sees_no_data_of_the_first(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.session_state["trip_editor.draft"] = "Silva"
    app.run()
    other = server().workspace(server().client(server().connection(organization_id=8800, username="ben", password="x")))
    app.session_state[TOKEN.name] = server().sessions.open(other)
    app.run()
    assert "trip_editor.draft" not in app.session_state


def test_after_an_idle_timeout_the_same_user_finds_their_work_again(
    signed_in: Any, service: Any, monkeypatch: pytest.MonkeyPatch
):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.session_state["trip_editor.draft"] = "Silva"
    app.run()
    sessions = server().sessions
    now = sessions._clock()
    monkeypatch.setattr(sessions, "_clock", lambda: now + 30 * 60)
    app.run()
    app = type_in(app, organization="8800", user=service.username, password=service.password)
    assert is_signed_in(app)
    assert app.session_state["trip_editor.draft"] == "Silva"


def test_signing_out_clears_the_state_of_the_tab(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.session_state["trip_editor.draft"] = "Silva"
    app.button(key="connection.sign_out").click().run()
    assert "trip_editor.draft" not in app.session_state


@pytest.mark.parametrize("screen", screens.ALL, ids=lambda screen: screen.title)
def test_the_app_frame_and_each_page_require_a_sign_in(screen: screens.Screen, signed_out_app: AppTest):
    signed_out_app.run()
    signed_out_app.switch_page(screen.page)
    framed = signed_out_app.run()
    assert [title.value for title in framed.title] == ["Sign in"]
    assert not framed.exception

    alone = AppTest.from_file(str((find_page_folder() / screen.page).resolve()), default_timeout=60).run()
    assert not alone.exception
    assert len(alone.main.children) == 0


def find_page_folder() -> Any:
    return Path(screens.__file__).parent


def test_a_service_other_than_the_demo_has_a_banner(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    assert "Live service" in app.info[0].value
    assert "ana · 8800" in app.info[0].value
    assert plain(service.url.removeprefix("http://")) in app.info[0].value


class FakeEmbeddedService:
    """An embedded service whose state is set by the test."""

    def __init__(self, phase: str, url: str | None) -> None:
        from domain.runtime.embedded_service import Condition

        self.condition = Condition(phase, url, 0)  # type: ignore[arg-type]

    def stop(self) -> None:
        """Do nothing: no process is running."""


@pytest.fixture
def use_embedded(monkeypatch: pytest.MonkeyPatch) -> Any:
    def create_server(phase: str, url: str | None = None, demo: Any = "ready") -> Server:
        monkeypatch.delenv("MUSTER_SERVICE_URL")
        settings.cache_clear()
        use_server(None)
        used_server = server()
        used_server.embedded = FakeEmbeddedService(phase, url)  # type: ignore[assignment]
        used_server.demo = demo
        return used_server

    return create_server


@pytest.mark.parametrize(
    ("phase", "demo", "words"),
    [
        ("starting", "waiting", "is starting its own service"),
        ("ready", "waiting", "is starting its own service"),
        ("restarting", "ready", "stopped and is restarting"),
    ],
)
def test_the_sign_in_reports_an_embedded_service_or_demo_that_is_not_ready(
    phase: str, demo: str, words: str, use_embedded: Any, signed_out_app: AppTest
):
    use_embedded(phase, demo=demo)
    app = signed_out_app.run()
    notes = [*app.info, *app.warning]
    assert words in notes[0].value
    assert not any(button.label == "Open the demo organization" for button in app.button)


def test_one_button_opens_the_demo_organization(demo_service: Any, use_embedded: Any, signed_out_app: AppTest):
    use_embedded("ready", demo_service.url)
    signed_out_app.run()
    signed_out_app.switch_page(screens.CONNECTION.page)
    app = signed_out_app.run()
    app.button(key="sign_in.demo").click().run()
    assert not app.exception
    assert is_signed_in(app)
    assert app.caption[0].value == "Demo organization"
    assert any("gets the demo organization’s access token when" in line.value for line in app.markdown)
    assert not app.info


def test_a_demo_with_another_password_says_which_setting_to_fix(
    demo_service: Any, use_embedded: Any, signed_out_app: AppTest, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MUSTER_SERVICE_DEMO_PASSWORD", "another")
    use_embedded("ready", demo_service.url)
    app = signed_out_app.run()
    app.button(key="sign_in.demo").click().run()
    assert "MUSTER_SERVICE_DEMO_PASSWORD" in app.error[0].value


def give_token(app: AppTest, token: str) -> AppTest:
    next(field for field in app.text_input if field.label == "Access token (JWT)").input(token)
    return app.button(key="access_token.use").click().run()


def test_an_access_token_added_after_sign_in_applies_to_every_tab(signed_in: Any, service: Any, browser: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    assert any("You have not entered an access token" in line.value for line in app.markdown)
    browser.cookies[COOKIE] = app.session_state[TOKEN.name]
    before = signed_in.workspace.client
    give_token(app, f"Bearer {service.token()}")
    assert not app.exception
    assert any("The access token expires" in line.value for line in app.markdown)
    workspace = server().sessions.peek(app.session_state[TOKEN.name])
    assert workspace.client.lookup_mappings.search().items == []
    assert workspace.client is not before
    second = AppTest.from_file(FRAME, default_timeout=60).run()
    second.switch_page(screens.CONNECTION.page).run()
    assert any("The access token expires" in line.value for line in second.markdown)
    assert service.token() not in str(app.session_state._state.filtered_state)


def create_other_token(service: Any) -> str:
    """Return a valid token of a user without access to the organization of the session."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        add_user(connection, "eve", "x", [OTHER_ORGANIZATION_ID], display_name=None)
    return service.token("eve")


@pytest.mark.parametrize(
    ("create_token", "words"),
    [
        (lambda service: "", "Paste an access token"),
        (lambda service: "no token", "3 parts separated by periods"),
        (lambda service: sign("x" * 40, "ana", now=1_000_000_000), "expired"),
        (lambda service: sign("x" * 40, "ana"), "does not accept this access token"),
        (lambda service: create_other_token(service), "has no access to organization 8800"),
    ],
    ids=["nothing", "no token", "expired", "forged", "of another organization"],
)
def test_a_rejected_access_token_is_explained_at_its_field(
    create_token: Any, words: str, signed_in: Any, service: Any, use_service: Any
):
    app = signed_in(service, screens.CONNECTION.page).run()
    before = server().sessions.peek(app.session_state[TOKEN.name])
    give_token(app, create_token(service))
    assert not app.exception
    assert any(words in line.value for line in app.markdown if ":red[" in line.value)
    assert server().sessions.peek(app.session_state[TOKEN.name]) is before


def test_an_access_token_can_be_entered_at_sign_in(service: Any, use_service: Any, signed_out_app: AppTest):
    use_service(service)
    signed_out_app.run()
    field = next(field for field in signed_out_app.text_input if field.label == "Access token (JWT)")
    field.input("no token")
    app = type_in(signed_out_app, organization="8800", user=service.username, password=service.password)
    assert "3 parts separated by periods" in list_errors(app)[0]
    assert not is_signed_in(app)
    next(field for field in app.text_input if field.label == "Access token (JWT)").input(service.token())
    app = type_in(app, organization="8800", user=service.username, password=service.password)
    assert is_signed_in(app)
    workspace = server().sessions.peek(app.session_state[TOKEN.name])
    assert workspace.client.lookup_mappings.search().items == []


def test_adding_a_token_preserves_loaded_data_and_running_reads(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    before, reads = signed_in.workspace, server().reads
    name, load = ("roster", 1), BackgroundRead("a roster", lambda _: 1, timedelta(minutes=2))
    reads.get_or_create(before, name, lambda: load, of_organization=True)
    give_token(app, service.token())
    after = server().sessions.peek(app.session_state[TOKEN.name])
    assert after.connection.fingerprint == before.connection.fingerprint
    assert reads.get_or_create(after, name, lambda: pytest.fail("the read was dropped"), of_organization=True) is load
    app.button(key="connection.sign_out").click().run()
    assert len(reads) == 0


def test_every_run_has_its_own_pages_which_are_created_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit modifies the page objects of a run."""

    def script() -> None:
        import streamlit as st

        from components.shell import sidebar

        st.session_state["pages"] = [page for section in sidebar.pages().values() for page in section]

    created: list[object] = []
    monkeypatch.setattr(
        st,
        "Page",
        lambda *arguments, original=st.Page, **options: created.append(arguments) or original(*arguments, **options),
    )
    sidebar._pages.cache_clear()
    app = AppTest.from_function(script).run()
    first = app.session_state["pages"]
    second = app.run().session_state["pages"]
    assert len(created) == len(screens.ALL) == len(first)
    assert [page.title for page in first] == [page.title for page in second] == [each.title for each in screens.ALL]
    assert not {id(page) for page in first} & {id(page) for page in second}
