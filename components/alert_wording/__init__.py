"""The words of a public alert: what they cost as a text message, what they lack, and what contradicts."""
