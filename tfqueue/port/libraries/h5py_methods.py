"""Importing this gives h5py what it did up to 2.x; programs import it for that."""

from tfqueue.port.libraries import h5py_files, installed

installed.change("h5py", h5py_files.install)
