"""Importing this gives imbalanced-learn's samplers `fit_sample`; programs import it for that."""

from tfqueue.port.libraries import imblearn_samplers, installed

installed.change("imblearn", imblearn_samplers.install)
