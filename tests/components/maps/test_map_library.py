"""The vendored map library."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "static" / "map"


def test_the_vendored_map_library_matches_its_checksums() -> None:
    lines = [line.split() for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()]
    digests = {words[1]: words[0] for words in lines if len(words) == 2 and len(words[0]) == 64}
    assert len(digests) == 3
    for name, digest in digests.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest
