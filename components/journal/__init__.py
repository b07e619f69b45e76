"""The journal screen, and the one way in which a call that changes something is written down."""
