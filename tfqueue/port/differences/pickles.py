"""`np.load` in an old program, which reads arrays of objects, and says the first time that it does.

Such an array is a pickle, and a pickle can run code when it is read. Up to 1.16.2 numpy read them
unasked. `tfqueue run` has the program call `load` (`code.pickle_loads`); what `port` writes calls numpy.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from tfqueue.port.differences import telling


def load(file: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``np.load(file, allow_pickle=True)``.

    Args:
        file: A path, or a file that is open.
        *args: See `numpy.load`.
        **words: See `numpy.load`.

    >>> import io
    >>> import numpy as np
    >>> file = io.BytesIO()
    >>> np.save(file, [1, 2])
    >>> _ = file.seek(0)
    >>> load(file, allow_pickle=True)
    array([1, 2])
    """
    import numpy as np

    found = np.load(file, *args, **words)
    name = getattr(file, "name", file)
    source = os.fspath(name) if isinstance(name, str | os.PathLike) else "an open file"
    if isinstance(found, np.lib.npyio.NpzFile):
        # its arrays are read when they are asked for
        found.__class__ = _archive_class()
        found.__dict__["_source"] = source
    elif not isinstance(found, np.ndarray) or found.dtype.hasobject:
        telling.tell_pickle(source)
    return found


@functools.cache
def _archive_class() -> Any:
    """The class of an archive that says when it reads a pickle."""
    import numpy as np

    archive: Any = np.lib.npyio.NpzFile

    class NpzFile(archive):  # type: ignore[misc]
        """An archive of arrays."""

        _source: str

        def __getitem__(self, key: str) -> Any:
            found = super().__getitem__(key)
            if isinstance(found, np.ndarray) and found.dtype.hasobject:
                telling.tell_pickle(self._source)
            return found

    return NpzFile
