"""`tf.nn.dynamic_rnn` and its kin, whose variables had scopes of other names up to 0.12."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1 import _cell_names

_tf = _tensorflow.compat_v1()


def _in_scope(name: str, both_ways: bool = False) -> Callable[[str], Callable[..., Any]]:
    """Makes wrappers of TensorFlow's functions which run cells.

    Args:
        name: The scope where a call up to 0.12 gives none.
        both_ways: Whether there is a cell for each direction, below scopes of their own.
    """

    def wrapped(of: str) -> Callable[..., Any]:
        loop = getattr(_tf.nn, of)
        signature = inspect.signature(loop)

        @functools.wraps(loop)
        def run(*args: Any, **kwargs: Any) -> Any:
            if not release.before("1.0"):
                return loop(*args, **kwargs)
            given = signature.bind(*args, **kwargs).arguments
            given["scope"] = given.get("scope") or name
            if not both_ways:
                return loop(**given)
            with _tf.variable_scope(given["scope"], auxiliary_name_scope=False):
                with _cell_names.renamed_below("fw|bw", str.upper) as within:
                    return loop(**{**given, "scope": within})

        run.__module__ = __name__
        return run

    return wrapped


dynamic_rnn, raw_rnn, static_rnn, static_state_saving_rnn = map(
    _in_scope("RNN"), ("dynamic_rnn", "raw_rnn", "static_rnn", "static_state_saving_rnn")
)
bidirectional_dynamic_rnn, static_bidirectional_rnn = map(
    _in_scope("BiRNN", both_ways=True), ("bidirectional_dynamic_rnn", "static_bidirectional_rnn")
)

FUNCTIONS = {
    f"nn.{loop.__name__}": loop
    for loop in (
        bidirectional_dynamic_rnn,
        dynamic_rnn,
        raw_rnn,
        static_bidirectional_rnn,
        static_rnn,
        static_state_saving_rnn,
    )
}
"""What stands below `tf`."""
