"""Importing this gives imbalanced-learn's samplers `fit_sample`; programs import it for that."""

import contextlib

from tfqueue.port.libraries import imblearn_samplers

with contextlib.suppress(ImportError):
    imblearn_samplers.install()
