"""The commands as a shell runs them: closed pipes, and files that cannot be read or written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.runtime.settings import PROJECT
from muster.commands import CLOSED_PIPE
from muster.file_errors import explain_read_error, explain_write_error


def test_a_closed_pipe_ends_a_command_silently(tmp_path: Path):
    drafts = tmp_path / "drafts.json"
    drafts.write_text('[{"event": "Gas Leak"}]')
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "muster", "check-alert", str(drafts)]
    ended = subprocess.run(command, cwd=PROJECT, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (CLOSED_PIPE, "")


@pytest.mark.parametrize(
    ("number", "read", "written"),
    [
        (errno.ENOENT, "a does not exist.", "its folder does not exist."),
        (errno.EACCES, "permission to read it.", "permission to write it."),
        (errno.EISDIR, "Name a file.", "a file or folder with this name exists."),
        (errno.EIO, "Check the file and its disk.", "Check the disk and its free space."),
    ],
)
def test_a_file_error_says_what_to_do_without_the_words_of_the_system(number: int, read: str, written: str):
    error = OSError(number, os.strerror(number))
    for message, end in ((explain_read_error(Path("a"), error), read), (explain_write_error("a", error), written)):
        assert message.endswith(end)
        assert os.strerror(number) not in message
