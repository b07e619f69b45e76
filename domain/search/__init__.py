"""Search everything that Muster knows, and answer typed questions about where people are."""
