"""Samplers of candidates whose true classes may lie outside of the range, as up to 1.15.

Today's ops refuse such a class. Up to 1.15 a class outside of a list of unigrams was expected 0 times, and
one outside of a uniform range as often as any other. `log_uniform_candidate_sampler` is as it is today. The ops
that are added here count for no seed.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import seeds
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()


def _of_any_class(name: str, expected: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
    """Wraps a sampler.

    Args:
        name: Its name below `tf.nn`.
        expected: Called with the expected counts that the op gives for the nearest class in its range, and
            where the true class is that class; gives the expected counts.
    """
    function = getattr(_tf.nn, name)
    signature = inspect.signature(_tensorflow.undecorated(function))

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        told = signature.bind(*args, **kwargs)
        given = told.arguments["true_classes"]
        with seeds.standing_for(0):
            classes = _tf.convert_to_tensor(given, _tf.int64)
            near = _tf.clip_by_value(classes, 0, told.arguments["range_max"] - 1)
        told.arguments["true_classes"] = near
        result = function(*told.args, **told.kwargs)
        with seeds.standing_for(int(classes is not given)):
            counts = expected(result.true_expected_count, _tf.equal(near, classes))
        return result._replace(true_expected_count=counts)

    wrapper.__module__ = __name__
    vars(wrapper)["__signature__"] = signature
    wrapper.__doc__ = f"`tf.nn.{name}`, of true classes outside of its range, too.\n"
    return wrapper


_FIXED = _of_any_class(
    "fixed_unigram_candidate_sampler",
    lambda counts, inside: counts * _tf.cast(inside, counts.dtype),
)
_UNIFORM = _of_any_class("uniform_candidate_sampler", lambda counts, inside: counts)
FUNCTIONS = {
    "nn.fixed_unigram_candidate_sampler": _FIXED,
    "random.fixed_unigram_candidate_sampler": _FIXED,
    "nn.uniform_candidate_sampler": _UNIFORM,
    "random.uniform_candidate_sampler": _UNIFORM,
}
"""Dotted name below `tf` -> what is laid over it."""
