"""Notifications, and the public-alert channel in them."""
