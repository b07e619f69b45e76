"""Features that an operator can withhold from a user, and how it is told (interface: Public-alert lookup errors)."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, exists, select

from service.accounts.authentication import Caller
from service.accounts.schema import withheld_features
from service.errors import RefusalError
from service.statements import PreparedSelect
from service.upserts import insert_if_absent

PUBLIC_ALERTS = "public alerts"

_WITHHELD = PreparedSelect(
    select(
        exists().where(
            withheld_features.c.user_id == bindparam("user_id"), withheld_features.c.feature == bindparam("feature")
        )
    )
)


def require_public_alerts(connection: Connection, caller: Caller) -> None:
    """Refuse a user from whom public alerts are withheld."""
    # ASSUMPTION A116: users have public alerts unless an operator withholds them; the refusal is of the lookups, and of
    # notifications that carry a public message, in the unauthorized envelope.
    if _WITHHELD.scalar(connection, {"user_id": caller.user_id, "feature": PUBLIC_ALERTS}):
        raise RefusalError(401, "User does not have API permissions for this method", status_key="code")


def set_public_alerts(connection: Connection, user_id: int, *, allowed: bool) -> None:
    """Give public alerts to a user, or withhold them."""
    if allowed:
        connection.execute(
            delete(withheld_features).where(
                withheld_features.c.user_id == user_id, withheld_features.c.feature == PUBLIC_ALERTS
            )
        )
    else:
        insert_if_absent(connection, withheld_features, [{"user_id": user_id, "feature": PUBLIC_ALERTS}])
