"""The frame around every page: session, sign-in, navigation, URL, notices, and access control."""
