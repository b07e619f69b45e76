"""Organizations, the users with access to them, and who is calling."""
