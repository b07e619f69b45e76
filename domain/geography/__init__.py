"""Offline geographic data: airports, countries, cities, time zones, and distances."""
