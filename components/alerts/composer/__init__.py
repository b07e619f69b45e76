"""The composer of public alerts: event, message, recipients, and drafts."""
