"""Old source to source that runs: one set of rules behind `tfqueue run`, `check` and `port`.

Nothing here imports TensorFlow; a program that is run imports it itself.

* `engine.translate` takes a program's text through the rules.
* `importer` applies them in memory, to the program and its own modules.
* `rules` holds one file per rule.
* `era` tells which TensorFlow a program was written for.
* `runtime` has the few helpers that rewritten programs call, where only run time can tell.
"""
