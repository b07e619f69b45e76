"""Measurements that print their rivals beside them; each module here with a `run()` is one of them."""
