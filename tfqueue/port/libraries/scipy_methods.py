"""Importing this gives objects of scipy's what they had; programs import it for that.

Up to 1.13 `A` was a sparse matrix as an array, and `H` its conjugate transpose. Up to 1.10 the `vertices`
of a `Delaunay` were its simplices.
"""

import contextlib

with contextlib.suppress(ImportError):
    import scipy.sparse
    import scipy.spatial

    for _kind in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil"):
        _matrix = getattr(scipy.sparse, f"{_kind}_matrix")
        if not hasattr(_matrix, "A"):
            _matrix.A = property(lambda self: self.toarray())
            _matrix.H = property(lambda self: self.conj().T)
    if not hasattr(scipy.spatial.Delaunay, "vertices"):
        scipy.spatial.Delaunay.vertices = property(lambda self: self.simplices)
