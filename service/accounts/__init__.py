"""Organizations, users with access to them, and authentication."""
