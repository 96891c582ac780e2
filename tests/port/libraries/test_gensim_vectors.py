"""What `tfqueue.port.libraries.gensim_vectors` gives back to gensim, on a stand-in for gensim 4's classes.

The same calls were tried with gensim 4.4.
"""

import sys
import types

import pytest

from tfqueue.port.libraries import gensim_vectors


class KeyedVectors:
    def __init__(self, words):
        self.key_to_index = {word: at for at, word in enumerate(words)}
        self.index_to_key, self.vectors = list(words), [[float(at)] for at in range(len(words))]
        self.normed = False

    def get_vector(self, word):
        return self.vectors[self.key_to_index[word]]

    __getitem__ = get_vector

    def __contains__(self, word):
        return word in self.key_to_index

    def get_vecattr(self, word, name):
        assert name == "count"
        return 10 - self.key_to_index[word]

    def get_normed_vectors(self):
        return "normed"

    def unit_normalize_all(self):
        self.normed = True

    @classmethod
    def load_word2vec_format(cls, path, binary=False):
        return cls([path, "b"])

    def save_word2vec_format(self, path, binary=False):
        return "saved", path, binary


class Word2Vec:
    corpus_count = 4

    def __init__(self, sentences=None, corpus_file=None, vector_size=100, alpha=0.1, epochs=5):
        self.made = sentences, corpus_file, vector_size, alpha
        self.epochs, self.wv = epochs, sys.modules["gensim.models"].KeyedVectors("ab")

    def train(self, sentences, corpus_file=None, total_examples=None, epochs=None):
        return total_examples, epochs


class Doc2Vec(Word2Vec):
    def __init__(self, documents=None, vector_size=1):
        super().__init__(documents, vector_size=vector_size)


class FastText(Word2Vec):
    def __init__(self, sentences=None, vector_size=1):
        super().__init__(sentences, vector_size=vector_size)


@pytest.fixture
def gensim(monkeypatch):
    """The stand-in."""
    gensim, models = types.ModuleType("gensim"), types.ModuleType("gensim.models")
    gensim.__version__, gensim.models = "4.4.0", models
    for kind in (KeyedVectors, Word2Vec):
        members = {
            key: one for key, one in vars(kind).items() if key not in ("__dict__", "__weakref__")
        }
        setattr(models, kind.__name__, type(kind.__name__, (), members))
    for kind in (Doc2Vec, FastText):
        setattr(models, kind.__name__, type(kind.__name__, (kind,), {"__init__": kind.__init__}))
    monkeypatch.setitem(sys.modules, "gensim", gensim)
    monkeypatch.setitem(sys.modules, "gensim.models", models)
    return gensim


def test_vectors_have_their_names_of_before(gensim):
    gensim_vectors.install()
    vectors = gensim.models.KeyedVectors("xy")
    assert (vectors.vocab["y"].index, vectors.vocab["y"].count) == (1, 9)
    assert (list(vectors.vocab), len(vectors.vocab)) == (["x", "y"], 2)
    assert "x" in vectors.vocab
    assert "z" not in vectors.vocab
    assert vectors.index2word == vectors.index2entity == ["x", "y"]
    assert (vectors.syn0, vectors.syn0norm) == ([[0.0], [1.0]], "normed")
    assert vectors.wv.word_vec("y") == [1.0]
    vectors.init_sims()
    assert not vectors.normed
    vectors.init_sims(replace=True)
    assert vectors.normed


def test_a_model_has_what_its_vectors_have(gensim):
    gensim_vectors.install()
    model = gensim.models.Word2Vec(["a"], size=3, iter=2)
    assert model.made == (["a"], None, 3, 0.1)
    assert (model.iter, model["b"], "a" in model, model.vocab["a"].count) == (2, [1.0], True, 10)
    assert model.save_word2vec_format("p", binary=True) == ("saved", "p", True)
    assert gensim.models.Word2Vec.load_word2vec_format("q").index2word == ["q", "b"]
    assert gensim.models.Word2Vec(["a"], 7, 0.5).made == (["a"], None, 7, 0.5)
    assert gensim.models.Word2Vec(["a"], "file").made == (["a"], "file", 100, 0.1)


def test_a_training_has_the_rounds_that_the_model_was_made_with(gensim):
    gensim_vectors.install()
    model = gensim.models.Word2Vec(iter=2)
    assert model.train(["a"]) == (4, 2)
    assert model.train(["a"], total_examples=3, epochs=1) == (3, 1)
    assert model.train(["a"], None, 6, epochs=9) == (6, 9)


def test_an_older_gensim_is_left_alone(gensim):
    gensim.__version__ = "3.8.3"
    gensim_vectors.install()
    assert not hasattr(gensim.models.KeyedVectors, "vocab")
