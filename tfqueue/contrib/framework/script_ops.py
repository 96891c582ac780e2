"""`tf.contrib.framework.py_func`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.framework import nest

_tf = _tensorflow.compat_v1()


def py_func(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    output_types: Any = None,
    output_shapes: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """A Python function as an op, with arguments by name and nested results.

    Stands for `tf.contrib.framework.py_func`, whose arguments are not those of `tf.py_func`.

    Args:
        func: Function of numpy arrays in the structure of `args` and `kwargs`.
        args: List or tuple of tensors, or of nested structures of them.
        kwargs: Dict of the same, by the names of `func`'s arguments.
        output_types: The dtypes of what `func` returns, in its structure; or a function that gives
            them for `*args, **kwargs`.
        output_shapes: Optionally the shapes, in the same structure; or such a function.
        stateful: Whether two calls with the same arrays may give different values.

    Returns:
        Tensors in the structure of `output_types`.

    Raises:
        TypeError: If `args` is no list or tuple, or `kwargs` no dict.
        tf.errors.InvalidArgumentError: In the run, if `func` returns another structure.

    >>> import tfqueue.v1 as tf
    >>> total = py_func(lambda x, y: {"sum": x + y}, [1.0], {"y": 2.0}, {"sum": tf.float32})
    >>> with tf.Session() as sess:
    ...     sess.run(total)
    {'sum': 3.0}
    """
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(args, list | tuple) or not isinstance(kwargs, dict):
        raise TypeError(f"args must be a list and kwargs a dict, not {args!r} and {kwargs!r}")
    types = output_types(*args, **kwargs) if callable(output_types) else output_types
    shapes = output_shapes(*args, **kwargs) if callable(output_shapes) else output_shapes
    given = args, kwargs

    def run(*arrays: Any) -> list[Any]:
        by_place, by_name = _tf.nest.pack_sequence_as(given, arrays)
        found = func(*by_place, **by_name)
        nest.assert_shallow_structure(types, found)
        return list(_tf.nest.flatten(found))

    flat = _tf.nest.flatten(types)
    tensors = _tf.py_func(run, _tf.nest.flatten(given), flat, stateful, name)
    if shapes is not None:
        for tensor, shape in zip(tensors, nest.flatten_up_to(types, shapes), strict=True):
            tensor.set_shape(shape)
    return _tf.nest.pack_sequence_as(types, tensors)
