"""The log: one line an event on standard error; of an error its kinds and places, never its text: that quotes."""

from __future__ import annotations

import logging
import traceback
from types import TracebackType
from typing import TypeAlias

_ErrorInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class WithoutTexts(logging.Formatter):
    """Writes what an error was and where it passed."""

    def formatException(self, ei: _ErrorInfo) -> str:  # noqa: N802 (the name is logging's)
        """The error and what it came from, innermost place last."""
        lines = []
        error = ei[1]
        while error is not None:
            lines.append(f"{type(error).__module__}.{type(error).__qualname__}")
            frames = traceback.extract_tb(error.__traceback__)
            lines.extend(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n".join(lines)


def set_up_logs() -> None:
    """Write warnings and errors, the web server's too."""
    handler = logging.StreamHandler()
    handler.setFormatter(WithoutTexts("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
