"""Sending a public alert once: facts for the review, approval, alerts in force, and follow-ups."""
