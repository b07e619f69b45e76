"""A contact filter on its way to the service: opened, kept as it is typed, reviewed, saved once, deleted."""
