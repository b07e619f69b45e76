"""One way to show records: a list with its detail beside it, out of a declaration.

    BADGES = Records(                              # pages/contacts/badges.py draws it: records(workspace, BADGES)
        key="badges",                              # names its widgets, its part of the address and its files
        noun=("badge", "badges"),
        read=ByPage(                               # or Whole(...), for what comes in one piece
            lambda workspace, asked: workspace.client.badges.list(
                colour=asked[COLOUR], page_number=asked.number, page_size=asked.size, newest_first=asked.descending
            ),
            orders=("changed",),                   # the columns the service itself can put in order
            sizes=(20, 50, 100),
        ),
        identity=lambda badge: badge.id,
        name=lambda badge: badge.label or "A badge without a name",
        columns={
            "label": text("Label", lambda badge: badge.label),
            "groups": text("Groups", lambda badge: badge.groups, words=", ".join),
            "changed": times("Last changed", lambda badge: badge.changed_at),
        },
        by="changed descending",
        filters=[Choice(COLOUR, "Colour", lambda workspace: COLOURS, when_none="All colours")],
        picked_in="badge",
        selection="many",
        detail=draw_badge,                         # draw_badge(workspace, badge): below its name and its buttons
        retrieve=lambda workspace, badge_id: workspace.client.badges.retrieve(badge_id),
        actions=[Action("Change", open_badge), Action("Delete", ask_to_delete, danger=True, several=True)],
        new=New("New badge", open=open_new_badge),
        empty="There is no badge yet. A badge says who may enter where. Make the first one here.",
    )
    COLOUR: Final = optional_field("colour")

All of it stands in the address: filters, order, page and its size, what is picked. Order, pages, picks and files are
those of the whole result. What is read lies with the connection (`domain.runtime.background`): after a change,
`read_again(BADGES)`.
"""
