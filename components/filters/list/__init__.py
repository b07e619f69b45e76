"""The list of contact filters, and the details of one."""
