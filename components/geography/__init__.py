"""What is known about the world without asking anyone: airports, countries, time zones.

Pure and offline; imports neither streamlit nor client.
"""
