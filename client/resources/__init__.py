"""One method per endpoint, one area per module. A resource declares path, parameters, body, and result."""
