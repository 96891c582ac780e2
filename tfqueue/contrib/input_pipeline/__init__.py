"""`tf.contrib.input_pipeline`: a list of names that all workers of a cluster share."""

import random
from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import DType, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["obtain_next", "seek_next"]

__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def obtain_next(string_list_tensor: Tensor, counter: Any) -> Any:
    """The next string of a list that is repeated without end (`tf.contrib.input_pipeline.obtain_next`).

    Args:
        string_list_tensor: String tensor `[n]`.
        counter: An int64 variable, which starts at -1; each run sets it to the place of the string that it gives.

    Returns:
        A scalar string tensor.
    """
    size = _tf.size(string_list_tensor, out_type=_tf.int64)
    place = _tf.assign(counter, (counter + 1) % size, use_locking=True)
    return _tf.gather(string_list_tensor, place)


def seek_next(
    string_list: Sequence[str],
    shuffle: bool = False,
    seed: int | None = None,
    num_epochs: int | None = None,
) -> Any:
    """The next string of a list, for all workers together (`tf.contrib.input_pipeline.seek_next`).

    The position is a variable: where it stands on a parameter server, all workers go through one list
    together, and each string is given once an epoch.

    Args:
        shuffle: Whether to shuffle it, in each epoch anew where `num_epochs` is given.
        num_epochs: How often to go through it before `OutOfRangeError`; None for no end.

    Returns:
        A scalar string tensor.

    >>> with _tf.Session() as sess:
    ...     name = seek_next(["a", "b"])
    ...     sess.run(_tf.global_variables_initializer())
    ...     print([sess.run(name) for _ in range(3)])
    [b'a', b'b', b'a']
    """
    generator = random.Random(seed)
    order, names = list(string_list), []
    for _ in range(num_epochs or 1):
        if shuffle:
            generator.shuffle(order)
        names += order

    def variable(name: str, start: Any, dtype: DType) -> Any:
        return _tf.get_variable(
            name, initializer=_tf.constant(start, dtype), dtype=dtype, trainable=False
        )

    with _tf.variable_scope("obtain_next"):
        counter = variable("obtain_next_counter", -1, _tf.int64)
        with _tf.colocate_with(counter):
            listed = variable("obtain_next_expanded_list", names, _tf.string)
            if not num_epochs:
                return obtain_next(listed, counter)
            taken = variable("obtain_next_filename_counter", 0, _tf.int64)
            return _tf.gather(listed, taken.count_up_to(len(names)))
