"""Screens that list records and show the selected one beside the list, made from a declaration.

    BADGES = RecordList(                           # pages/contacts/badges.py: draw_record_list(workspace, BADGES)
        key="badges",                              # the prefix of widget keys, URL parameters, and file names
        noun=("badge", "badges"),
        source=PagedRecords(                       # or AllRecords(...), for records that are read all at once
            lambda workspace, query: workspace.client.badges.list(
                color=query[COLOR],
                page_number=query.page_number,
                page_size=query.page_size,
                newest_first=query.is_descending,
            ),
            sortable=("changed",),                 # the columns that the service can sort by
            page_sizes=(20, 50, 100),
        ),
        identity=lambda badge: badge.id,
        name=lambda badge: badge.label or "Badge without a name",
        columns={
            "label": text("Label", lambda badge: badge.label),
            "groups": text("Groups", lambda badge: badge.groups, format_value=", ".join),
            "changed": times("Last changed", lambda badge: badge.changed_at),
        },
        default_order="changed descending",
        filters=[ChoiceFilter(COLOR, "Color", lambda workspace: COLORS, none_label="All colors")],
        url_parameter="badge",
        selection="many",
        draw_detail=draw_badge,                    # draw_badge(workspace, badge): below its name and its buttons
        retrieve=lambda workspace, badge_id: workspace.client.badges.retrieve(badge_id),
        actions=[
            Action("Edit", open_badge),
            Action("Delete", ask_to_delete, is_destructive=True, allows_several=True),
        ],
        new=NewAction("New badge", open=open_new_badge),
        empty_message="A badge says who may enter which building. Create the first badge.",
    )
    COLOR: Final = optional_field("color")

The URL contains the filters, the order, the page and its size, and the selection. Sorting, paging, selecting, and
downloads work on the whole result, not only on the visible rows. `domain.runtime.background` caches the records per
connection: after a change, call `read_again(BADGES)`.
"""
