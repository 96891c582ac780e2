"""What layers and cells share: methods that TensorFlow warns of, without the warning."""

import functools
import inspect
import warnings
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import patches
from tfqueue.v1 import _column_op_counts
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_LINEAR_MODEL = _column_op_counts.of_a_linear_model(_tf.feature_column.linear_model)


@functools.wraps(_tf.feature_column.linear_model, assigned=())  # all but its signature is ours
def linear_model(*args: Any, **kwargs: Any) -> Any:
    """`tf.feature_column.linear_model`, which TensorFlow builds of layers that are old."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "`layer.add_variable` is deprecated", UserWarning)
        return _LINEAR_MODEL(*args, **kwargs)


class OldMethods:
    """The deprecated methods that layers and cells have, without their warnings."""

    def apply(self: Any, inputs: Tensor, *args: Any, **kwargs: Any) -> Any:
        """Calls the layer: `layer(inputs)`."""
        return self(inputs, *args, **kwargs)

    def add_variable(self: Any, *args: Any, **kwargs: Any) -> Any:
        """`add_weight` under its first name, with the initializer of the program's release."""
        if release.before("1.0") and _tf.get_variable_scope().initializer is None:
            kwargs["initializer"] = kwargs.get("initializer") or patches.UNIT_SCALING
        return self.add_weight(*args, **kwargs)


def subclass(original: Any, what: Any, module: Any, base: Any = OldMethods, **methods: Any) -> Any:
    """A subclass of one of TensorFlow's classes, under its name.

    Args:
        what: Of what kind it is, for the docstring: `"layer tf.layers."`.
        module: Name of the module it is to be ours in.
        base: `OldMethods`, or the class that is one and comes from `subclass`.
        **methods: Methods of the new class.
    """
    # TensorFlow chooses between the bases for graph mode and for eager mode when a class is first
    # used. It has to be done before there are subclasses, for whom the order of bases would break.
    original.__new__(original)
    return type(
        original.__name__,  # of which a variable's name is made
        (base, original) if base is OldMethods else (original, base),
        {
            "__module__": module,
            "__doc__": f"The {what}{original.__name__} of TensorFlow 1.\n",
            "__signature__": inspect.signature(original),
            **methods,
        },
    )
