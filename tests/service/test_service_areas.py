"""The list of areas, and imports between modules of the service."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from service import areas

SERVICE = Path(areas.__file__).parent
STATEMENTS = {"insert", "select", "update", "delete", "text"}
WITH_STATEMENTS = {"service.records_by_name", "service.named_values", "service.pages"}


def list_imports(path: Path) -> set[str]:
    """Return everything a file imports, as `module.name`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def list_modules() -> dict[str, Path]:
    """Return every module of the service."""
    return {".".join(path.relative_to(SERVICE.parent).with_suffix("").parts): path for path in SERVICE.rglob("*.py")}


def test_every_package_with_tables_or_routes_is_listed() -> None:
    """A new area needs only its name in the list."""
    found = {path.parent.name for name in ("schema.py", "routes.py") for path in SERVICE.glob(f"*/{name}")}
    assert found == set(areas.AREAS)


def test_no_modules_import_each_other_in_a_cycle() -> None:
    """This includes imports within functions and imports for types."""
    paths = list_modules()
    graph = {
        name: {
            one
            for imported_name in list_imports(path)
            for one in (imported_name, imported_name.rpartition(".")[0])
            if one in paths
        }
        for name, path in paths.items()
    }
    assert [*TopologicalSorter(graph).static_order()]


def test_only_repositories_contain_sql_statements() -> None:
    """Rules and routes call named functions."""
    wrong = [
        name
        for name, path in list_modules().items()
        if not name.endswith(".repository")
        and name not in WITH_STATEMENTS
        and not name.startswith("service.migrations.")
        and list_imports(path) & {f"sqlalchemy.{statement}" for statement in STATEMENTS}
    ]
    assert wrong == []
