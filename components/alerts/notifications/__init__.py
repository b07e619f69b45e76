"""Screens of sent notifications, notification events, and notification categories."""
