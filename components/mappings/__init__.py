"""Lookup mappings: found by attributes and groups, edited as a table, tried out before they are relied on."""
