"""A translated program as code.

* `compilation` compiles it, with the line numbers of the user's file; `told_differences` and
  `pickle_loads` have it say what this Python or a pickle means, which is in no text that is written.
* `source_lines` shows the translated lines to whoever reads a function's source.
* `execution` runs it, and takes the lines of tfqueue out of its tracebacks.
"""
