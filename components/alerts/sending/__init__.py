"""Sending a public alert once: review, countdown, approval, lost responses, and follow-ups."""
