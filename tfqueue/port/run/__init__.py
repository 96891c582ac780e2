"""Running a translated program.

* `importer` runs a program and imports its modules through the rules.
* `file_loading` does so for files that are loaded by their path, `bytecode` for modules without a source,
  `spawned` for processes of `multiprocessing`.
* `advice` says what a failure has to do with the translation.
* `recorded` records the program meanwhile.
* `interrupts` lets Ctrl-C end a program that waits.
* `dry_run` stops a program at the first step that takes from its pipeline; `first_step` says
  which step that was.
"""
