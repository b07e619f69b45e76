"""The bare page that `bench/alert_keystroke.py` measures against: a text area and one output."""

import streamlit as st

st.set_page_config(layout="wide")
st.text(st.text_area("Text message", height=150))
