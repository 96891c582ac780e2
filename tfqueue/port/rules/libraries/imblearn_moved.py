"""imbalanced-learn: `ratio` and `fit_sample`, gone since 0.6 and 0.8, and arguments that are named, or gone, today.

https://imbalanced-learn.org/stable/whats_new.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms, moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("imblearn",)
_INSTALLS = "tfqueue.port.libraries.imblearn_methods"
_ROWS = {
    f"imblearn.{home}.{name}": f"imblearn.{home}"
    for home, names in (
        ("combine", "smote_enn smote_tomek"),
        ("over_sampling", "adasyn random_over_sampler smote"),
        ("under_sampling", "prototype_generation prototype_selection"),
    )
    for name in names.split()
}
_RATIO = "ratio>sampling_strategy"
_CALL_FORMS = {
    "combine.SMOTEENN": _RATIO,
    "combine.SMOTETomek": _RATIO,
    "over_sampling.ADASYN": f"{_RATIO} k>n_neighbors n_jobs-",
    "over_sampling.BorderlineSMOTE": "n_jobs-",
    "over_sampling.RandomOverSampler": _RATIO,
    "over_sampling.SMOTE": f"{_RATIO} k>k_neighbors m>m_neighbors n_jobs-",
    "over_sampling.SMOTENC": "n_jobs-",
    "over_sampling.SVMSMOTE": "n_jobs-",
    "under_sampling.AllKNN": f"{_RATIO} random_state-",
    "under_sampling.ClusterCentroids": f"{_RATIO} n_jobs-",
    "under_sampling.CondensedNearestNeighbour": _RATIO,
    "under_sampling.EditedNearestNeighbours": f"{_RATIO} random_state-",
    "under_sampling.InstanceHardnessThreshold": _RATIO,
    "under_sampling.NearMiss": f"{_RATIO} random_state-",
    "under_sampling.NeighbourhoodCleaningRule": f"{_RATIO} random_state-",
    "under_sampling.OneSidedSelection": _RATIO,
    "under_sampling.RandomUnderSampler": _RATIO,
    "under_sampling.RepeatedEditedNearestNeighbours": f"{_RATIO} random_state-",
    "under_sampling.TomekLinks": f"{_RATIO} random_state-",
}
_VALUES: dict[tuple[str, str], dict[object, str | None]] = {("", "return_indices"): {False: None}}
# A kind of SMOTE -> its class today, its kind there, and what means nothing to it
_KINDS = {
    "regular": ("SMOTE", "", "m m_neighbors out_step svm_estimator"),
    "borderline1": ("BorderlineSMOTE", "borderline-1", "out_step svm_estimator"),
    "svm": ("SVMSMOTE", "", ""),
}


def find(module: Module) -> Iterator[Finding]:
    """Finds old arguments and modules, and the first import in a program that calls `fit_sample`."""
    if module.is_old and not module.has_own("imblearn"):
        for call, dotted in module.calls:
            if dotted.startswith("imblearn.over_sampling.") and dotted.endswith(".SMOTE"):
                yield from _kinds(module, call)
    forms = call_forms.Forms("imblearn", "imbalanced-learn", _ROWS, _CALL_FORMS, _VALUES)
    yield from call_forms.find(module, forms)
    if any(node.attr == "fit_sample" for node in module.nodes[ast.Attribute]):
        why = "samplers of imbalanced-learn had fit_sample up to 0.7"
        yield from moved_names.installs(module, "imblearn", _INSTALLS, why)
    yield from moved_names.find(module, _ROWS)


def _kinds(module: Module, call: ast.Call) -> Iterator[Finding]:
    words = {one.arg: one for one in call.keywords}
    value = words["kind"].value if "kind" in words else ast.Constant("regular")
    if not isinstance(value, ast.Constant) or value.value not in _KINDS or None in words:
        return
    name, kind, gone = _KINDS[value.value]
    taken = [*gone.split(), *([] if kind else ["kind"])]
    if not words.keys() & {"kind", *taken}:
        return
    why = (
        f"is {name} since imbalanced-learn 0.4"
        if name != "SMOTE"
        else "takes neighbours alone today"
    )
    yield module.finding(call, f"SMOTE of this kind {why}")
    call.keywords = [one for one in call.keywords if one.arg not in taken]
    module.changed()
    if kind:
        module.replace(value, repr(kind))
    if name != "SMOTE":
        # not by the public name, whose own calls of 0.4 are told to have had other values
        module.replace(call.func, module.use("imblearn.over_sampling._smote", name))
