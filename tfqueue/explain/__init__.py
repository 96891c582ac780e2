"""From a failure or a stall to its cause and its fix, in words.

How a runner's failure gets to the main thread is `tfqueue.session.failures`; here it is explained.

* A session tells of it in a `failure`; `diagnosis` finds the row of `stories` that says what it is, with
  what a `case` knows of the pipeline.
* `suspects` finds the record of a failed step, `file_records`, `forged_length` and `empty_files` look into
  files, and `silent_damage` finds what loses data without an error.
* `uncaught_errors` prints what nobody caught, `python_errors` keeps what Python functions raised,
  `refused_fetch` and `growth` are about steps of the program; `pytest_plugin` shortens pytest's report.
"""

from __future__ import annotations
