"""What is known of the world offline: airports, countries, cities, time zones, distances."""
