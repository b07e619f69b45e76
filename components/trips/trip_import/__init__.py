"""Trips from files: read, checked, sent in batches, reconciled with the service, and undone."""
