"""Functions of libraries that give other values than in 2018, where nothing gives the old ones back.

A row says what a function does otherwise today. `check` names its calls, and the run says so at the first one.
"""

from __future__ import annotations

_SKIMAGE = {
    "exposure.equalize_adapthist": "cuts histograms off and joins its tiles otherwise",
    "feature.blob_dog": "weighs and leaves out blobs otherwise, and orders them by their strength",
    "feature.blob_doh": "weighs and leaves out blobs otherwise, and orders them by their strength",
    "feature.blob_log": "orders blobs by their strength",
    "filters.frangi": "weighs the image's second derivatives otherwise",
    "filters.hessian": "weighs the image's second derivatives otherwise",
    "restoration.denoise_bilateral": "weighs colors otherwise",
    "restoration.denoise_nl_means": "weighs patches otherwise",
    "restoration.unsupervised_wiener": "draws other random numbers",
    "segmentation.random_walker": "solves its equations otherwise, which moves the borders of regions",
    "transform.iradon": "makes its filters otherwise",
}
_IMBLEARN = {
    "over_sampling.ADASYN": "draws other random numbers",
    "over_sampling.BorderlineSMOTE": "begins at other samples",
    "over_sampling.SMOTENC": "draws other random numbers",
    "under_sampling.ClusterCentroids": "begins its clusters otherwise",
    "under_sampling.InstanceHardnessThreshold": "asks another forest",
    "under_sampling.NeighbourhoodCleaningRule": "leaves out other samples",
}
_SKLEARN = {
    "covariance.EllipticEnvelope": "gives its distances otherwise",
    "covariance.MinCovDet": "corrects what it finds otherwise",
    "datasets.make_circles": "puts an odd number of points elsewhere",
    "decomposition.FastICA": "turns and weighs its components otherwise",
    "decomposition.KernelPCA": "turns its components otherwise",
    "decomposition.SparsePCA": "scales and centers what it finds otherwise",
    "discriminant_analysis.LinearDiscriminantAnalysis": "scales its axes and its probabilities otherwise",
    "discriminant_analysis.QuadraticDiscriminantAnalysis": "estimates its covariances otherwise",
    "linear_model.Lars": "does not normalize features unasked",
    "linear_model.LarsCV": "does not normalize features unasked",
    "linear_model.LassoLars": "does not normalize features unasked",
    "linear_model.LassoLarsCV": "does not normalize features unasked",
    "linear_model.LassoLarsIC": "does not normalize features unasked",
    "manifold.MDS": "ends at another distance",
    "metrics.classification_report": "has other lines below the classes",
    "preprocessing.quantile_transform": "has one quantile for each sample at most",
}
_OTHERS = {
    "librosa.cqt": "filters otherwise since librosa 0.6",
    "librosa.effects.hpss": "filters otherwise since librosa 0.6",
    "librosa.onset.onset_strength": "measures onsets otherwise since librosa 0.6",
    "librosa.resample": "filters otherwise (unless res_type='kaiser_best') since librosa 0.10",
    "statsmodels.tsa.stattools.acf": "has other lags where nlags is not given since statsmodels 0.13",
    "networkx.random_regular_graph": "draws other random numbers since networkx 2.1",
    "networkx.scale_free_graph": "draws other random numbers since networkx 2.1",
    "scipy.optimize.linprog": "finds another of several best solutions since scipy 1.9",
    "scipy.stats.anderson": "has other critical values since scipy 1.10",
}
WHY = {
    **{f"sklearn.{name}": f"{why} since scikit-learn 0.19" for name, why in _SKLEARN.items()},
    **_OTHERS,
    **{f"skimage.{name}": f"{why} since scikit-image 0.14" for name, why in _SKIMAGE.items()},
    **{f"imblearn.{name}": f"{why} since imbalanced-learn 0.4" for name, why in _IMBLEARN.items()},
}
"""Dotted name -> what it does otherwise, and since when."""


def sentence(name: str) -> str:
    """What is told of a function: its values are others.

    >>> sentence("skimage.transform.iradon")
    'iradon makes its filters otherwise since scikit-image 0.14: other values'
    """
    return f"{name.rpartition('.')[2]} {WHY[name]}: other values"
