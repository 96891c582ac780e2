"""Importing this puts samples in the folds of before scikit-learn 0.22; programs import it for that."""

import contextlib

from tfqueue.port.libraries import sklearn_folds

with contextlib.suppress(ImportError):
    sklearn_folds.install()
