"""What both databases of this project stand on: their engine, a few statements, and the steps to a newer version.

Imports SQLAlchemy, Alembic and the standard library; knows neither the journal's tables nor the service's.
"""
