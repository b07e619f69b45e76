"""What fights the framework: each thing that Streamlit does not do, or does otherwise than people need it.

An upgrade of Streamlit is a look into this room. Each module says in its docstring which test in a browser would tell,
and what it waits for upstream; what has its place elsewhere is named here.

- What stands in the address, `components/shell/address.py`: the framework's own binding (`bind="query-params"`) writes
  what an option is called and leaves out a default, and *back* does not bring it back (streamlit/streamlit#14350,
  streamlit/streamlit#16998). Held by `tests/browser/test_expected_locations.py::
  test_a_place_is_selected_and_filters_stand_in_the_address_after_a_refresh`.
- Presses, `static/presses.js`: the second click of two goes to what slid under the pointer, and *Stop* blanks a page
  while its call goes through (streamlit/streamlit#156, streamlit/streamlit#8182). Held by
  `tests/browser/test_presses.py::test_the_second_click_of_two_goes_to_nothing_that_slid_under_the_pointer` and
  `tests/browser/test_presses.py::test_what_a_page_is_doing_cannot_be_stopped_half_way`.
- Calls that a script run would take with it when it is cut off, `domain/runtime/calls.py`: a run ends wherever the
  next one is asked for (streamlit/streamlit#8182). Held by
  `tests/browser/test_trip_editor.py::test_a_trip_is_added_appears_is_changed_and_canceled_and_is_gone`.
- A lost connection, `static/connection.js`: the framework says so in its own words, and not why; where its own script
  ends with an error it draws nothing more, and is loaded anew. Held by
  `tests/browser/test_connection_lost.py::
  test_a_lost_connection_is_told_with_its_cause_and_the_way_on_until_muster_is_back`.
- The rest of a run that a connection broke in, `components/shell/access_control.py`: the framework keeps it and sends
  it to the tab that comes back, whose browser lacks what was lost before ("Bad delta path index"; to send that again
  was proposed and not taken, streamlit/streamlit#9117). Held by `tests/components/shell/test_access_control.py::
  test_a_tab_that_comes_back_hears_nothing_more_of_the_run_that_its_connection_broke_in`.
- A part of a page whose timer asked for it while another page came in its place, `components/shell/access_control.py`:
  the framework draws it once more and names the page that was left, so that the browser takes the new one away ("Bad
  delta path index"; streamlit/streamlit#9617 ends timers where the browser leaves a page, not where the server does).
  Held by `tests/app/test_access_control.py::
  test_a_part_of_a_page_that_was_left_is_told_as_of_the_page_that_is_shown`.
- A page that is to be drawn although nobody pressed anything in it, `redraw_tab` in `domain/runtime/server.py`: the
  framework does so where a source file has changed, by names of its own, and has no word for it. Held by
  `tests/browser/test_sign_in.py::test_signing_out_and_in_goes_for_every_tab_though_nothing_is_pressed_in_the_others`.
"""
