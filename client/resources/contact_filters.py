"""The contact filter endpoints: create, read, list, update, and delete."""

from functools import partial

from ..models.contact_filter_rules import contact_filter_problems
from ..models.contact_filters import ContactFilter
from ..models.results import CreationResult, ModificationResult
from ..paging import Page, call_page
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_acknowledgement, read_creation, read_modification, read_record
from .checks import id_problems, page_problems, path_part, refuse, text_problems

_NO_ID = "The value is not the ID of a contact filter."
_NO_NAME = "Enter the name of the filter."


class ContactFilters:
    """Contact filters of one organization: saved rules over contact fields (interface: Contact filters)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._path = f"/contactFilters/{organization_id}"

    def list(self, *, page_number: int = 1) -> Page[ContactFilter]:
        """Return one page of the filters. Its records have fewer fields than those of `retrieve`."""
        refuse(page_problems(page_number), "The list cannot be loaded.")
        return call_page(self._transport, Call("GET", self._path, Effect.READS), ContactFilter, page_number)

    def retrieve(self, contact_filter_id: int) -> ContactFilter:
        """Return the filter with this ID."""
        refuse(id_problems("id", contact_filter_id), _NO_ID)
        return self._query(str(contact_filter_id), "id")

    def retrieve_by_name(self, name: str) -> ContactFilter:
        """Return the filter with this name."""
        refuse(text_problems("name", name, _NO_NAME), "The search cannot be made.")
        return self._query(name, "name")

    def retrieve_by_post(self, contact_filter_id: int) -> ContactFilter:
        """Return the filter with this ID, through the interface's other read. Some deployments lack it: prefer
        `retrieve`.
        """
        refuse(id_problems("id", contact_filter_id), _NO_ID)
        call = Call("POST", f"{self._path}/{contact_filter_id}", Effect.READS)
        return self._transport.call(call, partial(read_record, ContactFilter))

    def create(self, contact_filter: ContactFilter) -> ModificationResult:
        """Save a new filter. Raises `Invalid` before sending if a rule is broken. Never repeated."""
        refuse(contact_filter_problems(contact_filter), "This filter cannot be saved yet.")
        body = contact_filter.to_wire()
        for rule in body["contactFilterRules"]:
            # A rule copied from another filter has an ID, which is read-only.
            rule.pop("id", None)
        return self._transport.call(Call("POST", self._path, Effect.CREATES, body=body), read_creation)

    def update(
        self, contact_filter_id: int, contact_filter: ContactFilter, *, stored: ContactFilter | None = None
    ) -> ModificationResult:
        """Replace a filter. Rules that are in `stored`, as the service sent it, go back unchanged and unchecked."""
        problems = [
            *id_problems("id", contact_filter_id),
            *contact_filter_problems(contact_filter, stored=stored),
        ]
        refuse(problems, "This filter cannot be saved yet.")
        call = Call("PUT", f"{self._path}/{contact_filter_id}", Effect.REPLACES, body=contact_filter.to_wire())
        return self._transport.call(call, partial(read_modification, contact_filter_id))

    def delete(self, contact_filter_id: int) -> ModificationResult:
        """Delete the filter with this ID."""
        refuse(id_problems("id", contact_filter_id), _NO_ID)
        call = Call("DELETE", f"{self._path}/{contact_filter_id}", Effect.REMOVES)
        return self._transport.call(call, partial(read_modification, contact_filter_id))

    def delete_by_name(self, name: str) -> CreationResult:
        """Delete the filter with this name. A name of digits alone is refused, because it could be taken for an ID."""
        problems = text_problems("name", name, _NO_NAME)
        if not problems and name.strip().isdigit():
            problems = text_problems("name", "", "The name is a number, like an ID. Delete the filter by its ID.")
        refuse(problems, "This filter cannot be deleted.")
        call = Call("DELETE", f"{self._path}/{path_part(name)}", Effect.REMOVES)
        return self._transport.call(call, read_acknowledgement)

    def _query(self, value: str, query_type: str) -> ContactFilter:
        call = Call("GET", f"{self._path}/{path_part(value)}", Effect.READS, query={"queryType": query_type})
        return self._transport.call(call, partial(read_record, ContactFilter))
