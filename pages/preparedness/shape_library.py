"""Prepare and upload shapes, and list the shapes that were sent from Muster."""

import streamlit as st

from components.preparedness.shape_library.new_shape import draw_new_shape
from components.preparedness.shape_library.region_list import REGIONS, draw_delete_by_name
from components.record_list.list_and_detail import draw_record_list
from components.shell.session import require_workspace
from domain.tables.loaded_records import NEW

workspace = require_workspace()
if st.query_params.get_all(REGIONS.url_parameter) == [NEW]:
    draw_new_shape(workspace)
else:
    draw_record_list(workspace, REGIONS)
    draw_delete_by_name(workspace)
