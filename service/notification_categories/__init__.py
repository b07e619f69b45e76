"""Notification categories: names that group notification templates."""
