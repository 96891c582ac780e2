"""`tf.contrib.gan`: the package tensorflow-gan, where it is installed.

`tfqueue run` translates that package as part of the program. Without that it finds no
`tf.estimator`; then, and where it is not installed, the sentence for `tf.contrib.gan` says what to do.
"""

import importlib

from tfqueue.names import gone
from tfqueue.names.sentence import GoneImportError
from tfqueue.v1 import _lazy_names

try:
    _package = importlib.import_module("tensorflow_gan")
except (AttributeError, ModuleNotFoundError) as error:
    _row = gone.BY_NAME["contrib.gan"]
    raise GoneImportError(f"tf.{_row.old}", _row.removed, _row.use) from error

_ROWS = {name: f"tensorflow_gan:{name}" for name in dir(_package) if not name.startswith("_")}
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
