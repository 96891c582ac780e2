"""Importing this gives gensim's word vectors the names that they had before 4.0; programs import it for that."""

import contextlib

from tfqueue.port.libraries import gensim_vectors

with contextlib.suppress(ImportError):
    gensim_vectors.install()
