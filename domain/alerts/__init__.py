"""Public alerts: drafts, requests, errors, levels, and texts."""
