"""Assets: rows of files, and what was sent of them."""
