"""The frame around every page: settings, session, sign-in, navigation, notices, and the embedded service's life.

Nothing here knows of trips or travellers.
"""
