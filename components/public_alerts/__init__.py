"""Public alerts: the composer, its writing help, who is reached, sending once, approval, and what comes afterwards."""
