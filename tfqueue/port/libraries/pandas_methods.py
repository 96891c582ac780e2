"""Importing this gives pandas what it had up to 0.25; programs import it for that."""

from tfqueue.port.libraries import installed, pandas_frames, pandas_values, pandas_writers

installed.change("pandas", pandas_frames.install, pandas_values.install, pandas_writers.install)
