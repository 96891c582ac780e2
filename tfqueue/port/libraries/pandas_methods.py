"""Importing this gives pandas what it had up to 0.25; programs import it for that."""

from tfqueue.port.libraries import pandas_frames, pandas_values, pandas_writers

try:
    import pandas  # noqa: F401  (a program may do without it)
except ImportError:
    pass
else:
    for _module in (pandas_frames, pandas_values, pandas_writers):
        _module.install()
