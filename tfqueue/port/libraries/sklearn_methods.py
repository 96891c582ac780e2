"""Importing this puts samples in the folds of before scikit-learn 0.22; programs import it for that."""

from tfqueue.port.libraries import installed, sklearn_folds

installed.change("sklearn", sklearn_folds.install)
