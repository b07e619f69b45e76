"""The search box, which opens on every screen."""
