"""What `numpy.core.umath_tests` had (`inner1d`, `matrix_multiply`), from where numpy keeps it for its own tests by now."""

from __future__ import annotations

import importlib
import importlib.util
import os
from types import ModuleType

_SWITCH = "NUMPY_EXPERIMENTAL_DTYPE_API"


def _loaded() -> ModuleType:
    """The module of numpy, which up to numpy 1.26 loads only where a variable of the environment is set."""
    core = "numpy._core" if importlib.util.find_spec("numpy._core._umath_tests") else "numpy.core"
    before = os.environ.get(_SWITCH)
    os.environ[_SWITCH] = "1"
    try:
        return importlib.import_module(f"{core}._umath_tests")
    finally:
        del os.environ[_SWITCH]
        if before is not None:
            os.environ[_SWITCH] = before


globals().update(
    {name: ufunc for name, ufunc in vars(_loaded()).items() if not name.startswith(("_", "test_"))}
)
