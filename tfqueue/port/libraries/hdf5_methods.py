"""Importing this gives h5py what it did up to 2.x; programs import it for that."""

import contextlib

from tfqueue.port.libraries import hdf5

with contextlib.suppress(ImportError):
    hdf5.install()
