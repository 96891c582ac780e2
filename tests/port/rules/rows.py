"""One row per thing that a rule must change, and per thing that it must leave alone.

The rows stand beside this file, by what the rules are about.
"""

from . import rows_libraries, rows_python2, rows_tensorflow

_ALL = (rows_tensorflow, rows_libraries, rows_python2)

CHANGED = [row for rows in _ALL for row in rows.CHANGED]
LEFT = [row for rows in _ALL for row in rows.LEFT]
HELPLESS = rows_tensorflow.HELPLESS
