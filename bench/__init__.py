"""Benchmarks: each module here with a `run()` measures Muster, mostly against a rival."""
