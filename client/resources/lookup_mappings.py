"""The lookup mapping endpoints: create, read, search, update, and delete, by access token."""

import json
from collections.abc import Mapping, Sequence
from functools import partial

from ..classify import classify, reads_like_refusal
from ..credentials import Credentials
from ..errors import Duplicate, FieldError, OutcomeUnknown
from ..models.lookup_mappings import LookupMapping, LookupMappingRequest, lookup_mapping_problems
from ..paging import Page, call_page
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_record, read_stored
from ..vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from ..vocabulary.lookup_mappings import OLDEST_FIRST, SEARCH_PARAMETERS, SORTS
from .checks import id_problems, page_problems, path_part, refuse, text_problems

_NO_ID = "The value is not the ID of a mapping."
_UNHANDLED = frozenset({"timestamp", "status", "error", "exception", "message", "path"})


class LookupMappings:
    """Lookup mappings of one organization: attribute values that lead to groups (interface: Lookup mappings)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._path = f"/lookup/{organization_id}/mappings"

    def search(
        self,
        *,
        attributes: Mapping[str, Sequence[str]] | None = None,
        groups: Sequence[int] = (),
        sort: str = OLDEST_FIRST,
        page_number: int = 1,
        page_size: int = LOOKUP_MAPPING_PAGE_SIZE,
    ) -> Page[LookupMapping]:
        """Return one page of the mappings that have these attribute values and lead to these groups."""
        query = {"pageSize": str(page_size), "sort": sort}
        problems = page_problems(page_number, field_name="currentPageNo")
        if page_size < 1:
            problems.append(FieldError("pageSize", "A page must have at least 1 mapping."))
        if sort not in SORTS:
            problems.append(FieldError("sort", "Sort mappings by their last change, ascending or descending."))
        for group in groups:
            problems += id_problems("groups", group)
        if groups:
            query["groups"] = ",".join(str(group) for group in groups)
        for name, values in (attributes or {}).items():
            problems += _attribute_problems(name, values)
            query[name] = ",".join(values)
        refuse(problems, "The search cannot be made.")
        call = Call("GET", f"{self._path}/search", Effect.READS, query=query, credentials=Credentials.TOKEN)
        return call_page(self._transport, call, LookupMapping, page_number, parameters=("currentPageNo",))

    def retrieve(self, mapping_id: str) -> LookupMapping:
        """Return the mapping with this ID."""
        call = Call("GET", self._one(mapping_id), Effect.READS, credentials=Credentials.TOKEN)
        return self._transport.call(call, partial(read_record, LookupMapping))

    def create(self, mapping: LookupMappingRequest) -> LookupMapping:
        """Save a new mapping. Raises `Duplicate` if it exists already. Never repeated."""
        refuse(lookup_mapping_problems(mapping), "This mapping cannot be saved yet.")
        call = Call("POST", self._path, Effect.CREATES, body={"data": mapping.to_wire()}, credentials=Credentials.TOKEN)
        try:
            return self._transport.call(call, partial(read_stored, LookupMapping))
        except OutcomeUnknown as error:
            raise _duplicate(error) or error from error.__cause__

    def update(self, mapping_id: str, mapping: LookupMappingRequest) -> LookupMapping:
        """Replace a mapping."""
        path = self._one(mapping_id)
        refuse(lookup_mapping_problems(mapping), "This mapping cannot be saved yet.")
        call = Call("PUT", path, Effect.REPLACES, body={"data": mapping.to_wire()}, credentials=Credentials.TOKEN)
        return self._transport.call(call, partial(read_stored, LookupMapping))

    def delete(self, mapping_id: str) -> str:
        """Delete a mapping. Returns the service's confirmation."""
        call = Call("DELETE", self._one(mapping_id), Effect.REMOVES, credentials=Credentials.TOKEN)
        return self._transport.call(call, _read_confirmation)

    def _one(self, mapping_id: str) -> str:
        refuse(text_problems("id", mapping_id, "Enter the ID of the mapping."), _NO_ID)
        return f"{self._path}/{path_part(mapping_id.strip())}"


def _attribute_problems(name: str, values: Sequence[str]) -> list[FieldError]:
    if not name.strip():
        return [FieldError("attributes", "Enter the attribute to search for.")]
    if name in SEARCH_PARAMETERS:
        return [FieldError(name, "The service cannot search for an attribute with this name.")]
    if isinstance(values, str) or not values or any(not value.strip() for value in values):
        return [FieldError(name, "Enter at least one value. Values cannot be blank.")]
    if any("," in value for value in values):
        # ASSUMPTION A164
        return [FieldError(name, "The service cannot search for a value with a comma.")]
    return []


def _duplicate(error: OutcomeUnknown) -> Duplicate | None:
    """Return the error that the interface means by a 500 on a create: the mapping exists already (Lookup mapping
    errors).
    """
    try:
        body = json.loads(error.answer_text or "null")
    except (ValueError, RecursionError):
        return None
    if error.status != 500 or not isinstance(body, dict) or not body.keys() >= _UNHANDLED:
        return None
    # ASSUMPTION A165
    return Duplicate(
        "The service probably already has this mapping. The service responded with the error for duplicates.",
        request=error.request,
        status=error.status,
        answer_text=error.answer_text,
        service_message=error.service_message,
        sent=True,
    )


def _read_confirmation(content: bytes) -> str:
    """Read `{data: <text>}`. A bare text, or nothing, is a confirmation as well."""
    if not content.strip():
        return ""
    data = json.loads(content)
    if classify(200, content) is not None:
        raise ValueError("the response is an error")
    if isinstance(data, dict):
        data = data.get("data", data.get("message"))
    if isinstance(data, dict):
        return ""
    if not isinstance(data, str) or reads_like_refusal(data):
        raise ValueError("the response confirms nothing")
    return data
