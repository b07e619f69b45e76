"""Notification events: names under which notifications are grouped."""
