"""Notification categories: names under which notification templates are grouped."""
