"""One contact filter: its rules, their meaning in a sentence, and a test on a file of people."""

import streamlit as st

from components.filters.builder.builder import rule_builder
from components.filters.builder.filter_page import draw_errors, draw_head, draw_review, filter_on_screen
from components.filters.builder.save_bar import draw_save_bar
from components.filters.builder.several_filters import draw_saved_filters
from components.filters.builder.versions_view import draw_versions
from components.filters.estimate.filter_test_view import draw_filter_test, values_in_file
from components.filters.reach.reach_panel import draw_reach
from components.shell.session import require_workspace
from domain.filters.reach.loaded_people import rosters_on_map, values_on_trips

workspace = require_workspace()

draft = filter_on_screen(workspace)
if draw_review(workspace, draft) or draw_versions(workspace, draft):
    st.stop()

draw_head(workspace, draft)
draw_saved_filters(workspace, draft)
reach = st.container()
rosters = rosters_on_map(workspace)
problems = rule_builder(workspace, draft, values_on_trips(workspace, rosters), values_in_file())
with reach:
    draw_reach(workspace, draft, rosters)
draw_errors(draft)
draw_save_bar(workspace, draft, problems)
draw_filter_test(draft, key="contact-filter-bench")
