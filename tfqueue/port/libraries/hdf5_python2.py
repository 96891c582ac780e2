"""Importing this gives h5py what it did up to 2.x under Python 2; programs import it for that."""

import contextlib

from tfqueue.port.libraries import hdf5

with contextlib.suppress(ImportError):
    hdf5.install(python2=True)
