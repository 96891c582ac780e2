"""Samplers of imbalanced-learn with `fit_sample`, which 0.8 took away."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfqueue.port.differences import telling


def install() -> None:
    """Gives samplers and pipelines the method back where they lack it."""
    from imblearn import pipeline
    from imblearn.base import SamplerMixin

    for kind in (SamplerMixin, pipeline.Pipeline):
        if not hasattr(kind, "fit_sample"):
            kind.fit_sample = _fit_sample


def _fit_sample(self: Any, X: Any, y: Any) -> Any:
    """The samples of `fit_resample`: arrays, as up to 0.5, where tables and lists are given, too."""
    labels = np.asarray(y)
    data = X if hasattr(X, "tocsr") else np.asarray(X)
    made = self.fit_resample(data, labels)
    if getattr(self, "_sampling_type", "") == "over-sampling":
        _tell_order(self, labels)
    return made


def _tell_order(sampler: Any, labels: Any) -> None:
    """Says so where 0.3 made the samples of classes in another order, and so drew others for them."""
    if isinstance(sampler.sampling_strategy, dict) or labels.ndim > 1:
        return
    # SMOTEENN and SMOTETomek have one that makes the samples
    makes = getattr(sampler, "smote_", sampler)
    more = [label for label, count in makes.sampling_strategy_.items() if count]
    met = [label for label in dict.fromkeys(labels.tolist()) if label in more]
    if met != more:
        name = type(sampler).__name__
        telling.tell_values(
            f"{name}.fit_sample",
            f"{name} makes samples of {more[0]!r} first, as imbalanced-learn since 0.4: "
            f"up to 0.3 those of {met[0]!r} came first",
        )
