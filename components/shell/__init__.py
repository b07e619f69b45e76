"""The frame around every page: settings, session, sign-in, navigation, notices, and the embedded service's life.

Nothing here knows of trips or travellers, but `demo_roster`, which gives the demo organization its first roster.
"""
