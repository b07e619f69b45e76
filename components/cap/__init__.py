"""Alerts as CAP 1.2, the Common Alerting Protocol of this trade: written, and read as drafts. No drawing."""
