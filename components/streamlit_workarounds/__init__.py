"""Workarounds for what Streamlit does not do, or does differently than Muster needs. Read it at each upgrade.

The modules named `monkeypatch_…` replace methods or scripts of Streamlit. Each has a test that shows what Streamlit
does without the patch: once the test fails, the patch can go. The docstring of each module names the upstream issue and
the tests that hold it. Workarounds in other packages:

- State in the URL, `components/shell/address.py`: Streamlit's `bind="query-params"` writes labels of options and omits
  defaults, and *back* does not restore it (streamlit/streamlit#14350, streamlit/streamlit#16998). Held by
  `tests/browser/test_expected_locations.py::
  test_a_place_is_selected_and_filters_are_in_the_url_after_a_refresh`.
- The *Stop* button, `static/muster.css`: it blanks a page while its call goes through (streamlit/streamlit#8182). Held
  by `tests/browser/test_presses.py::test_a_running_page_has_no_stop_button`.
- Calls that must not be cut off, `domain/runtime/calls.py`: a run ends wherever the next one is requested
  (streamlit/streamlit#8182). Held by
  `tests/browser/test_trip_editor.py::test_a_trip_is_added_shown_on_the_map_changed_and_canceled`.
- A lost connection, `static/connection.js`: Streamlit does not say why it was lost. If its own script fails, it draws
  nothing more, and the page is reloaded. Held by
  `tests/browser/test_connection_lost.py::
  test_a_lost_connection_is_reported_with_its_cause_until_muster_is_back`.
- The rest of a run that a lost connection cut off, `components/shell/access_control.py`: Streamlit sends it to the tab
  when it is back, whose browser misses what was lost ("Bad delta path index"; to send that again was proposed and
  rejected, streamlit/streamlit#9117). Held by `tests/components/shell/test_access_control.py::
  test_a_tab_that_reconnects_gets_no_messages_of_the_interrupted_run`.
- A fragment whose timer fires while another page replaces its page, `components/shell/access_control.py`: Streamlit
  draws it once more for the page before, and the browser removes the new page ("Bad delta path index";
  streamlit/streamlit#9617 stops timers when the browser leaves a page, not when the server does). Held by
  `tests/app/test_access_control.py::
  test_a_fragment_run_after_a_page_change_reports_the_current_page`.
- Redrawing a page without a press in it, `redraw_tab` in `domain/runtime/server.py`: Streamlit does so only when a
  source file changes, and has no public function for it. Held by
  `tests/browser/test_sign_in.py::test_signing_out_and_in_applies_to_every_tab_automatically`.
"""
