"""Who receives a public alert: the places found among the regions offered, and counts of people."""
