"""Trips read from files: columns, checks, sending, and undo."""
