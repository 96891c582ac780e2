"""Old source to source that runs: one set of rules behind `tfqueue run`, `check` and `port`.

* `entrance` reads, parses, judges and translates the file that a user names, once.
* `source` reads and writes files of any encoding, in Python 2 or 3.
* `program` says what a program is: its modules, its Python, its TensorFlow, its pipelines.
* `rules` holds one file per rule; `rules.engine.translate` takes a program's text through them.
* `code` compiles and runs what they give.
* `run` applies the rules in memory, to the program and its own modules.
* `notebook` does the same for notebooks.
* `py2`, `runtime` and `images` are what translated programs import: only run time can tell there. So are
  `figures` (matplotlib), `frames`, `frame_groups` and `frame_methods` (pandas), `graphs`, `graph_lists` and
  `graph_methods` (networkx), `hdf5` and `hdf5_methods` (h5py), `learners`, `folds` and `fold_methods`
  (scikit-learn), `pictures` and `picture_methods` (Pillow, imageio), `skimages` (scikit-image),
  `sparse_methods` (scipy), and `matches` (`re`).

Only `run.dry_run` imports TensorFlow at its top; a program that is run imports it itself.
"""
