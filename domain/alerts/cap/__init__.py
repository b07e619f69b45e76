"""Alerts in CAP 1.2, the Common Alerting Protocol: written, and read as drafts."""
