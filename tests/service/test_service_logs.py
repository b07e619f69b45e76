"""The service's log: the type and location of an error, without values."""

from __future__ import annotations

import io
import logging

from service.logs import WithoutTexts


def test_an_error_is_logged_without_its_values() -> None:
    """The log has the types of the error and its cause, and the code locations."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(WithoutTexts("%(levelname)s %(name)s: %(message)s"))
    logger = logging.Logger("service")
    logger.addHandler(handler)
    try:
        try:
            int("Jane Doe")
        except ValueError as error:
            raise KeyError("Jane Doe") from error
    except KeyError:
        logger.exception("Upload %s cannot be processed", 5)
    log_text = stream.getvalue()
    assert log_text.startswith("ERROR service: Upload 5 cannot be processed\nbuiltins.KeyError\n  ")
    assert "builtins.ValueError" in log_text
    assert "test_an_error_is_logged_without_its_values" in log_text
    assert "Jane" not in log_text
