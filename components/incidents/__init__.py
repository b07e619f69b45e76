"""Who is affected by an incident: the area and time, the people, their marks, and the next steps."""
