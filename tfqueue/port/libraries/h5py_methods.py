"""Importing this gives h5py what it did up to 2.x; programs import it for that."""

import contextlib

from tfqueue.port.libraries import h5py_files

with contextlib.suppress(ImportError):
    h5py_files.install()
