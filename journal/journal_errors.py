"""The journal's exceptions, with messages for the screen."""


class JournalError(Exception):
    """The journal could not do something."""


class JournalTooNew(JournalError):
    """A newer Muster wrote the database."""


class JournalUnavailable(JournalError):
    """The database is locked, full, damaged, or not available. Nothing was written."""


class EntryNotFound(JournalError):
    """The organization has no audit entry with this ID."""


class AlreadyFinished(JournalError):
    """The outcome of this entry is already recorded. The audit trail is append-only."""


class RosterNotFound(JournalError):
    """The organization has no roster with this ID."""


class RosterNameTaken(JournalError):
    """Another roster of the organization has the name `name`."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Another roster has the name “{name}”.")
        self.name = name


class NameTaken(JournalError):
    """Another record has the name `name`, or the record has changed since it was read."""

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” already exists, or someone has changed it. Nothing was saved.")
        self.name = name


class IncidentNotFound(JournalError):
    """The organization has no incident with this ID."""


class IncidentChanged(JournalError):
    """Someone else has changed the incident, or marked the person, since it was read. Nothing was written."""
