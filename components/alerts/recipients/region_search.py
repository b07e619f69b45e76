"""Draw the search for places by name, kind, and state, in a fragment. The browser never gets the whole list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import streamlit as st

from components.alerts.alert_session import IS_PAGE_OUTDATED, on_press
from components.alerts.recipients import region_actions
from components.alerts.recipients.region_actions import KIND, PASTED, PASTED_TEXT, SHOWN, STATE, TEXT
from components.shell.session import current_workspace
from components.streamlit_workarounds.icon_name import icon_name
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_paste import Pasted
from domain.alerts.recipients.region_place import KIND_WORDS, KINDS, Place
from domain.alerts.recipients.regions import RegionCatalog, kind_counts, left_out, summary
from domain.geography.states import state_name
from domain.text.plain_text import count, names, plain
from domain.text.text_limits import MAX_LINE, MAX_PASTE

FIRST: Final = 8
MORE: Final = 16
MOST_SHOWN: Final = 56
MOST_AT_ONCE: Final = 1_000
_ENTRIES_TOLD: Final = 12


@st.fragment
def region_search(draft: AlertDraft, catalog: RegionCatalog, used: Collection[int]) -> None:
    """Draw the search and its matches, with buttons to add and remove places.

    Of places with the same name, those in `used` come first, then the largest.
    """
    # A button of this fragment changes the recipients, which other parts of the page draw. `current_workspace` counts
    # typing as use of the session, and is None after a sign-out in another tab.
    if IS_PAGE_OUTDATED.get() or current_workspace() is None:
        st.rerun()
    text = st.text_input(
        "City, ZIP code, or county",
        key=TEXT.widget_key,
        max_chars=MAX_LINE,
        persist_state="page",
        type="search",
        live=True,
        placeholder="Springfield IL, 80302, Boulder County",
        on_change=SHOWN.clear,
        help="A city search does not list the city’s ZIP codes. To alert ZIP codes, paste them.",
    )
    with st.container(horizontal=True, gap="xsmall"):
        st.selectbox(
            "Kind",
            ["", *KINDS],
            key=KIND.widget_key,
            persist_state="page",
            format_func=lambda kind: KIND_WORDS[kind][1].capitalize() if kind else "All types",
            on_change=SHOWN.clear,
            width=130,
        )
        st.selectbox(
            "State",
            ["", *(state for state in catalog.states if state)],
            key=STATE.widget_key,
            persist_state="page",
            format_func=lambda state: state_name(state) if state else "All states",
            on_change=SHOWN.clear,
            width=140,
        )
    kind, state = region_actions.selected_kind(), STATE.get() or None
    if text.strip() or kind or state:
        found = catalog.search.find(text, kind, state, used=used)
        partial_codes = catalog.search.find_partial_zip_codes(text)
        near = [] if found.places or partial_codes else catalog.search.suggest(text, kind, state)
        if partial_codes:
            _draw_partial_codes(text, partial_codes)
        elif not found.places:
            _none_of_this_name(catalog, text, near, narrowed=bool(kind or state))
        elif not found.has_exact_name:
            st.caption(f"No place is named “{plain(text.strip())}”. These names contain it.")
        if partial_codes or near:
            _matches(draft, catalog, partial_codes or near, {}, chosen_singly=True)
        else:
            _matches(draft, catalog, found.places, found.reasons, apart=found.weak_match_ids)
        if catalog.search.states_of(text):
            st.caption(f"{plain(text.strip())} is a state. To see its places, select it in “State”.")
    _paste(draft, catalog)


def _draw_partial_codes(text: str, places: Sequence[Place]) -> None:
    """Draw the ZIP codes that a few digits may belong to."""
    code = text.strip()
    missing = f"“{code}” is not a complete ZIP code."
    if places[0].name == code.zfill(5):
        missing += f" A leading zero may be missing ({plain(places[0].label)})."
    st.markdown(f":small[:orange[:material/help: {missing}]]")


def _none_of_this_name(catalog: RegionCatalog, text: str, near: Sequence[Place], *, narrowed: bool) -> None:
    """Draw why nothing was found, and what to try."""
    offered = kind_counts(catalog.counts)
    if text.strip().isdigit():
        st.caption("A ZIP code has 5 digits.")
    st.caption(plain(f"No place with this name is available in the service ({offered})."))
    if narrowed:
        st.button(
            "Search all types in all states",
            key="public_alerts.regions.everywhere",
            type="tertiary",
            on_click=region_actions.search_everywhere,
        )
    if near:
        st.markdown(":small[:material/help: Similar names]")


def _matches(
    draft: AlertDraft,
    catalog: RegionCatalog,
    matches: Sequence[Place],
    because: Mapping[int, str],
    *,
    apart: Collection[int] = (),
    chosen_singly: bool = False,
) -> None:
    if not matches:
        return
    # Each place once, although the lookup may list it twice.
    places = {catalog.listed_as(place.id): place for place in reversed(matches)}
    listed = dict(reversed(places.items()))
    limit = min(FIRST + SHOWN.get(), MOST_SHOWN)
    chosen = set(draft.regions)
    with st.container(gap="xxsmall", key="public_alerts-region-matches"):
        for ids, place in list(listed.items())[:limit]:
            twice = f"listed {len(ids)} times" if len(ids) > 1 else ""
            words = " · ".join(part for part in (place.words, because.get(place.id), twice) if part)
            if chosen.issuperset(ids):
                _added(draft, ids, words)
            else:
                _offered(draft, ids, words)
    fresh = {} if chosen_singly else {ids: place for ids, place in listed.items() if place.id not in apart}
    _beyond(draft, listed, min(len(listed), limit), fresh, is_near=chosen_singly)


def _offered(draft: AlertDraft, ids: tuple[int, ...], words: str) -> None:
    """Draw a match that is not selected.

    A button and not a checkbox: a checkbox has a state in the browser that may be out of date.
    """
    st.button(
        plain(words),
        key=f"public_alerts.region/{ids[0]}/add",
        icon=":material/add:",
        type="tertiary",
        on_click=on_press(draft, region_actions.add, ids),
    )


def _added(draft: AlertDraft, ids: tuple[int, ...], words: str) -> None:
    """Draw a selected match. Its button to remove is not where the button to add was, in case of a late second
    click.
    """
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":small[:green[:material/check:] {plain(words)}]", width="content")
        st.button(
            f"Remove {icon_name(words)}",
            key=f"public_alerts.region/{ids[0]}/remove",
            icon=":material/close:",
            type="tertiary",
            on_click=on_press(draft, region_actions.remove, ids),
        )


def _beyond(
    draft: AlertDraft,
    listed: Mapping[tuple[int, ...], Place],
    shown: int,
    merged: Mapping[tuple[int, ...], Place],
    *,
    is_near: bool,
) -> None:
    """Draw the number of matches, and the buttons that show more or select those in `together`."""
    verbs = ("similar place", "similar places") if is_near else ("place matches", "places match")
    total = count(len(listed), *verbs)
    fresh = {ids: place for ids, place in merged.items() if not set(draft.regions).issuperset(ids)}
    rest = list(listed.values())[shown:]
    if rest:
        st.caption(plain(f"{total}. Showing the best {shown}. Not shown: {left_out(rest)}."))
    else:
        st.caption(plain(f"{total}."))
    with st.container(horizontal=True, vertical_alignment="center"):
        if shown < min(len(listed), MOST_SHOWN):
            st.button(
                "Show more",
                key="public_alerts.regions.more",
                icon=":material/expand_more:",
                type="tertiary",
                on_click=SHOWN.set,
                args=(SHOWN.get() + MORE,),
            )
        if len(fresh) > MOST_AT_ONCE:
            st.caption(plain(f"You can add {MOST_AT_ONCE:,} places at once. Narrow the search to add all."))
        elif len(fresh) > 1:
            with st.popover(f"Add all {len(fresh):,}", icon=":material/playlist_add:", type="tertiary"):
                st.markdown(f"**{plain(f'Add {len(fresh):,} places?')}**")
                st.markdown("\n".join(f"- {plain(line)}" for line in summary(fresh.values())))
                st.button(
                    f"Add {len(fresh):,} places",
                    key="public_alerts.regions.add_all",
                    type="primary",
                    on_click=on_press(draft, region_actions.add, [each for ids in fresh for each in ids]),
                )


def _paste(draft: AlertDraft, catalog: RegionCatalog) -> None:
    with st.expander("Paste list", icon=":material/content_paste:", type="compact"):
        # A form, so that the text and the click reach the server together.
        with st.form("public_alerts.regions.pasted", border=False):
            st.text_area(
                "ZIP codes and names",
                value=PASTED_TEXT.get(),
                key=region_actions.pasted_key(),
                max_chars=MAX_PASTE,
                persist_state="page",
                height=110,
                placeholder="80302, 80303\nBoulder, CO\nLarimer County, Colorado",
                help="Separate places with line breaks, commas, semicolons, or tabs. Add the state if several "
                "states have the same name.",
            )
            st.form_submit_button(
                "Add places",
                key="public_alerts.regions.paste",
                icon=":material/playlist_add:",
                on_click=on_press(draft, region_actions.paste, catalog),
            )
        pasted = PASTED.get()
        if pasted is not None and pasted[0] == draft.uid:
            _draw_paste_result(pasted[1])


def _draw_paste_result(pasted: Pasted) -> None:
    found = count(len(pasted.found), "place was found", "places were found")
    st.markdown(f":material/check_circle: {plain(found)}." if pasted.found else "No place was found.")
    if pasted.read_as:
        read = names([f"{written} as {label}" for written, label in pasted.read_as], at_most=_ENTRIES_TOLD)
        st.markdown(f":orange[:material/info: {plain(f'Muster read {read}.')}]")
    for unclear in pasted.unclear[:_ENTRIES_TOLD]:
        st.markdown(f":orange[:material/help: {plain(f'“{unclear.entry}” {unclear.words}.')}]")
    if len(pasted.unclear) > _ENTRIES_TOLD:
        st.markdown(plain(f"{len(pasted.unclear) - _ENTRIES_TOLD:,} more entries match several places."))
    if pasted.not_found:
        missing = names(list(pasted.not_found), at_most=_ENTRIES_TOLD)
        many = count(len(pasted.not_found), "entry", "entries")
        st.markdown(f":red[:material/error: {plain(f'Not found ({many}): {missing}.')}]")
    if pasted.left:
        st.markdown(plain(f"{len(pasted.left):,} entries are left. Select “Add places” again."))
    if pasted.remaining:
        st.caption("Correct the remaining entries in the field above, and select **Add places** again.")
