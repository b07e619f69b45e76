"""Assets: batches of things and sites that are created, updated and deleted, each by itself."""
