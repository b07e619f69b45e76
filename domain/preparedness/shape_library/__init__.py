"""Shapes to upload: read, measured, and fitted to the limits of the service."""
