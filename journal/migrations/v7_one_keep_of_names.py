"""Version 7: saved wordings and column matches move to the table of named records."""

import json
import unicodedata
from collections import Counter

from alembic import op
from sqlalchemy import BigInteger, Integer, TableClause, Text, column, select, table

from journal.tables import Moment

revision = "v7"
down_revision = "v6"


def _table(name: str, *own: str, **typed: type[Integer]) -> TableClause:
    texts = [column(each, Text) for each in ("service", "name", "saved_by", *own)]
    others = [column(each, kind) for each, kind in typed.items()]
    return table(name, column("organization_id", BigInteger), column("saved_at", Moment), *texts, *others)


_WORDINGS = _table("wordings", "event", "payload")
_MATCHES = _table("column_matches", "kind", "columns")
_KEPT = _table("kept_by_name", "kind", "name_key", "payload", version=Integer)


def upgrade() -> None:
    """Move the records and drop their tables. Of names that differ only in case, the latest is the last version."""
    connection = op.get_bind()
    wordings = connection.execute(select(_WORDINGS)).mappings()
    moved = [{**row, "kind": f"wording/{row['event']}"} for row in wordings]
    for row in connection.execute(select(_MATCHES)).mappings():
        columns = json.loads(row["columns"])
        payload = {"reading": columns.pop("@", {}), "columns": columns}
        moved.append({**row, "kind": f"columns/{row['kind']}", "payload": json.dumps(payload)})
    versions: Counter[tuple[object, ...]] = Counter()
    for each in sorted(moved, key=lambda one: one["saved_at"]):
        name = " ".join(str(each["name"]).split())
        key = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        identity = (each["service"], each["organization_id"], each["kind"], key)
        versions[identity] += 1
        record = {**each, "name": name, "name_key": key, "version": versions[identity]}
        connection.execute(_KEPT.insert().values({part.name: record[part.name] for part in _KEPT.columns}))
    op.drop_table("wordings")
    op.drop_table("column_matches")
