"""Importing this gives pandas what it had up to 0.25; programs import it for that."""

import contextlib

from tfqueue.port.libraries import frames

with contextlib.suppress(ImportError):
    frames.install()
