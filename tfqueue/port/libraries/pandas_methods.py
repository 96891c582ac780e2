"""Importing this gives pandas what it had up to 0.25; programs import it for that."""

import contextlib

from tfqueue.port.libraries import pandas_frames, pandas_values, pandas_writers

with contextlib.suppress(ImportError):
    pandas_frames.install()
with contextlib.suppress(ImportError):
    pandas_values.install()
with contextlib.suppress(ImportError):
    pandas_writers.install()
