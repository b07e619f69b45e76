"""What can be asked of a path: every route's methods together, for the `Allow` header of a 405."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import BaseRoute, Route


def allowed_methods(application: FastAPI, path: str) -> str:
    """The methods of all routes that the path fits, as the header lists them.

    The framework's own header names those of the first route alone.
    """
    methods = {
        method
        for route in application.routes
        for candidate in _routes_of(route)
        if isinstance(candidate, Route) and candidate.path_regex.match(path)
        for method in candidate.methods or ()
    }
    return ", ".join(sorted(methods))


def _routes_of(route: BaseRoute) -> list[BaseRoute]:
    # An included router stands in the list as one route that holds it.
    router = getattr(route, "original_router", None)
    return [route] if router is None else list(router.routes)
