"""Reading files and pasted text: columns matched, cells checked, rows sent as a job."""
