"""Old source to source that runs: one set of rules behind `tfqueue run`, `check` and `port`.

* `entrance` reads, parses, judges and translates the file that a user names, once.
* `source` reads and writes files of any encoding, in Python 2 or 3.
* `program` says what a program is: its modules, its Python, its TensorFlow, its pipelines.
* `rules` holds one file per rule; `rules.engine.translate` takes a program's text through them.
* `code` compiles and runs what they give.
* `run` applies the rules in memory, to the program and its own modules.
* `differences` watches where Python 2 and 3 differ, in a program that shows neither.
* `notebook` does the same for notebooks.
* `py2`, `runtime` and `libraries` are what translated programs import: only run time can tell there.

Only `run.dry_run`, `program.today`, which is a process of its own, and what translated programs import of `keras_*`
in `libraries` import TensorFlow at their top; a program that is run imports it itself.
"""
