"""Notebooks: their cells through the rules, their magics, and what their cells show."""
