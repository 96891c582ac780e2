"""Importing this gives objects of scipy's what they had; programs import it for that.

Up to 1.13 `A` was a sparse matrix as an array, and `H` its conjugate transpose. Up to 1.10 the `vertices`
of a `Delaunay` were its simplices.
"""

from tfqueue.port.libraries import installed


def _install() -> None:
    import scipy.sparse
    import scipy.spatial

    for name in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil"):
        matrix = getattr(scipy.sparse, f"{name}_matrix")
        if not hasattr(matrix, "A"):
            matrix.A = property(lambda self: self.toarray())
            matrix.H = property(lambda self: self.conj().T)
    if not hasattr(scipy.spatial.Delaunay, "vertices"):
        scipy.spatial.Delaunay.vertices = property(lambda self: self.simplices)


installed.change("scipy", _install)
