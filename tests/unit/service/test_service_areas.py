"""The list of areas: every package of the service is in it, and its tables are made whoever opens the database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from service import areas
from service.application import modules_of_areas
from service.schema import metadata

SERVICE = Path(areas.__file__).parent


def test_every_package_with_tables_or_routes_is_in_the_list() -> None:
    """A new area is one more name."""
    found = {path.parent.name for name in ("schema.py", "routes.py") for path in SERVICE.glob(f"*/{name}")}
    assert found == set(areas.AREAS)


def test_a_database_has_every_table_whoever_opens_it(tmp_path: Path) -> None:
    """Also a program that has imported nothing but the database."""
    modules_of_areas("routes")
    program = (
        "import sys\n"
        "from sqlalchemy import inspect\n"
        "from service.database import Database\n"
        "database = Database(sys.argv[1])\n"
        "with database.transaction() as connection:\n"
        "    print(*inspect(connection).get_table_names())\n"
        "database.close()"
    )
    url = f"sqlite:///{tmp_path / 'service.sqlite'}"
    done = subprocess.run(
        [sys.executable, "-c", program, url], cwd=SERVICE.parent, capture_output=True, text=True, check=True
    )
    assert {name for name in done.stdout.split() if not name.startswith("sqlite_")} == set(metadata.tables)
