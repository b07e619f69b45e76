"""Dynamic locations: rows of files, and their upload."""
