"""Notifications and their public alerts."""
