"""What to do about files that cannot be read or written, in one sentence."""

from __future__ import annotations

from pathlib import Path


def explain_read_error(path: Path, error: OSError) -> str:
    """Return why a file or folder cannot be read, without the words of the system."""
    match error:
        case FileNotFoundError():
            return f"{path} does not exist."
        case PermissionError():
            return f"{path} cannot be read. Give this user permission to read it."
        case IsADirectoryError():
            return f"{path} is a folder. Name a file."
        case NotADirectoryError():
            return f"{path} is not a folder."
        case _:
            return f"{path} cannot be read. Check the file and its disk."


def explain_write_error(path: Path | str, error: OSError) -> str:
    """Return why a file cannot be written, without the words of the system."""
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return f"{path} cannot be written, because its folder does not exist."
        case PermissionError():
            return f"{path} cannot be written. Give this user permission to write it."
        case FileExistsError() | IsADirectoryError():
            return f"{path} cannot be written, because a file or folder with this name exists."
        case _:
            return f"{path} cannot be written. Check the disk and its free space."
