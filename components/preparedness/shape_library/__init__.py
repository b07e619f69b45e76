"""The shape library: regions that were sent from Muster, and new shapes to check and send."""
