"""The list endpoint of crisis task list templates."""

from collections.abc import Sequence

from ..errors import FieldError
from ..models.crisis_templates import CrisisTaskListTemplate
from ..paging import Page, call_page
from ..retry import Effect
from ..transport import Call, Transport
from ..vocabulary.crisis_templates import DEFAULT_COLUMN, DESCENDING, DIRECTIONS, ORGANIZATION_HEADER
from ..vocabulary.limits import CRISIS_TEMPLATE_PAGE_SIZE
from .checks import flag, page_problems, refuse

_PATH = "/cm/v1/crisisTaskListTemplates"


class CrisisTemplates:
    """Crisis task list templates of one organization (interface: Crisis task list templates)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._organization_id = organization_id

    def list(
        self,
        *,
        filtered: str | None = None,
        column_name: str = DEFAULT_COLUMN,
        order_direction: str = DESCENDING,
        page_number: int = 1,
        page_size: int = CRISIS_TEMPLATE_PAGE_SIZE,
        folder_ids: Sequence[str] = (),
        contain_used: bool = False,
        need_init: bool = True,
    ) -> Page[CrisisTaskListTemplate]:
        """Return one page of the templates; a `page_size` of -1 returns all.

        `filtered` is text to search for, and `folder_ids` limits the folders. `contain_used` includes templates in
        use. `need_init` lets the service set up its own event template first.
        """
        problems = page_problems(page_number)
        if page_size < 1 and page_size != CRISIS_TEMPLATE_PAGE_SIZE:
            problems.append(FieldError("pageSize", "A page must have at least 1 template. -1 returns all."))
        if order_direction not in DIRECTIONS:
            problems.append(FieldError("orderDirection", f"Sort {' or '.join(DIRECTIONS)}."))
        if not column_name.strip():
            problems.append(FieldError("columnName", "Enter the column to sort by."))
        if isinstance(folder_ids, str) or any(not folder_id.strip() for folder_id in folder_ids):
            problems.append(FieldError("folderIds", "Enter folder IDs. They cannot be blank."))
        refuse(problems, "The list cannot be loaded.")
        query: dict[str, str | Sequence[str]] = {
            "columnName": column_name,
            "orderDirection": order_direction,
            "pageSize": str(page_size),
            "containUsedNo": flag(contain_used),
            "needInit": flag(need_init),
        }
        if filtered:
            query["filtered"] = filtered
        if folder_ids:
            # ASSUMPTION A166
            query["folderIds"] = list(folder_ids)
        call = Call("GET", _PATH, Effect.READS, query=query, headers={ORGANIZATION_HEADER: str(self._organization_id)})
        return call_page(self._transport, call, CrisisTaskListTemplate, page_number)
