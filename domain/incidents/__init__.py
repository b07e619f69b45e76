"""Find who is affected by an incident: areas on the ellipsoid, times, the people in them, and the reasons. A
notebook can use the package as well as a screen; see `docs/who-is-affected.md`.
"""
