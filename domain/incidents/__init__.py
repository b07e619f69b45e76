"""Who is affected by an incident: areas on the ellipsoid, times, the people in them, and why.

Usable from a notebook as from a screen; `docs/who-is-affected.md` shows how.
"""
