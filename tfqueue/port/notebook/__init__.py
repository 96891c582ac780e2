"""Notebooks.

* `document` reads a notebook's file: its cells as one program, its magics put aside.
* `notebook` takes that program through the rules.
* `cell_runner` runs the cells and keeps their outputs; `magics` runs magics and shell lines.
* `display` shows figures and objects; `matplotlib_backend` is where matplotlib hands figures over.
"""
