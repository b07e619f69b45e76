"""Read and write alerts in CAP 1.2, the Common Alerting Protocol."""
