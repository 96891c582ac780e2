"""Names, arguments and defaults that scikit-image changed.

https://scikit-image.org/docs/stable/release_notes/release_0.19.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms, moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("skimage",)
_LIBRARIES = "tfqueue.port.libraries"
_HOME = f"{_LIBRARIES}.skimage_functions"
_ROWS = {
    **{f"skimage.measure.compare_{n}": f"{_HOME}.compare_{n}" for n in ("nrmse", "psnr", "ssim")},
    "skimage.measure.compare_mse": "skimage.metrics.mean_squared_error",
    "skimage.measure.structural_similarity": f"{_HOME}.compare_ssim",
    "skimage.util.pad": "numpy.pad",
    "skimage.util.montage2d": "skimage.util.montage",
    "skimage.filter": "skimage.filters",
    "skimage.filter.gaussian_filter": f"{_HOME}.gaussian",
    "skimage.filters.gaussian_filter": f"{_HOME}.gaussian",
    "skimage.filter.canny": "skimage.feature.canny",
    "skimage.filters.canny": "skimage.feature.canny",
    "skimage.filter.denoise_tv_chambolle": "skimage.restoration.denoise_tv_chambolle",
    "skimage.filter.denoise_bilateral": "skimage.restoration.denoise_bilateral",
    "skimage.filter.threshold_adaptive": f"{_HOME}.threshold_adaptive",
    "skimage.filters.threshold_adaptive": f"{_HOME}.threshold_adaptive",
    "skimage.morphology.watershed": "skimage.segmentation.watershed",
    "skimage.morphology.selem": "skimage.morphology",
    "skimage.morphology.skeletonize_3d": "skimage.morphology.skeletonize",
    **{f"skimage.morphology.{n}": f"{_HOME}.{n}" for n in ("square", "rectangle", "cube")},
    **{f"skimage.morphology.selem.{n}": f"{_HOME}.{n}" for n in ("square", "rectangle", "cube")},
    "skimage.feature.greycomatrix": "skimage.feature.graycomatrix",
    "skimage.feature.greycoprops": "skimage.feature.graycoprops",
    "skimage.feature.register_translation": f"{_HOME}.register_translation",
    "skimage.feature.plot_matches": "skimage.feature.plot_matched_features",
    "skimage.draw.circle": f"{_HOME}.circle",
    "skimage.measure.marching_cubes_classic": f"{_HOME}.marching_cubes",
    "skimage.measure.marching_cubes_lewiner": f"{_HOME}.marching_cubes_lewiner",
    "skimage.color.rgb2grey": f"{_HOME}.rgb2gray",
    "skimage.color.grey2rgb": "skimage.color.gray2rgb",
    "skimage.external.tifffile": "tifffile",
    "skimage.future.graph": "skimage.graph",
}
_GIVES_OTHER = {
    **{
        f"skimage.{name}": f"{_HOME}.{name.rpartition('.')[2]}"
        for name in (
            "color.rgb2gray filters.gaussian filters.laplace filters.prewitt filters.prewitt_h "
            "filters.prewitt_v filters.roberts filters.roberts_neg_diag filters.roberts_pos_diag filters.scharr "
            "filters.scharr_h filters.scharr_v filters.sobel "
            "filters.sobel_h filters.sobel_v io.imsave measure.label measure.regionprops morphology.label "
            "morphology.remove_small_holes morphology.remove_small_objects transform.pyramid_expand "
            "transform.pyramid_gaussian transform.pyramid_laplacian transform.pyramid_reduce transform.rescale "
            "transform.resize"
        ).split()
    },
    **{
        f"skimage.{name}": f"{_LIBRARIES}.skimage_shapes.{name.rpartition('.')[2]}"
        for name in (
            "draw.polygon measure.grid_points_in_poly measure.points_in_poly morphology.convex_hull_image "
            "morphology.convex_hull_object"
        ).split()
    },
    **{
        f"skimage.feature.{name}": f"{_LIBRARIES}.skimage_peaks.{name}"
        for name in ("corner_peaks", "peak_local_max")
    },
    **{
        f"skimage.{name}": f"{_LIBRARIES}.skimage_warps.{name.rpartition('.')[2]}"
        for name in (
            "measure.profile_line transform.hough_line transform.radon transform.rotate transform.swirl "
            "transform.warp"
        ).split()
    },
    **{
        f"skimage.{name}": f"{_LIBRARIES}.skimage_images.{name.rpartition('.')[2]}"
        for name in (
            "color.combine_stains color.gray2rgb color.hed2rgb color.rgb2hed color.separate_stains "
            "exposure.adjust_gamma exposure.rescale_intensity feature.hessian_matrix morphology.medial_axis "
            "segmentation.active_contour segmentation.slic util.random_noise"
        ).split()
    },
    "skimage.color.grey2rgb": f"{_LIBRARIES}.skimage_images.gray2rgb",
}
"""Functions that are there, and took or gave something else."""
_FOOTPRINT = "selem>footprint"
_CALL_FORMS = {
    "color.label2rgb": "bg_label=-1",
    "feature.blob_dog": "threshold=2.0",
    "feature.structure_tensor": "order='xy'",
    "feature.hog": "block_norm='L1'",
    **{
        f"morphology.{name}": _FOOTPRINT
        for name in (
            "binary_closing binary_dilation binary_erosion binary_opening black_tophat closing dilation "
            "erosion h_maxima h_minima local_maxima local_minima opening reconstruction white_tophat"
        ).split()
    },
    "filters.median": f"{_FOOTPRINT} behavior='rank'",
    "filters.rank.entropy": _FOOTPRINT,
    "filters.rank.equalize": _FOOTPRINT,
    "filters.rank.maximum": _FOOTPRINT,
    "filters.rank.mean": _FOOTPRINT,
    "filters.rank.median": _FOOTPRINT,
    "filters.rank.minimum": _FOOTPRINT,
    "io.imread": "flatten>as_gray",
    **{
        f"restoration.denoise_{name}": "multichannel=True?channel_axis"
        for name in ("bilateral", "nl_means")
    },
    "restoration.denoise_tv_bregman": "max_iter>max_num_iter",
    "restoration.denoise_tv_chambolle": "n_iter_max>max_num_iter",
    "restoration.richardson_lucy": "iterations>num_iter",
    "segmentation.chan_vese": "max_iter>max_num_iter",
    "segmentation.random_walker": "mode='bf'",
    "transform.iradon": "filter>filter_name circle=False",
    "transform.probabilistic_hough_line": "seed>rng",
}


def find(module: Module) -> Iterator[Finding]:
    """Finds old names, arguments and defaults, and two results where there are four."""
    rows = _ROWS | (_GIVES_OTHER if module.is_old else {})
    for call, dotted in module.calls:
        if dotted.startswith("skimage."):
            yield from _call(module, call, dotted)
    yield from call_forms.find(
        module, call_forms.Forms("skimage", "scikit-image", rows, _CALL_FORMS, {})
    )
    for call, dotted in module.calls:
        if dotted.startswith("skimage.") and not moved_names.moved(rows, dotted).startswith(
            _LIBRARIES
        ):
            yield from _multichannel(module, call)
    yield from moved_names.find(module, rows)


def _call(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    for keyword in call.keywords:
        if keyword.arg == "as_grey":
            yield module.finding(keyword, "as_grey is as_gray since scikit-image 0.16")
            module.rename(keyword, "as_gray")
        elif keyword.arg == "visualise" and dotted == "skimage.feature.hog":
            yield module.finding(keyword, "visualise is visualize since scikit-image 0.16")
            module.rename(keyword, "visualize")
    parent = module.parents[call]
    if dotted == "skimage.measure.marching_cubes" and isinstance(parent, ast.Assign):
        target = parent.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) == 2:
            yield module.finding(call, "marching_cubes has four results since scikit-image 0.13")
            module.replace(call.func, module.use(_HOME, "marching_cubes"))


def _multichannel(module: Module, call: ast.Call) -> Iterator[Finding]:
    for keyword in call.keywords:
        if keyword.arg == "multichannel":
            yield module.finding(keyword, "multichannel is channel_axis since scikit-image 0.19")
            module.rename(keyword, "channel_axis")
            value = keyword.value
            if isinstance(value, ast.Constant):
                module.replace(value, "-1" if value.value else "None")
            else:
                axis = ast.UnaryOp(ast.USub(), ast.Constant(1))
                module.replace(value, ast.IfExp(value, axis, ast.Constant(None)))
