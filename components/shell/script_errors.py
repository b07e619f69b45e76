"""Unexpected errors: a reference on the screen and in the log, and no traceback on the screen.

The log gets the types of errors and their places in the code, but not their texts, which quote personal data.
"""

from __future__ import annotations

import logging
import secrets
import threading
import traceback
from pathlib import Path
from typing import Any, Final

import streamlit as st

from components.shell.notices import show_problem
from domain.runtime.settings import PROJECT
from journal import JournalUnavailable

logger = logging.getLogger(__name__)

_FRAMEWORK_LOGGER: Final = "streamlit.error_util"


def places(error: BaseException) -> list[str]:
    """Return the places of the traceback as `file:line function`, innermost last; own files relative to the project."""
    found = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        name = path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else Path(*path.parts[-3:])
        found.append(f"{name}:{frame.lineno} {frame.name}")
    return found


def record(error: BaseException) -> str:
    """Log the error without its text, and return its reference."""
    reference = secrets.token_hex(4).upper()
    logger.error("Reference %s: unexpected error\n%s", reference, _outline(error))
    return reference


def _outline(error: BaseException) -> str:
    lines = []
    link: BaseException | None = error
    while link is not None:
        kind = type(link)
        lines.append(f"{kind.__module__}.{kind.__qualname__}")
        lines.extend(f"  {place}" for place in places(link))
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return "\n".join(lines)


def on_script_error(error: Exception) -> bool:
    """Draw the error message of a page. True keeps Streamlit from drawing its own."""
    if isinstance(error, JournalUnavailable):
        logger.error("A page could not be drawn: %s", error)
        show_problem(error, key="script-error")
        return True
    reference = record(error)
    st.error(
        "**Muster failed unexpectedly.**  \n"
        "The Journal shows whether your change was made. Reload the page. "
        "If this happens again, give this reference to the administrator of Muster.",
        icon=":material/error:",
    )
    st.code(reference, language=None)
    return True


class _WithoutUncaught(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and "Uncaught app execution" in record.getMessage())


def _log_record(*arguments: Any, **named: Any) -> logging.LogRecord:
    made = logging.LogRecord(*arguments, **named)
    if made.exc_info and made.exc_info[1] is not None:
        made.exc_text = _outline(made.exc_info[1])  # which formatters then write in place of a traceback
    return made


def keep_error_texts_out_of_the_log() -> None:
    """Keep texts of errors out of the log, for all loggers and threads, and drop what `record` has logged."""
    logging.setLogRecordFactory(_log_record)
    threading.excepthook = lambda ended: record(ended.exc_value) if ended.exc_value else None
    logging.getLogger(_FRAMEWORK_LOGGER).addFilter(_WithoutUncaught())


def set_up_logs() -> None:
    """Log to standard error, one line per event, without the texts of errors and the URLs of requests."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for noisy in ("httpx", "httpcore", "watchdog", "PIL"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    keep_error_texts_out_of_the_log()
