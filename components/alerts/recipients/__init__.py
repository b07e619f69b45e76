"""The recipients of a public alert: search, map, saved areas, and a summary."""
