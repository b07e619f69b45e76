"""What Alembic runs its steps with: the connection and the version table that `storage.migrations` gives."""

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], version_table=given["version_table"])
with context.begin_transaction():
    context.run_migrations()
