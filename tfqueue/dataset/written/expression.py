"""What is written for a tensor."""

import numpy as np

from tfqueue.dataset.written import literals


class Expression(str):
    """Python text for a tensor.

    Attributes:
      atomic: Whether an operator can stand beside it without parentheses.
      array: The value, if it is a constant.
      dtype: The constant's dtype.
    """

    atomic = True
    array = None
    dtype = None


def constant(array, dtype):
    """The expression of a constant."""
    made = Expression(literals.constant(array, dtype))
    made.array, made.dtype = np.asarray(array), dtype
    made.atomic = not made.startswith("-")
    return made
