"""What `numpy.core.umath_tests` had (`inner1d`, `matrix_multiply`), from where numpy keeps it for its own tests by now."""

from __future__ import annotations

import importlib
import importlib.util

_CORE = "numpy._core" if importlib.util.find_spec("numpy._core._umath_tests") else "numpy.core"
globals().update(
    {
        name: ufunc
        for name, ufunc in vars(importlib.import_module(f"{_CORE}._umath_tests")).items()
        if not name.startswith(("_", "test_"))
    }
)
