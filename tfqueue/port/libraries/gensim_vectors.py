"""gensim as it was up to 3.8: what its word vectors were called. Translated programs import this."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_OLD_WORDS = {"size": "vector_size", "iter": "epochs", "docvecs": "dv"}
_OF_VECTORS = (
    *(
        "__contains__",
        "__getitem__",
        "doesnt_match",
        "most_similar",
        "n_similarity",
        "similar_by_word",
    ),
    *("similar_by_vector", "similarity", "wmdistance", "word_vec"),
)
"""What a model had of its vectors."""


def _making(original: Callable[..., Any]) -> Callable[..., Any]:
    """A constructor that takes the arguments of before: `size` stood second up to 3.2."""

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **words: Any) -> None:
        if len(args) > 1 and isinstance(args[1], int):
            args = (args[0], None, *args[1:])
        original(self, *args, **{_OLD_WORDS.get(key, key): one for key, one in words.items()})

    return __init__


def _training(original: Callable[..., Any]) -> Callable[..., Any]:
    """`train(sentences)`, which did as many rounds, over as many sentences, as the model was made with."""

    @functools.wraps(original)
    def train(self: Any, *args: Any, **words: Any) -> Any:
        if not {"total_examples", "total_words"} & words.keys() and len(args) < 3:
            words["total_examples"] = self.corpus_count
        words.setdefault("epochs", words.pop("iter", self.epochs))
        return original(self, *args, **words)

    return train


class _Vocabulary(Mapping[str, Any]):
    """`vectors.vocab`: for each word its place, and how often it was seen."""

    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors

    def __getitem__(self, word: str) -> Any:
        at = self._vectors.key_to_index[word]
        return types.SimpleNamespace(index=at, count=self._vectors.get_vecattr(word, "count"))

    def __contains__(self, word: object) -> bool:
        return word in self._vectors.key_to_index

    def __iter__(self) -> Iterator[str]:
        return iter(self._vectors.key_to_index)

    def __len__(self) -> int:
        return len(self._vectors.key_to_index)


def _of_vectors(name: str) -> Callable[..., Any]:
    return lambda self, *args, **words: getattr(self.wv, name)(*args, **words)


def _add(owner: Any, **members: Any) -> None:
    for name, member in members.items():
        setattr(owner, name, member)


def install() -> None:
    """Gives gensim 4 its names of before back; an older gensim is left alone."""
    import gensim.models

    vectors, model = gensim.models.KeyedVectors, gensim.models.Word2Vec
    if int(gensim.__version__.partition(".")[0]) < 4 or hasattr(vectors, "_tfqueue"):
        return
    words = property(lambda self: self.index_to_key)
    matrix = property(lambda self: self.vectors)
    _add(vectors, _tfqueue=True, vocab=property(_Vocabulary), index2word=words, index2entity=words)
    _add(vectors, syn0=matrix, syn0norm=property(lambda self: self.get_normed_vectors()))
    _add(vectors, wv=property(lambda self: self), word_vec=vectors.get_vector)
    _add(
        vectors,
        init_sims=lambda self, replace=False: self.unit_normalize_all() if replace else None,
    )
    for name in _OF_VECTORS:
        setattr(model, name, _of_vectors(name))
    for name in ("vocab", "index2word", "syn0", "syn0norm"):
        setattr(
            model,
            name,
            property(functools.partial(lambda name, self: getattr(self.wv, name), name)),
        )
    _add(model, iter=property(lambda self: self.epochs), init_sims=_of_vectors("init_sims"))
    _add(
        model,
        load_word2vec_format=vectors.load_word2vec_format,
        save_word2vec_format=_of_vectors("save_word2vec_format"),
    )
    for kind in (model, gensim.models.Doc2Vec, gensim.models.FastText):
        kind.__init__ = _making(vars(kind)["__init__"])
    model.train = _training(vars(model)["train"])
