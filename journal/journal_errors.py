"""What the journal raises, in words a screen can show."""


class JournalError(Exception):
    """Anything the journal could not do."""


class JournalTooNew(JournalError):
    """The database was written by a newer Muster than this one."""


class JournalUnavailable(JournalError):
    """The journal's database could not be used: locked, full, damaged or gone; nothing was written."""


class EntryNotFound(JournalError):
    """No audit entry with this id, or none that the asking organization may see."""


class AlreadyFinished(JournalError):
    """The outcome of this entry is written already; the audit trail is append-only."""


class RosterNotFound(JournalError):
    """No roster with this id, or none that the asking organization may see."""


class RosterNameTaken(JournalError):
    """Another roster of the organization carries this name; `name` is the one asked for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Another roster has the name “{name}”.")
        self.name = name


class NameTaken(JournalError):
    """Something else is kept under this name, or it was changed meanwhile; `name` is the one asked for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” already exists, or someone has changed it. Nothing was saved.")
        self.name = name


class IncidentNotFound(JournalError):
    """No incident with this id, or none that the asking organization may see."""


class IncidentChanged(JournalError):
    """Somebody else changed the incident, or marked the person, since it was read; nothing was written."""
