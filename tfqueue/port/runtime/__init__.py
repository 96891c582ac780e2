"""What only run time can tell of numpy, tensors and modules: small helpers that translated programs import from here.

What Python 2 meant is in `tfqueue.port.py2`, what a library besides numpy did in `tfqueue.port.libraries`. Nothing here
imports TensorFlow before it is called.

* `arithmetic`, `arrays`, `comparisons`, `elements` and `ordering`: numpy as it was.
* `tensors`: tensors in calls of numpy, and the classes of TensorFlow's objects.
* `modules`: what is imported or run by name, and what the standard library has no longer.
"""

from tfqueue.port.runtime.arithmetic import *  # noqa: F403
from tfqueue.port.runtime.arithmetic import __all__ as _arithmetic
from tfqueue.port.runtime.arrays import *  # noqa: F403
from tfqueue.port.runtime.arrays import __all__ as _arrays
from tfqueue.port.runtime.comparisons import *  # noqa: F403
from tfqueue.port.runtime.comparisons import __all__ as _comparisons
from tfqueue.port.runtime.elements import *  # noqa: F403
from tfqueue.port.runtime.elements import __all__ as _elements
from tfqueue.port.runtime.modules import *  # noqa: F403
from tfqueue.port.runtime.modules import __all__ as _modules
from tfqueue.port.runtime.ordering import *  # noqa: F403
from tfqueue.port.runtime.ordering import __all__ as _ordering
from tfqueue.port.runtime.tensors import *  # noqa: F403
from tfqueue.port.runtime.tensors import __all__ as _tensors

__all__ = [*_arithmetic, *_arrays, *_comparisons, *_elements, *_ordering, *_tensors, *_modules]
