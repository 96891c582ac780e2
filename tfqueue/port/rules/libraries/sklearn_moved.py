"""scikit-learn: modules that are private since 0.24, and names, arguments and defaults that changed.

https://scikit-learn.org/stable/whats_new/v0.22.html#deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program import objects
from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms, moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("sklearn",)
_FOLDS, _LEARNERS = (
    "tfqueue.port.libraries.sklearn_folds",
    "tfqueue.port.libraries.sklearn_learners",
)
_VALUES_OF_OLD = "tfqueue.port.libraries.sklearn_values"
_SEARCHES_OF_OLD = "tfqueue.port.libraries.sklearn_searches"
_INSTALLS = "tfqueue.port.libraries.sklearn_methods"
# package -> modules in it that are private today, and whose public names it has
_MODULES = {
    "cluster": "affinity_propagation_ birch k_means_ hierarchical dbscan_ spectral mean_shift_ bicluster",
    "covariance": "empirical_covariance_ outlier_detection robust_covariance shrunk_covariance_",
    "cross_decomposition": "cca_ pls_",
    "datasets": "samples_generator base california_housing covtype kddcup99 mldata lfw olivetti_faces rcv1 "
    "twenty_newsgroups svmlight_format",
    "decomposition": "base dict_learning factor_analysis pca nmf truncated_svd kernel_pca fastica_ online_lda "
    "incremental_pca sparse_pca",
    "ensemble": "base forest gradient_boosting weight_boosting bagging iforest voting_classifier",
    "feature_extraction": "dict_vectorizer hashing",
    "feature_selection": "base univariate_selection rfe variance_threshold from_model mutual_info_",
    "gaussian_process": "gpr gpc",
    "linear_model": "logistic base ridge coordinate_descent stochastic_gradient least_angle "
    "omp passive_aggressive perceptron bayes ransac huber theil_sen",
    "manifold": "t_sne spectral_embedding_ isomap locally_linear mds",
    "metrics": "classification ranking regression scorer",
    "metrics.cluster": "supervised unsupervised",
    "mixture": "gaussian_mixture bayesian_mixture",
    "neighbors": "ball_tree base kd_tree nearest_centroid unsupervised classification regression kde lof graph",
    "neural_network": "multilayer_perceptron rbm",
    "preprocessing": "label data imputation",
    "semi_supervised": "label_propagation",
    "svm": "bounds classes base",
    "tree": "tree export",
}
# What programs take from these modules although it is private, and where it is today
_PRIVATE = {
    "manifold.t_sne": ("manifold._t_sne", "_joint_probabilities _kl_divergence _gradient_descent"),
    "decomposition.nmf": ("decomposition._nmf", "_initialize_nmf _beta_divergence"),
    "ensemble.forest": ("ensemble._forest", "_generate_unsampled_indices _generate_sample_indices"),
    "linear_model.base": (
        "linear_model._base",
        "_preprocess_data LinearModel LinearClassifierMixin",
    ),
    "metrics.classification": ("metrics._classification", "_check_targets _prf_divide"),
    "preprocessing.data": ("preprocessing._data", "_handle_zeros_in_scale"),
    "metrics.scorer": ("metrics._scorer", "_BaseScorer"),
}
_CURVES = ("learning_curve", "validation_curve")
_SEARCHES = ("GridSearchCV", "ParameterGrid", "ParameterSampler", "RandomizedSearchCV")
_CROSS = (
    "KFold LabelKFold LeaveOneLabelOut LeaveOneOut LeavePOut ShuffleSplit StratifiedKFold "
    "StratifiedShuffleSplit"
)
_ROWS = {
    **{
        f"sklearn.{package}.{name}": f"sklearn.{package}"
        for package, names in _MODULES.items()
        for name in names.split()
    },
    **{
        f"sklearn.{old}.{name}": f"sklearn.{new}.{name}"
        for old, (new, names) in _PRIVATE.items()
        for name in names.split()
    },
    **{f"sklearn.learning_curve.{n}": f"sklearn.model_selection.{n}" for n in _CURVES},
    **{f"sklearn.grid_search.{n}": f"sklearn.model_selection.{n}" for n in _SEARCHES},
    "sklearn.grid_search": "sklearn.model_selection",
    "sklearn.learning_curve": "sklearn.model_selection",
    **{f"sklearn.cross_validation.{name}": f"{_FOLDS}.{name}" for name in _CROSS.split()},
    "sklearn.cross_validation": "sklearn.model_selection",
    "sklearn.externals.joblib": "joblib",
    "sklearn.externals.six": "six",
    "sklearn.feature_extraction.stop_words": "sklearn.feature_extraction.text",
    "sklearn.lda.LDA": "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
    "sklearn.qda.QDA": "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis",
    "sklearn.decomposition.RandomizedPCA": f"{_VALUES_OF_OLD}.RandomizedPCA",
    "sklearn.decomposition.pca.RandomizedPCA": f"{_VALUES_OF_OLD}.RandomizedPCA",
    **{
        f"sklearn.{home}.{old}": f"sklearn.covariance.{new}"
        for home in ("covariance", "covariance.graph_lasso_")
        for old, new in (
            ("GraphLasso", "GraphicalLasso"),
            ("GraphLassoCV", "GraphicalLassoCV"),
            ("graph_lasso", "graphical_lasso"),
        )
    },
    "sklearn.metrics.calinski_harabaz_score": "sklearn.metrics.calinski_harabasz_score",
    "sklearn.utils.extmath.logsumexp": "scipy.special.logsumexp",
    "sklearn.utils.extmath.pinvh": "scipy.linalg.pinvh",
    "sklearn.utils.fixes.signature": "inspect.signature",
    "sklearn.utils.validation.NotFittedError": "sklearn.exceptions.NotFittedError",
    "sklearn.utils.linear_assignment_.linear_assignment": "tfqueue.port.libraries.sklearn_assignment.linear_assignment",
    "sklearn.utils.linear_assignment_": "tfqueue.port.libraries.sklearn_assignment",
    "sklearn.datasets.base.load_boston": f"{_LEARNERS}.load_boston",
    "sklearn.datasets.base.Bunch": "sklearn.utils.Bunch",
    **{
        f"sklearn.{home}.{name}": f"{_LEARNERS}.{name}"
        for home, names in (
            ("mixture", "DPGMM GMM VBGMM"),
            ("gaussian_process", "GaussianProcess"),
            ("linear_model", "RandomizedLasso RandomizedLogisticRegression lasso_stability_path"),
            ("neighbors", "LSHForest"),
        )
        for name in names.split()
    },
    "sklearn.exceptions.ChangedBehaviorWarning": "builtins.UserWarning",
    "sklearn.exceptions.NonBLASDotWarning": "builtins.UserWarning",
    "sklearn.metrics.cluster.calinski_harabaz_score": "sklearn.metrics.calinski_harabasz_score",
    "sklearn.neighbors.DistanceMetric": "sklearn.metrics.DistanceMetric",
    "sklearn.utils.testing": "sklearn.utils._testing",
    "sklearn.utils.safe_indexing": "sklearn.utils._safe_indexing",
    "sklearn.feature_extraction.image.extract_patches": "sklearn.feature_extraction.image._extract_patches",
    "sklearn.datasets.fetch_mldata": f"{_LEARNERS}.fetch_mldata",
    "sklearn.datasets.mldata.fetch_mldata": f"{_LEARNERS}.fetch_mldata",
    "sklearn.datasets.load_boston": f"{_LEARNERS}.load_boston",
    "sklearn.metrics.jaccard_similarity_score": f"{_LEARNERS}.jaccard_similarity_score",
    "sklearn.preprocessing.Imputer": f"{_LEARNERS}.Imputer",
    "sklearn.preprocessing.imputation.Imputer": f"{_LEARNERS}.Imputer",
}
_GIVES_OTHER = {
    f"sklearn.{home}.{name}": f"{modules}.{name}"
    for modules, homes, name in (
        (_LEARNERS, "linear_model linear_model.logistic", "LogisticRegression"),
        (_LEARNERS, "metrics metrics.classification", "log_loss"),
        (_LEARNERS, "metrics metrics.ranking", "roc_curve"),
        (_VALUES_OF_OLD, "metrics metrics.ranking", "precision_recall_curve"),
        (_VALUES_OF_OLD, "datasets datasets.base", "load_iris"),
        (_VALUES_OF_OLD, "decomposition decomposition.pca", "PCA"),
        (_VALUES_OF_OLD, "decomposition decomposition.truncated_svd", "TruncatedSVD"),
        (_VALUES_OF_OLD, "decomposition decomposition.nmf", "NMF"),
        (_VALUES_OF_OLD, "ensemble ensemble.iforest", "IsolationForest"),
        (_VALUES_OF_OLD, "ensemble ensemble.weight_boosting", "AdaBoostClassifier"),
        (_VALUES_OF_OLD, "svm svm.classes", "OneClassSVM"),
    )
    for home in homes.split()
} | {
    f"sklearn.{home}.{name}": f"{_SEARCHES_OF_OLD}.{name}"
    for home in ("model_selection", "grid_search")
    for name in ("GridSearchCV", "RandomizedSearchCV")
}
"""Functions and classes that are there, and gave something else."""
# (class, keyword): its name today, or None where it means nothing more
_KEYWORDS = {
    ("TSNE", "n_iter"): "max_iter",
    ("OneHotEncoder", "sparse"): "sparse_output",
    ("KMeans", "n_jobs"): None,
    ("KMeans", "precompute_distances"): None,
}
_EPOCHS = "n_iter>max_iter max_iter=5?tol tol=None"
_TREES = "n_estimators=10"
_CV = "cv=3"
_OWN_CV = (
    "ElasticNetCV LarsCV LassoCV LassoLarsCV MultiTaskElasticNetCV MultiTaskLassoCV "
    "OrthogonalMatchingPursuitCV"
).split()
_CALL_FORMS = {
    "calibration.CalibratedClassifierCV": f"{_CV} base_estimator>estimator",
    "cluster.AffinityPropagation": "random_state=0",
    "cluster.AgglomerativeClustering": "affinity>metric",
    "cluster.KMeans": "n_init=10",
    "cluster.MiniBatchKMeans": "n_init=3 batch_size=100",
    "cluster.SpectralCoclustering": "n_jobs-",
    "cluster.affinity_propagation": "random_state=0",
    "cluster.k_means": "n_init=10 n_jobs- precompute_distances-",
    "decomposition.FastICA": "whiten='arbitrary-variance'",
    "decomposition.LatentDirichletAllocation": "n_topics>n_components learning_method='online'",
    "decomposition.fastica": "whiten='arbitrary-variance'",
    "dummy.DummyClassifier": "strategy='stratified'",
    "ensemble.AdaBoostClassifier": "base_estimator>estimator",
    "ensemble.AdaBoostRegressor": "base_estimator>estimator",
    "ensemble.BaggingClassifier": "base_estimator>estimator",
    "ensemble.BaggingRegressor": "base_estimator>estimator",
    "ensemble.ExtraTreesClassifier": _TREES,
    "ensemble.ExtraTreesRegressor": _TREES,
    "ensemble.GradientBoostingClassifier": "presort-",
    "ensemble.GradientBoostingRegressor": "presort-",
    "ensemble.IsolationForest": "contamination=0.1 behaviour-",
    "ensemble.RandomForestClassifier": _TREES,
    "ensemble.RandomForestRegressor": _TREES,
    "ensemble.RandomTreesEmbedding": _TREES,
    "feature_selection.RFECV": _CV,
    **{f"linear_model.{name}": _CV for name in _OWN_CV},
    "linear_model.ARDRegression": "n_iter>max_iter",
    "linear_model.BayesianRidge": "n_iter>max_iter",
    "linear_model.LinearRegression": "normalize-",
    "linear_model.LogisticRegressionCV": _CV,
    "linear_model.PassiveAggressiveClassifier": _EPOCHS,
    "linear_model.PassiveAggressiveRegressor": _EPOCHS,
    "linear_model.Perceptron": _EPOCHS,
    "linear_model.RANSACRegressor": "base_estimator>estimator",
    "linear_model.RidgeCV": "store_cv_values>store_cv_results",
    "linear_model.SGDClassifier": _EPOCHS,
    "linear_model.SGDRegressor": _EPOCHS,
    "manifold.MDS": "n_init=4",
    "manifold.smacof": "n_init=8",
    "manifold.TSNE": "n_iter>max_iter init='random' learning_rate=200.0",
    "metrics.adjusted_mutual_info_score": "average_method='max'",
    "metrics.auc": "reorder-",
    "metrics.brier_score_loss": "y_prob>y_proba",
    "metrics.cluster.adjusted_mutual_info_score": "average_method='max'",
    "metrics.cluster.normalized_mutual_info_score": "average_method='geometric'",
    "metrics.normalized_mutual_info_score": "average_method='geometric'",
    "metrics.precision_recall_curve": "probas_pred>y_score",
    "model_selection.GroupKFold": "n_splits=3",
    "model_selection.GroupShuffleSplit": "test_size=0.2",
    "model_selection.KFold": "n_splits=3",
    "model_selection.ShuffleSplit": "test_size=0.1",
    "model_selection.StratifiedKFold": "n_splits=3",
    "model_selection.StratifiedShuffleSplit": "test_size=0.1",
    "model_selection.TimeSeriesSplit": "n_splits=3",
    "model_selection.cross_val_predict": f"{_CV} fit_params>params",
    "model_selection.cross_val_score": f"{_CV} fit_params>params",
    "model_selection.cross_validate": f"{_CV} fit_params>params return_train_score=True",
    "model_selection.learning_curve": _CV,
    "model_selection.permutation_test_score": _CV,
    "model_selection.validation_curve": _CV,
    "neighbors.LocalOutlierFactor": "contamination=0.1",
    "preprocessing.FunctionTransformer": "validate=True pass_y-",
    "preprocessing.QuantileTransformer": "subsample=100000",
    "svm.LinearSVC": "dual=True",
    "svm.LinearSVR": "dual=True",
    "svm.NuSVC": "gamma='auto'",
    "svm.NuSVR": "gamma='auto'",
    "svm.OneClassSVM": "gamma='auto' random_state-",
    "svm.SVC": "gamma='auto'",
    "svm.SVR": "gamma='auto'",
    "tree.DecisionTreeClassifier": "presort-",
    "tree.DecisionTreeRegressor": "presort-",
    "tree.export_graphviz": "out_file='tree.dot'",
    "utils.extmath.randomized_svd": "random_state=0",
}
_FORESTS = ("RandomForest", "ExtraTrees", "DecisionTree", "ExtraTree")
_NORMALIZED = (
    "ARDRegression BayesianRidge ElasticNet ElasticNetCV Lars LarsCV Lasso LassoCV LassoLars LassoLarsCV "
    "MultiTaskElasticNet MultiTaskLasso OrthogonalMatchingPursuit Ridge RidgeCV RidgeClassifier"
).split()
_ERRORS: dict[object, str | None] = {"mse": "'squared_error'", "mae": "'absolute_error'"}
_LOSSES: dict[object, str | None] = {
    "ls": "'squared_error'",
    "lad": "'absolute_error'",
    "deviance": "'log_loss'",
    "log": "'log_loss'",
    "squared_loss": "'squared_error'",
}
_VALUES: dict[tuple[str, str], dict[object, str | None]] = {
    ("", "criterion"): _ERRORS,
    **{(f"{kind}Classifier", "max_features"): {"auto": "'sqrt'"} for kind in _FORESTS},
    **{(f"{kind}Regressor", "max_features"): {"auto": "1.0"} for kind in _FORESTS},
    **{(f"GradientBoosting{kind}", "loss"): _LOSSES for kind in ("Classifier", "Regressor")},
    ("SGDClassifier", "loss"): _LOSSES,
    ("SGDRegressor", "loss"): _LOSSES,
    **{(name, "normalize"): {False: None} for name in _NORMALIZED},
    ("KMeans", "algorithm"): {"auto": "'lloyd'", "full": "'lloyd'"},
    ("k_means", "algorithm"): {"auto": "'lloyd'", "full": "'lloyd'"},
    ("FastICA", "whiten"): {True: "'arbitrary-variance'"},
    ("fastica", "whiten"): {True: "'arbitrary-variance'"},
}
_WIDER = ("n_values", "categorical_features")
_WEIGHED = (
    "explained_variance_score mean_absolute_error mean_squared_error mean_squared_log_error"
).split()
"""Errors whose weights were one for each number, too."""


def find(module: Module) -> Iterator[Finding]:
    """Finds old modules, names, arguments, defaults, and `get_feature_names()`."""
    for call, dotted in module.calls:
        if dotted.startswith("sklearn."):
            yield from _call(module, call, dotted)
    rows = _ROWS | (_GIVES_OTHER if module.is_old else {})
    # Arguments of a class that `sklearn_values` derives from today's are mended as those of the class itself; the two
    # that have a constructor of their own take the old ones.
    taken = {
        old: new
        for old, new in rows.items()
        if not new.startswith(_VALUES_OF_OLD)
        or new.endswith(("RandomizedPCA", "AdaBoostClassifier"))
    }
    forms = call_forms.Forms("sklearn", "scikit-learn", taken, _CALL_FORMS, _VALUES)
    yield from call_forms.find(module, forms)
    folds = any(dotted.startswith("sklearn.model_selection.") for _, dotted in module.references)
    if folds and module.is_old:
        why = "samples were in other folds up to scikit-learn 0.21"
        yield from moved_names.installs(module, "sklearn", _INSTALLS, why)
    yield from moved_names.find(module, rows)
    if "sklearn" not in module.packages:
        return
    for call in module.nodes[ast.Call]:
        func = call.func
        if not isinstance(func, ast.Attribute) or objects.is_of_the_file(module, func):
            continue
        if func.attr == "get_feature_names" and not call.args:
            yield module.finding(call, "get_feature_names is gone since scikit-learn 1.2")
            names = ast.Call(ast.Attribute(func.value, "get_feature_names_out", ast.Load()), [], [])
            module.replace(call, ast.Call(ast.Attribute(names, "tolist", ast.Load()), [], []))


def _call(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    name = dotted.rpartition(".")[2]
    words = {keyword.arg: keyword for keyword in call.keywords}
    if name == "OneHotEncoder" and (
        call.args or words.keys() & set(_WIDER) or (None in words and module.is_old)
    ):
        yield module.finding(call, "OneHotEncoder takes whole numbers in another way today")
        module.replace(call.func, module.use(_LEARNERS, name))
        return
    yield from moved_names.keywords(module, call, name, _KEYWORDS, "scikit-learn")
    if name in ("KFold", "StratifiedKFold") and "random_state" in words:
        if len(call.args) < 2 and "shuffle" not in words and None not in words:
            yield module.finding(call, f"{name} takes no seed without shuffle since 0.24")
            call.keywords.remove(words["random_state"])
            module.changed()
    if name == "make_scorer":
        yield from _scorer(module, call, words)
    squared = words.get("squared")
    if name == "mean_squared_error" and squared and isinstance(squared.value, ast.Constant):
        yield module.finding(call, "mean_squared_error takes no squared since scikit-learn 1.6")
        call.keywords.remove(squared)
        module.changed()
        if not squared.value.value:
            module.replace(call.func, module.use("sklearn.metrics", "root_mean_squared_error"))
    elif name in _WEIGHED and module.is_old and (len(call.args) > 2 or "sample_weight" in words):
        yield module.finding(call, f"{name} takes no weights of two dimensions today")
        module.replace(call.func, module.use(_VALUES_OF_OLD, name))


def _scorer(
    module: Module, call: ast.Call, words: dict[str | None, ast.keyword]
) -> Iterator[Finding]:
    for old, method in (("needs_proba", "predict_proba"), ("needs_threshold", "decision_function")):
        word = words.get(old)
        if word and isinstance(word.value, ast.Constant):
            yield module.finding(call, f"make_scorer takes response_method for {old} since 1.6")
            call.keywords.remove(word)
            module.changed()
            if word.value.value is True:
                both = (
                    f"({method!r}, 'predict_proba')" if old == "needs_threshold" else repr(method)
                )
                module.add_argument(call, "response_method", both)
