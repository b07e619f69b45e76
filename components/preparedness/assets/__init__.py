"""Assets: added, changed and deleted in batches from files, and what this desk knows of them by its journal."""
