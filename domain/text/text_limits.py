"""How many characters a text field takes, where the interface and the journal give no limit."""

from typing import Final

MAX_LINE: Final = 1_000
"""For a name, a search, or any other text of about a line."""
MAX_TOKEN: Final = 16_000
"""For an access token, which servers take in a header."""
MAX_PASTE: Final = 1_000_000
"""For a pasted list, table, or document. Larger ones are uploaded as files."""
