"""Deleting contact filters, one or several, and what is said before and after. Nothing here draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from client import NotAuthenticated, NotFound, ServiceError, ServiceFailed, TransportError
from client.models.contact_filters import ContactFilter
from components.change.recorded import outcome_of
from components.contact_filters import changes, draft_store
from components.contact_filters.comparison import changed_at, name_of
from components.contact_filters.filter_frame import changed_by, rule_count
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names
from components.widgets.time_text import moment
from journal import JournalError

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

Became = Literal["deleted", "gone before", "kept", "unknown", "not tried"]
NAMED: Final = 8


@dataclass(frozen=True)
class Target:
    """A filter to delete: its id where it is known, its name where it is told, and what else is told of it."""

    filter_id: int | None
    name: str
    told: str = ""

    @property
    def title(self) -> str:
        """What to call it."""
        return self.name or (f"filter {self.filter_id}" if self.filter_id else "a filter without a name")


@dataclass(frozen=True)
class Outcome:
    """What became of one filter, and the error that says why it was not deleted."""

    target: Target
    became: Became
    error: Exception | None = None


def target_of(contact_filter: ContactFilter) -> Target:
    """What is to be deleted."""
    told = []
    rules = rule_count(contact_filter)
    if rules:
        told.append(count(rules, "rule", "rules"))
    at, by = changed_at(contact_filter), changed_by(contact_filter)
    if at or by:
        told.append("changed" + (f" by {by}" if by else "") + (f" on {moment(at)}" if at else ""))
    return Target(contact_filter.id or None, name_of(contact_filter), ", ".join(told))


def delete_each(workspace: Workspace, targets: Iterable[Target]) -> list[Outcome]:
    """Delete one after the other, and tell of each what became of it.

    Once the service cannot be reached, or no longer knows the user, the rest is not tried.
    """
    outcomes: list[Outcome] = []
    stopped: Exception | None = None
    for target in targets:
        if stopped is not None:
            outcomes.append(Outcome(target, "not tried", stopped))
            continue
        outcome = _delete(workspace, target)
        outcomes.append(outcome)
        if outcome.became == "kept" and isinstance(outcome.error, TransportError | NotAuthenticated | JournalError):
            stopped = outcome.error
    return outcomes


def _delete(workspace: Workspace, target: Target) -> Outcome:
    try:
        filter_id = target.filter_id
        if filter_id is None:
            try:
                filter_id = workspace.client.contact_filters.retrieve_by_name(target.name).id
            except NotFound as error:
                return Outcome(target, "gone before", error)
            except ServiceError as error:
                # Only a read was made.
                return Outcome(target, "kept", error)
        if filter_id:
            changes.delete(workspace, filter_id, name=target.name or None)
            draft_store.discard_changes_of(workspace, filter_id)
        else:
            changes.delete_by_name(workspace, target.name)
    except NotFound as error:
        return Outcome(target, "gone before", error)
    except (ServiceError, JournalError) as error:
        # A gateway's fault page may stand for a deletion that was made: that it was not cannot be promised.
        is_unknown = isinstance(error, ServiceFailed) or outcome_of(error) == "unknown"
        return Outcome(target, "unknown" if is_unknown else "kept", error)
    return Outcome(target, "deleted")


def action_label(targets: Sequence[Target]) -> str:
    """What the red button says: what it does, with the name or the count."""
    return f"Delete {targets[0].title}" if len(targets) == 1 else f"Delete {len(targets):,} contact filters"


def question(targets: Sequence[Target]) -> str:
    """The title of the dialog that asks first."""
    return "Delete this contact filter?" if len(targets) == 1 else f"Delete {len(targets):,} contact filters?"


def lines(targets: Sequence[Target]) -> list[str]:
    """What stands in the dialog, as Markdown."""
    named = [f"- **{plain(each.title)}**" + (f": {plain(each.told)}" if each.told else "") for each in targets[:NAMED]]
    if len(targets) > NAMED:
        named.append(f"- and {len(targets) - NAMED:,} more")
    gone = "It is" if len(targets) == 1 else "They are"
    return [
        "\n".join(named),
        f"{gone} deleted at the service, for everybody in the organization. The contacts themselves stay.",
        "This cannot be undone.",
    ]


def summary(outcomes: Sequence[Outcome]) -> str:
    """What is said in one line when all that was asked for is gone; empty where something is not."""
    if any(each.became not in {"deleted", "gone before"} for each in outcomes):
        return ""
    titles = [each.target.title for each in outcomes if each.became == "deleted"]
    before = [each.target.title for each in outcomes if each.became == "gone before"]
    said = []
    if titles:
        said.append(f"Deleted: {names(titles)}.")
    if before:
        said.append(f"Already gone: {names(before)}.")
    return " ".join(said)


def of_kind(outcomes: Iterable[Outcome], became: Became) -> list[Outcome]:
    """The filters that this became of."""
    return [each for each in outcomes if each.became == became]


def still_there(outcomes: Iterable[Outcome], filters: Iterable[ContactFilter]) -> dict[str, bool]:
    """Of each filter whose deletion is unknown, by title, whether the list that was read since still has it."""
    listed = list(filters)
    ids, titles = {each.id for each in listed if each.id}, {name_of(each) for each in listed}
    return {
        each.target.title: each.target.filter_id in ids
        if each.target.filter_id is not None and ids
        else each.target.name in titles
        for each in of_kind(outcomes, "unknown")
    }
