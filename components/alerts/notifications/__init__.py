"""Notifications that were sent, and the events and categories they are filed under."""
