"""The text of a public alert: its length as a text message, missing content, and contradictions."""
