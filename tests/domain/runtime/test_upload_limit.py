"""The size limit of an upload is the same in the pages, the web framework, and the documented proxy settings."""

import re
import tomllib

from domain.file_import.delimited import MAX_BYTES, MEGABYTE
from domain.runtime.settings import PROJECT


def test_pages_framework_and_documents_agree_on_the_largest_upload():
    configured = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text())["server"]["maxUploadSize"]
    documented = re.findall(r"client_max_body_size (\d+)m", (PROJECT / "docs" / "operations.md").read_text())
    assert {configured, MAX_BYTES // MEGABYTE, *map(int, documented)} == {25}
