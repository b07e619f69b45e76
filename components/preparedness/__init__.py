"""What is prepared for a crisis: assets, shapes, dynamic locations, and task lists."""
