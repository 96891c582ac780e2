"""Importing this gives scipy's sparse matrices what they had before 1.14; programs import it for that.

`A` is the matrix as an array, `H` its conjugate transpose.
"""

import contextlib

with contextlib.suppress(ImportError):
    import scipy.sparse

    for _kind in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil"):
        _matrix = getattr(scipy.sparse, f"{_kind}_matrix")
        if not hasattr(_matrix, "A"):
            _matrix.A = property(lambda self: self.toarray())
            _matrix.H = property(lambda self: self.conj().T)
