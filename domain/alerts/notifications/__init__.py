"""Sent notifications, and their events and categories."""
