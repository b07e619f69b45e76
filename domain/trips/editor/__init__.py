"""The draft of a trip, and what sending it changes."""
