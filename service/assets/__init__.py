"""Assets: batches of things and sites to create, update, and delete."""
