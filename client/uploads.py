"""Files to upload: opened once, measured before anything is sent, and streamed."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .errors import FieldError, Invalid

FileSource = Path | bytes | BinaryIO
"""A path, the content, or an open binary file, which is read from its start and stays open."""


@dataclass(frozen=True, slots=True)
class Upload:
    """An open file as the only part of a multipart request. `size` is in bytes."""

    field: str
    file_name: str
    file: BinaryIO
    size: int
    content_type: str

    def summary(self) -> dict[str, object]:
        """Return what can be shown of the file."""
        return {self.field: {"fileName": self.file_name, "bytes": self.size}}


def name_of(source: FileSource, file_name: str | None) -> str:
    """Return the name to send a file under: the given name or its own, without folders; blank if it has none."""
    own = source if isinstance(source, Path) else getattr(source, "name", None)
    name = file_name if file_name is not None else own if isinstance(own, str | Path) else ""
    return str(name).replace("\\", "/").rpartition("/")[2].strip()


@contextmanager
def opened(source: FileSource, file_name: str, content_type: str) -> Iterator[Upload]:
    """Open and measure a file. Raises `Invalid` with a message for people if it cannot be read."""
    if isinstance(source, bytes):
        yield Upload("file", file_name, io.BytesIO(source), len(source), content_type)
        return
    if isinstance(source, Path):
        try:
            file = source.open("rb")
        except OSError as cause:
            raise _unreadable(f"“{source.name}” cannot be opened.") from cause
        with file:
            yield Upload("file", file_name, file, os.fstat(file.fileno()).st_size, content_type)
        return
    try:
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
    except (OSError, ValueError, AttributeError) as cause:
        raise _unreadable("The size of the file cannot be determined before it is sent.") from cause
    if isinstance(source, io.TextIOBase):
        raise _unreadable("The file is open as text. Open it as binary.")
    yield Upload("file", file_name, source, size, content_type)


def _unreadable(words: str) -> Invalid:
    return Invalid(words, field_errors=[FieldError("file", words)], sent=False)
