"""Plain text, counts, and times as people read them."""
