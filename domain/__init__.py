"""What Muster decides, in pure Python: no module here draws or imports Streamlit."""
