"""Unexpected errors: their reference is in the log, their text is not."""

import logging
import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.shell.script_errors import keep_error_texts_out_of_the_log, record


def raise_error(name: str) -> None:
    try:
        _ = {}[name]
    except KeyError as error:
        raise ValueError(f"cannot place {name}") from error


def test_the_log_has_the_reference_type_and_location_of_an_error_but_not_its_text(caplog: pytest.LogCaptureFixture):
    with pytest.raises(ValueError, match="Silva") as raised:
        raise_error("Silva")
    with caplog.at_level(logging.ERROR):
        reference = record(raised.value)
    assert reference in caplog.text
    assert "builtins.ValueError" in caplog.text
    assert "builtins.KeyError" in caplog.text
    assert "tests/components/shell/test_script_errors.py" in caplog.text
    assert "Silva" not in caplog.text


def test_each_error_has_its_own_reference():
    error = ValueError("x")
    assert record(error) != record(error)


@pytest.mark.usefixtures("quiet_logs")
def test_streamlits_log_record_of_the_error_is_dropped(caplog: pytest.LogCaptureFixture):
    framework = logging.getLogger("streamlit.error_util")
    framework.addHandler(caplog.handler)
    try:
        framework.error("Uncaught app execution", exc_info=ValueError("Silva"))
        framework.error("something else")
    finally:
        framework.removeHandler(caplog.handler)
    assert "Silva" not in caplog.text
    assert "something else" in caplog.text


@pytest.fixture
def quiet_logs() -> Iterator[None]:
    factory, hook = logging.getLogRecordFactory(), threading.excepthook
    keep_error_texts_out_of_the_log()
    yield
    logging.setLogRecordFactory(factory)
    threading.excepthook = hook


@pytest.mark.usefixtures("quiet_logs")
def test_no_logger_writes_the_text_of_an_error(caplog: pytest.LogCaptureFixture):
    try:
        raise_error("Silva")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    assert "Exception in ASGI application" in caplog.text
    assert "builtins.ValueError" in caplog.text
    assert "Silva" not in caplog.text


@pytest.mark.usefixtures("quiet_logs")
def test_an_error_that_ends_a_thread_is_in_the_log_without_its_text(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    thread = threading.Thread(target=raise_error, args=("Silva",))
    thread.start()
    thread.join()
    assert "builtins.ValueError" in caplog.text
    assert "Silva" not in caplog.text + capsys.readouterr().err


def test_an_unavailable_journal_is_reported_with_its_cause_on_every_page(
    caplog: pytest.LogCaptureFixture,
):
    def page() -> None:
        from components.shell.script_errors import on_script_error
        from journal import JournalUnavailable

        on_script_error(JournalUnavailable("The journal’s database stayed locked by another program."))

    app = AppTest.from_function(page).run()
    assert "journal is not available" in app.error[0].value
    assert "stayed locked by another program" in app.error[0].value
    assert "stayed locked" in caplog.text
    assert not app.code


def test_the_screen_shows_the_message_with_the_reference_of_the_log(caplog: pytest.LogCaptureFixture):
    def page() -> None:
        from components.shell.script_errors import on_script_error

        on_script_error(ValueError("cannot place Silva"))

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert "Muster failed unexpectedly" in app.error[0].value
    assert f"Reference {app.code[0].value}" in caplog.text
    assert "Silva" not in str(app.main)


def test_streamlits_error_message_is_not_shown():
    def page() -> None:
        import streamlit as st

        from components.shell.script_errors import on_script_error

        st.session_state["answer"] = on_script_error(ValueError("x"))

    assert AppTest.from_function(page).run().session_state["answer"] is True
