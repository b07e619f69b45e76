"""Access tokens, attempts, and who is signed in."""
