"""The text of a public alert: its length as a text message, what it lacks, and what contradicts it."""
