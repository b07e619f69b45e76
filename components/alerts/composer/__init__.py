"""The composer of public alerts: what happens, what the public reads, who receives it, and its drafts."""
