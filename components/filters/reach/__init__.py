"""Who a filter would reach among the people whose trips are loaded."""
