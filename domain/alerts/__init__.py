"""Public alerts: the draft, its request, its problems, its levels and texts."""
