"""Sending a public alert once: review, countdown, approval by a second person, lost answers, what comes afterwards."""
