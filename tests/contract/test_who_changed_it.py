"""The creator and last editor of a record, with two users of one organization."""

from __future__ import annotations

from contextlib import closing

from client import ServiceClient
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from client.models.notifications import NotificationMessage, NotificationRequest
from client.vocabulary.contact_filters import COLUMNS
from service.accounts import provisioning
from service.accounts.passwords import hash_password
from service.database import Database
from tests.running_service import RunningService


def add_bo(service: RunningService) -> None:
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        provisioning.add_user(connection, "bo", hash_password("secret"), [8800], display_name="Bo Lund")


def filter_of(value: str) -> ContactFilter:
    rule = ContactFilterRule.for_column(COLUMNS[0], "E", value, contact_field_id=1)
    return ContactFilter(name="Names", contact_filter_rules=[rule])


def mapping_of(value: str) -> LookupMappingRequest:
    return LookupMappingRequest(
        target_groups=[TargetGroup(id=1)], attributes=[MappingAttribute(name="site", values=[value])]
    )


def test_a_record_has_the_names_of_its_creator_and_last_editor(client: ServiceClient, service: RunningService) -> None:
    add_bo(service)
    with ServiceClient(service.url, 8800, "bo", "secret", token=service.token("bo")) as bo:
        found = bo.contact_filters.retrieve(bo.contact_filters.create(filter_of("Bo")).id)
        mapping = bo.lookup_mappings.create(mapping_of("north"))
        bo.notification_events.create(name="Storm")
        bo.notification_categories.create(name="Weather")
        bo.notifications.create(NotificationRequest(message=NotificationMessage(title="T")))
    records = [found, *client.notification_events.list(), *client.notification_categories.list()]
    for record in [*records, *client.notifications.list()]:
        assert (record.created_name, record.last_modified_name, record.status) == ("Bo Lund", "Bo Lund", "A")
        assert record.created_id == record.last_modified_id == found.created_id is not None
        assert record.created_date == record.last_modified_date is not None
    assert (mapping.created_by, mapping.last_updated_by) == ("bo", "bo")

    assert found.id is not None
    client.contact_filters.update(found.id, filter_of("Ana"))
    changed = client.contact_filters.retrieve(found.id)
    assert (changed.created_name, changed.last_modified_name) == ("Bo Lund", "Ana Silva")
    assert (changed.created_id, changed.created_date) == (found.created_id, found.created_date)
    assert changed.last_modified_id not in (None, found.last_modified_id)
    assert found.last_modified_date is not None
    assert changed.last_modified_date == changed.last_modified_time == changed.last_synchronized_time
    assert changed.last_modified_date is not None
    assert changed.last_modified_date > found.last_modified_date
    updated = client.lookup_mappings.update(mapping.id, mapping_of("south"))
    assert (updated.created_by, updated.last_updated_by) == ("bo", "ana")
