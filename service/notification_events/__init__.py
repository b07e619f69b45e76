"""Notification events: names that group notifications."""
