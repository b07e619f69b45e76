"""Version 15: the colleague who calls a person of an incident."""

from alembic import op
from sqlalchemy import Column, Text

revision = "v15"
down_revision = "v14"


def upgrade() -> None:
    """Add the column. People from before are assigned to no one."""
    op.add_column("incident_marks", Column("assigned_to", Text, nullable=False, server_default=""))
