"""Dynamic locations: a file of the current locations of people, and its upload."""
