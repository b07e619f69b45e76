"""Assets: files to add, edit, or delete them, and the list of those that were sent from Muster."""
