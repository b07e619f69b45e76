"""What runs under every screen: settings, workers, background reads, and the embedded service."""
