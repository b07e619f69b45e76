"""The log: one line per event on standard error. Errors are logged by type and place, never by text, which may quote
values.
"""

from __future__ import annotations

import logging
import traceback
from types import TracebackType
from typing import TypeAlias

_ErrorInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class WithoutTexts(logging.Formatter):
    """Formats an error by its type and where it passed."""

    def formatException(self, ei: _ErrorInfo) -> str:  # noqa: N802 (the name is logging's)
        """Return the error and its causes, with the innermost place last."""
        lines = []
        error = ei[1]
        while error is not None:
            lines.append(f"{type(error).__module__}.{type(error).__qualname__}")
            frames = traceback.extract_tb(error.__traceback__)
            lines.extend(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n".join(lines)


def set_up_logs() -> None:
    """Log warnings and errors, also those of the web server."""
    handler = logging.StreamHandler()
    handler.setFormatter(WithoutTexts("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
