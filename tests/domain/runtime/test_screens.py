"""The screens: each has a file and a unique address, icon, and title."""

from pathlib import Path

from components.shell.address import query_of
from domain.runtime import screens

SHELL = Path(screens.__file__).parent
PAGES = SHELL.parents[1] / "pages"


def test_every_screen_has_a_page_and_every_page_a_screen():
    pages = {(SHELL / screen.page).resolve() for screen in screens.ALL}
    assert pages == set(PAGES.rglob("*.py"))


def test_addresses_titles_and_icons_are_unique():
    for values in (
        [screen.url_path for screen in screens.ALL],
        [screen.title for screen in screens.ALL],
        [screen.icon for screen in screens.ALL],
    ):
        assert len(set(values)) == len(values)


def test_muster_opens_on_the_map():
    assert [screen for screen in screens.ALL if not screen.url_path] == [screens.EXPECTED_LOCATIONS]


def test_a_screen_without_a_menu_entry_belongs_to_a_screen_with_one():
    assert all(screen.parent.parent is None for screen in screens.ALL if screen.parent is not None)
    assert [screen.tab for screen in screens.tabs_of(screens.CANCEL_TRIPS)] == ["Find", "Add", "Cancel"]


def test_a_page_is_in_the_folder_of_its_section():
    for screen in screens.ALL:
        assert screen.page.split("/")[-2] == screen.section.lower()


def test_a_query_has_ids_as_digits_and_no_missing_values():
    assert query_of(
        {"id": 9223372036854775807, "locator": ["WSVM7K"], "kind": ["Air", "Rail"], "x": None, "y": "", "z": []}
    ) == {
        "id": ["9223372036854775807"],
        "locator": ["WSVM7K"],
        "kind": ["Air", "Rail"],
    }
