"""A file import in a real browser: errors are fixed in their cells, a row is skipped, and the rest is imported."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_usable_by_everyone

SignIn = Callable[..., Page]
PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]

ROWS = ["pnr;employee_id;name", "AAA111;E1;Ana Silva", "two words;E2;Bo Berg", "??;E3;Cy Dee", ";E4;Di Eff"]


def test_cells_are_fixed_and_rows_skipped_in_the_table(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """On a phone. Errors are announced to screen readers, too."""
    page = sign_in_demo(page_at(390, 844, theme="dark"), "/rosters?roster=new")
    field = page.locator("input[type=file]")
    field.set_input_files({"name": "march.csv", "mimeType": "text/csv", "buffer": "\n".join(ROWS).encode()})
    expect(page.get_by_text("1 row is ready · 3 with errors")).to_be_visible()
    wait_until_idle(page)
    wrong = page.get_by_role("textbox", name="Record locator, row 3")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_accessible_description("⚠ A record locator must have letters and digits, and no spaces.")
    assert_usable_by_everyone(page)

    # Two cells in a row: the second is edited while the table is redrawn for the first.
    wrong.fill("BBB222")
    page.get_by_role("textbox", name="Record locator, row 5").fill("DDD444")
    expect(page.get_by_text("2 rows are ready · 2 with errors")).to_be_visible()
    wait_until_idle(page)
    last = page.get_by_role("textbox", name="Record locator, row 5")
    expect(last).to_have_value("DDD444")
    expect(last).to_be_focused()
    last.press("Enter")
    expect(page.get_by_text("3 rows are ready · 1 with errors")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Skip row 4").click()
    expect(page.get_by_text("3 rows are ready · 1 skipped")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text("Read: 3 trips · 3 travelers")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("3 rows are ready · 1 with errors")).to_be_visible()
    wait_until_idle(page)
    # A file that is not removed is available at the next sign-in of the same user.
    page.get_by_role("button", name="Remove file").click()
    expect(page.locator("input[type=file]")).to_have_count(1)


def test_a_wrong_city_is_replaced_in_39_rows_undone_redone_and_sent_across_a_refresh(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    headings = "Record locator,Employee id,First name,Last name,Flight,From,To,Departs,Arrives"
    times = "20 Mar 2027 08:25,20 Mar 2027 09:25"
    rows = [f"CRA{n:03},CR{n},Ana,Silva,LO{n},Krakwo,WAW,{times}" for n in range(39)]
    page = sign_in_demo(page_at(), "/import")
    content = "\n".join([headings, *rows, f"BER000,CR99,Ana,Silva,LO99,BER,WAW,{times}"]).encode()
    page.locator("input[type=file]").set_input_files({"name": "cities.csv", "mimeType": "text/csv", "buffer": content})
    expect(page.get_by_text("1 row is ready · 39 with errors")).to_be_visible()
    wait_until_idle(page)
    assert_usable_by_everyone(page)

    page.get_by_role("textbox", name="New value for “Krakwo” in From").fill("KRK")
    page.get_by_role("button", name="Replace in all 39 rows").click()
    expect(page.get_by_text("40 rows are ready")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("1 row is ready · 39 with errors")).to_be_visible()
    wait_until_idle(page)
    page.reload()
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_text("40 rows are ready")).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("Changes to whole columns: 1").click()
    expect(page.get_by_text("“Krakwo” → “KRK” · 39 rows")).to_be_visible()
    assert_usable_by_everyone(page)
    page.get_by_role("button", name="Import 40 trips").click()
    expect(page.get_by_text("40 added").first).to_be_visible()


def test_on_a_phone_a_row_is_a_card_without_horizontal_scrolling(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    # Other headings than in the test above, whose profile would apply here, too.
    headings = "PNR,Employee id,First name,Last name,Flight,From,To,Departs,Arrives"
    rows = [f"CARD0{n},E{n},Ana,Silva,EY301,AUH,KWI,3{n} Feb 2027 08:25,20 Mar 2027 09:{n}9" for n in range(2)]
    page = sign_in_demo(page_at(390, 844), "/import")
    content = "\n".join([headings, *rows]).encode()
    page.locator("input[type=file]").set_input_files({"name": "p.csv", "mimeType": "text/csv", "buffer": content})
    expect(page.get_by_text("0 rows are ready · 2 with errors")).to_be_visible()
    wait_until_idle(page)
    table = page.get_by_role("region", name="Rows of the file")
    assert table.evaluate("it => it.scrollWidth <= it.clientWidth")
    expect(page.get_by_role("button", name="Skip row 2")).to_be_in_viewport()
    departs = page.get_by_role("textbox", name="From: date, row 2")
    expect(departs).to_be_visible()
    flight = page.get_by_role("textbox", name="Flight or train number, row 2")
    expect(flight).to_be_hidden()
    more = page.get_by_role("button", name="All cells of row 2")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(flight).to_have_value("EY301")
    expect(page.get_by_role("textbox", name="Flight or train number, row 3")).to_be_hidden()
    flight.fill("EY303")
    departs.focus()
    page.get_by_role("button", name="Undo", exact=True).wait_for()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_enabled()
    wait_until_idle(page)
    more.click()
    expect(flight).to_have_value("EY303")
    assert table.evaluate("it => it.scrollWidth <= it.clientWidth")
    assert_usable_by_everyone(page)
    page.get_by_role("button", name="Remove file").click()
    expect(page.locator("input[type=file]")).to_have_count(1)
