"""Importing this gives gensim's word vectors the names that they had before 4.0; programs import it for that."""

from tfqueue.port.libraries import gensim_vectors, installed

installed.change("gensim", gensim_vectors.install)
