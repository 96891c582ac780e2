"""scipy: names that moved to numpy or went, arguments, and results that lost a dimension.

https://docs.scipy.org/doc/scipy/release.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("scipy",)
_WINDOWS = (
    "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop gaussian general_gaussian "
    "hamming hann kaiser nuttall parzen triang tukey"
)
_VALUES = "tfqueue.port.libraries.scipy_values"
_OF_NUMPY = (
    "abs absolute all allclose amax amin any append arange argmax argmin argsort argwhere around array "
    "array_equal asarray average bincount ceil clip column_stack complex128 complex64 concatenate copy "
    "corrcoef cos cov cross cumprod cumsum delete diag diff divide dot dstack einsum empty empty_like exp "
    "expand_dims eye fabs finfo flatnonzero fliplr flipud float32 float64 floor full genfromtxt gradient "
    "histogram hstack hypot identity imag indices inf int16 int32 int64 int8 integer intersect1d isclose "
    "isfinite isinf isnan isreal kron linspace loadtxt logical_and logical_not logical_or logspace matrix "
    "max maximum mean median meshgrid mgrid min minimum mod multiply nan nan_to_num nanmax nanmean nanmin "
    "nanstd nansum ndarray ndim newaxis nonzero ones ones_like outer pad percentile pi polyfit polyval prod "
    "ptp random ravel real repeat reshape roll rollaxis rot90 round savetxt searchsorted setdiff1d shape sign "
    "sin sinh size sort split square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile "
    "trace transpose tril triu uint16 uint32 uint8 union1d unique unravel_index var vdot vectorize vstack "
    "where zeros zeros_like"
)
_ROWS = {
    **{f"scipy.signal.{name}": f"scipy.signal.windows.{name}" for name in _WINDOWS.split()},
    "scipy.signal.hanning": "scipy.signal.windows.hann",
    **{
        f"scipy.{name}": f"{_VALUES}.{name.rpartition('.')[2]}"
        for name in (
            "integrate.simps interpolate.interp2d interpolate.interpolate.interp2d signal.cwt signal.morlet signal.ricker "
            "signal.wavelets.cwt signal.wavelets.morlet signal.wavelets.ricker special.sph_harm stats.binom_test "
            "stats.itemfreq"
        ).split()
    },
    "scipy.special.btdtr": "scipy.special.betainc",
    "scipy.special.btdtri": "scipy.special.betaincinv",
    "scipy.stats.frechet_l": "scipy.stats.weibull_max",
    "scipy.stats.frechet_r": "scipy.stats.weibull_min",
    "scipy.stats.gilbrat": "scipy.stats.gibrat",
    "scipy.integrate.trapz": "scipy.integrate.trapezoid",
    "scipy.integrate.cumtrapz": "scipy.integrate.cumulative_trapezoid",
    "scipy.linalg.pinv2": "scipy.linalg.pinv",
    "scipy.spatial.distance.matching": "scipy.spatial.distance.hamming",
    **{f"scipy.linalg.{name}": f"numpy.{name}" for name in ("kron", "tri", "tril", "triu")},
    **{f"scipy.{name}": f"numpy.{name}" for name in _OF_NUMPY.split()},
    # these gave complex numbers where numpy's give none
    **{
        f"scipy.{name}": f"numpy.lib.scimath.{name}"
        for name in ("log", "log2", "log10", "power", "sqrt")
    },
    "scipy.interpolate.interpnd._ndim_coords_from_arrays": (
        "scipy.interpolate._interpnd._ndim_coords_from_arrays"
    ),
    "scipy.rand": "numpy.random.rand",
    "scipy.randn": "numpy.random.randn",
    "scipy.interp": "numpy.interp",
    **{
        f"scipy.sparse.linalg.{old}.{name}": f"scipy.sparse.linalg.{name}"
        for old in ("eigen", "eigen.arpack", "eigen.arpack.arpack", "isolve")
        for name in ("eigs", "eigsh", "svds", "ArpackNoConvergence", "cg", "gmres", "lsqr")
    },
}
_GIVES_OTHER = {
    f"scipy.{name}": f"tfqueue.port.libraries.scipy_functions.{name.rpartition('.')[2]}"
    for name in (
        "linalg.circulant linalg.toeplitz ndimage.interpolation.map_coordinates ndimage.map_coordinates signal.medfilt "
        "spatial.distance.cdist spatial.distance.jaccard spatial.distance.pdist"
    ).split()
} | {
    f"scipy.{name}": f"{_VALUES}.{name.rpartition('.')[2]}"
    for name in (
        "ndimage.interpolation.rotate ndimage.interpolation.shift ndimage.interpolation.zoom ndimage.rotate ndimage.shift "
        "ndimage.zoom signal.firwin sparse.find sparse.linalg.bicg sparse.linalg.bicgstab sparse.linalg.cg "
        "sparse.linalg.cgs sparse.linalg.gmres sparse.linalg.lsqr special.comb stats.ks_2samp stats.mannwhitneyu "
        "stats.wilcoxon"
    ).split()
}
"""Functions that are there, and gave something else in the day of TensorFlow 1."""
# Arguments of scipy's functions
_KEYWORDS = {
    ("scipy.linalg.eigh", "eigvals"): "subset_by_index",
    ("scipy.linalg.eigh", "turbo"): None,
    ("scipy.linalg.eigvalsh", "eigvals"): "subset_by_index",
    ("scipy.linalg.eigvalsh", "turbo"): None,
    ("scipy.linalg.pinv", "cond"): "rtol",
    ("scipy.linalg.pinv", "rcond"): "rtol",
}
_OF_DISTRIBUTIONS: dict[tuple[str, str], str | None] = {
    ("interval", "alpha"): "confidence",
    ("moment", "n"): "order",
}


def find(module: Module) -> Iterator[Finding]:
    """Finds moved names, arguments that came or went, and what sparse matrices had."""
    yield from moved_names.find(module, _ROWS)
    if module.is_old:
        yield from moved_names.find(
            module, _GIVES_OTHER, "{old} gives something else than in the day of TensorFlow 1"
        )
    for call, dotted in module.calls:
        if dotted.startswith("scipy.linalg."):
            yield from moved_names.keywords(module, call, dotted, _KEYWORDS, "scipy")
            yield from _positive(module, call, dotted)
        elif dotted.startswith("scipy.stats."):
            name = dotted.rpartition(".")[2]
            yield from moved_names.keywords(module, call, name, _OF_DISTRIBUTIONS, "scipy")
        if dotted == "scipy.stats.mode" and module.is_old and _keeps_dimensions(call):
            yield module.finding(call, "mode kept the dimension that it counts in up to scipy 1.10")
            module.add_argument(call, "keepdims", "True")
    read = {node.attr for node in module.nodes[ast.Attribute] if not module.dotted(node)}
    why = ""
    if read & {"A", "H"}:
        why = "sparse matrices have no A and no H since scipy 1.14"
    elif "vertices" in read and "Delaunay" in module.text:
        why = "a Delaunay has no vertices since scipy 1.11, its simplices"
    if why:
        yield from moved_names.installs(
            module, "scipy", "tfqueue.port.libraries.scipy_methods", why
        )


def _positive(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    for keyword in call.keywords:
        if dotted == "scipy.linalg.solve" and keyword.arg == "sym_pos":
            if isinstance(keyword.value, ast.Constant):
                yield module.finding(call, "sym_pos=True of solve is assume_a='pos' since 1.11")
                call.keywords.remove(keyword)
                module.changed()
                if keyword.value.value:
                    module.add_argument(call, "assume_a", "'pos'")
            return


def _keeps_dimensions(call: ast.Call) -> bool:
    """Whether a call of `mode` counts along an axis, and says nothing else."""
    axis = [keyword.value for keyword in call.keywords if keyword.arg == "axis"] or call.args[1:2]
    said = any(keyword.arg in (None, "keepdims") for keyword in call.keywords)
    return not said and not any(isinstance(one, ast.Constant) and one.value is None for one in axis)
