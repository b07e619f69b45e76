"""Assets: the rows of files, and the assets that were sent."""
