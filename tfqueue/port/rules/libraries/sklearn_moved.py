"""scikit-learn: modules that are private since 0.24, and names and keywords that changed.

https://scikit-learn.org/stable/whats_new/v0.22.html#deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("sklearn",)
# package -> modules in it that are private today, and whose public names it has
_MODULES = {
    "cluster": "k_means_ hierarchical dbscan_ spectral",
    "datasets": "samples_generator base mldata",
    "decomposition": "pca nmf truncated_svd",
    "ensemble": "forest gradient_boosting weight_boosting bagging",
    "linear_model": "logistic base ridge coordinate_descent stochastic_gradient",
    "manifold": "t_sne spectral_embedding_",
    "metrics": "classification ranking regression scorer",
    "neighbors": "base unsupervised classification kde lof",
    "neural_network": "multilayer_perceptron",
    "preprocessing": "label data imputation",
    "svm": "classes base",
    "tree": "tree",
}
_CURVES = ("learning_curve", "validation_curve")
_ROWS = {
    **{
        f"sklearn.{package}.{name}": f"sklearn.{package}"
        for package, names in _MODULES.items()
        for name in names.split()
    },
    **{f"sklearn.learning_curve.{n}": f"sklearn.model_selection.{n}" for n in _CURVES},
    "sklearn.externals.six": "six",
    "sklearn.feature_extraction.stop_words": "sklearn.feature_extraction.text",
    "sklearn.lda.LDA": "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
    "sklearn.qda.QDA": "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis",
    "sklearn.metrics.calinski_harabaz_score": "sklearn.metrics.calinski_harabasz_score",
    "sklearn.utils.linear_assignment_.linear_assignment": "tfqueue.port.graphs.linear_assignment",
    "sklearn.utils.testing": "sklearn.utils._testing",
}
# (class, keyword): its name today, or None where it means nothing more
_KEYWORDS = {
    ("TSNE", "n_iter"): "max_iter",
    ("OneHotEncoder", "sparse"): "sparse_output",
    ("KMeans", "n_jobs"): None,
    ("KMeans", "precompute_distances"): None,
}


def find(module: Module) -> Iterator[Finding]:
    """Finds old modules, names, keywords, and `get_feature_names()`."""
    yield from moved_names.find(module, _ROWS)
    for call, dotted in module.calls:
        if dotted.startswith("sklearn."):
            name = dotted.rpartition(".")[2]
            yield from moved_names.keywords(module, call, name, _KEYWORDS, "scikit-learn")
    if not any(target.partition(".")[0] == "sklearn" for target in module.imported.values()):
        return
    for call in module.nodes[ast.Call]:
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr == "get_feature_names" and not call.args:
            yield module.finding(call, "get_feature_names is gone since scikit-learn 1.2")
            names = ast.Call(ast.Attribute(func.value, "get_feature_names_out", ast.Load()), [], [])
            module.replace(call, ast.Call(ast.Attribute(names, "tolist", ast.Load()), [], []))
