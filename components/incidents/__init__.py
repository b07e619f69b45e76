"""Who is affected by an incident: its area and time, the people, their marks, and the next steps."""
