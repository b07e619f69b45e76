"""The common base of both databases of this project: engine, statements, and migrations.

It imports SQLAlchemy, Alembic, and the standard library, and knows no tables.
"""
