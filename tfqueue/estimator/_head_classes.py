"""The heads of `tf.estimator` in 1.14 and 1.15, such as `tf.estimator.BinaryClassHead`.

Their losses are means over the batch, and their training takes an optimizer of `tf.keras`. The numbers are
those of `_heads`, with what Keras's metrics do otherwise: a score is true above a threshold, not at it, and
the area below a curve of precisions is interpolated.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _heads, _multi_head
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Features, Op, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = [
    "BinaryClassHead",
    "Head",
    "LogisticRegressionHead",
    "MultiClassHead",
    "MultiHead",
    "MultiLabelHead",
    "PoissonRegressionHead",
    "RegressionHead",
]
_MEAN = _tf.losses.Reduction.SUM_OVER_BATCH_SIZE
_REDUCTIONS = {"auto": _MEAN, "sum_over_batch_size": _MEAN, "sum": _tf.losses.Reduction.SUM}
_LOSS = "loss_reduction='sum_over_batch_size'"
Losses = Sequence[Tensor] | None


class Head(abc.ABC):
    """What every head has (`tf.estimator.Head`). A program's own class defines these names."""

    @property
    @abc.abstractmethod
    def name(self) -> str | None:
        """The head's name, or None."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """How many logits an example has."""

    @property
    @abc.abstractmethod
    def loss_reduction(self) -> str:
        """How the losses of the examples become one: a `tf.keras.losses.Reduction`."""

    @abc.abstractmethod
    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Features | None = None,
        mode: str | None = None,
        regularization_losses: Losses = None,
    ) -> Tensor:
        """The loss, a scalar."""

    @abc.abstractmethod
    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[Any, Tensor]:
        """Dict from name to prediction."""

    @abc.abstractmethod
    def metrics(self, regularization_losses: Losses = None) -> dict[str, Any]:
        """Dict from name to metric."""

    @abc.abstractmethod
    def update_metrics(
        self,
        eval_metrics: dict[str, Any],
        features: Features,
        logits: Any,
        labels: Any,
        mode: str | None = None,
        regularization_losses: Losses = None,
    ) -> dict[str, Any]:
        """Updates the metrics."""

    def create_estimator_spec(
        self,
        features: Features,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Sequence[Any] | None = None,
        train_op_fn: Callable[[Tensor], Op] | None = None,
        update_ops: Sequence[Op] | None = None,
        regularization_losses: Losses = None,
    ) -> _estimator.EstimatorSpec:
        """The `EstimatorSpec`.

        Args:
            features: Dict from name to tensor.
            mode: One of `tf.estimator.ModeKeys`.
            logits: Of shape `[..., logits_dimension]`.
            labels: Of shape `[..., 1]` or as the head says; not needed to predict.
            optimizer: A `tf.keras.optimizers.Optimizer`; counts the step if its `iterations` is the
                global step. In training this or `train_op_fn` is given.
            trainable_variables: The variables that the optimizer changes.
            train_op_fn: Function of a loss: the op of one step.
            update_ops: Ops that a step runs, too.
            regularization_losses: Scalars that are added to the loss.

        Raises:
            NotImplementedError: If the program's own class does not define it.
            ValueError: If both or none of `optimizer` and `train_op_fn` are given in training.
        """
        raise NotImplementedError("A head has a create_estimator_spec")

    def _key(self, name: str) -> str:
        return f"{name}/{self.name}" if self.name else name


class _Given(Head):
    """What the heads that are not the program's own have in common."""

    def metrics(self, regularization_losses: Losses = None) -> dict[str, Any]:
        """Raises an error: what a head measures is in `create_estimator_spec`."""
        raise NotImplementedError(
            f"tf.estimator.{type(self).__name__}.metrics is not here: the metrics are the "
            "eval_metric_ops of create_estimator_spec(features, 'eval', logits, labels)"
        )

    def update_metrics(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Raises an error, as `metrics` does."""
        return self.metrics()

    def create_estimator_spec(
        self,
        features: Features,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Sequence[Any] | None = None,
        train_op_fn: Callable[[Tensor], Op] | None = None,
        update_ops: Sequence[Op] | None = None,
        regularization_losses: Losses = None,
    ) -> _estimator.EstimatorSpec:
        """The `EstimatorSpec`; see `Head`."""
        if mode == _estimator.ModeKeys.PREDICT:
            return self._predicted(logits)
        if mode == _estimator.ModeKeys.EVAL:
            return self._evaluated(features, logits, labels, regularization_losses)
        with _tf.name_scope(self.name, "head"):
            predictions = self.predictions(logits)
            loss = self.loss(labels, logits, features, mode, regularization_losses)
        step = _step(loss, optimizer, trainable_variables, train_op_fn, update_ops)
        with _tf.name_scope(""):
            _tf.summary.scalar(self._summary("loss"), loss)
            if regularization_losses is not None:
                penalty = _tf.add_n(regularization_losses)
                _tf.summary.scalar(self._summary("regularization_loss"), penalty)
        return _estimator.EstimatorSpec(mode, predictions, loss, step)

    def _summary(self, name: str) -> str:
        """The name of a summary."""
        return self._key(name)

    @abc.abstractmethod
    def _predicted(self, logits: Any) -> _estimator.EstimatorSpec:
        """The spec of predictions."""

    @abc.abstractmethod
    def _evaluated(
        self, features: Features, logits: Any, labels: Any, regularization_losses: Losses
    ) -> _estimator.EstimatorSpec:
        """The spec of an evaluation."""


def _step(
    loss: Tensor,
    optimizer: Any,
    variables: Sequence[Any] | None,
    train_op_fn: Callable[[Tensor], Op] | None,
    update_ops: Sequence[Op] | None,
) -> Op:
    """The op of one step; the arguments are those of `Head.create_estimator_spec`."""
    if update_ops is not None and not isinstance(update_ops, (list, tuple)):
        raise ValueError(f"update_ops should be a list or a tuple. Given: {type(update_ops)}")
    if optimizer is None:
        with _tf.name_scope(""), _tf.name_scope("training"):
            step = _heads.step_of(loss, None, train_op_fn)
            return step if update_ops is None else _tf.group(step, *update_ops)
    if train_op_fn is not None:
        raise ValueError("train_op_fn and optimizer cannot both be set.")
    if not hasattr(optimizer, "get_updates"):  # also what Keras 3 has under that name
        raise ValueError(
            "The given optimizer is not a tf.keras.optimizers.Optimizer instance of Keras 2. "
            f"Given: {optimizer}. One of tf.train is given as train_op_fn=lambda loss: "
            "optimizer.minimize(loss, tf.train.get_global_step())"
        )
    if not isinstance(variables, (list, tuple)):
        raise ValueError(f"trainable_variables should be a list or a tuple. Given: {variables}")
    with _tf.name_scope(""), _tf.name_scope("training"):
        step = optimizer.get_updates(loss, list(variables))[0]
        return step if update_ops is None else _tf.group(step, *update_ops)


class _One(_Given):
    """A head of one goal.

    Args:
        make: The class of `_heads` that has the numbers.
        given: Its arguments, with a `tf.keras.losses.Reduction`.

    Raises:
        ValueError: If an argument is another.
    """

    def _make(self, make: Callable[..., Any], **given: Any) -> None:
        reduction, vocabulary = given["loss_reduction"], given.get("label_vocabulary")
        if reduction not in _REDUCTIONS:
            raise ValueError(
                f"Invalid loss_reduction: {reduction}. See `tf.keras.losses.Reduction`."
            )
        if vocabulary is not None and not isinstance(vocabulary, (list, tuple)):
            raise ValueError(
                f"label_vocabulary should be a list or a tuple. Given type: {type(vocabulary)}"
            )
        self._reduction = reduction
        self._head = make(**{**given, "loss_reduction": _REDUCTIONS[reduction]})
        self._head._is_true = _tf.greater
        self._head._area = {"summation_method": "careful_interpolation"}

    @property
    def name(self) -> str | None:
        """The head's name, or None."""
        return self._head.name

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has."""
        return self._head.logits_dimension

    @property
    def loss_reduction(self) -> str:
        """How the losses of the examples become one."""
        return self._reduction

    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Features | None = None,
        mode: str | None = None,
        regularization_losses: Losses = None,
    ) -> Tensor:
        """The loss, a scalar.

        Args:
            labels: Of shape `[..., 1]` or `[..., logits_dimension]`; a last 1 may be missing.
            logits: Of shape `[..., logits_dimension]`.
            features: Dict from name to tensor, for the weights.
            mode: Not used.
            regularization_losses: Scalars that are added.

        Raises:
            ValueError: If there are no labels, or something has another shape.
        """
        made = self._head.create_loss(features, mode, self._head._logits(logits), labels)
        loss = made.training_loss
        return loss if regularization_losses is None else loss + _tf.add_n(regularization_losses)

    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[Any, Tensor]:
        """What the head predicts.

        Args:
            logits: Of shape `[..., logits_dimension]`.
            keys: Which of the predictions; all when None.

        Returns:
            Dict from name to tensor.

        Raises:
            ValueError: If there is no such prediction.
        """
        found = self._head._predictions(self._head._logits(logits))
        unknown = [key for key in keys or () if key not in found]
        if unknown:
            raise ValueError(
                f"Prediction key must be in PredictionKeys, given: {unknown}. Valid are: {list(found)}"
            )
        return {key: found[key] for key in keys or found}

    def _predicted(self, logits: Any) -> _estimator.EstimatorSpec:
        spec: _estimator.EstimatorSpec = self._head.create_estimator_spec({}, "infer", logits)
        return spec

    def _evaluated(
        self, features: Features, logits: Any, labels: Any, regularization_losses: Losses
    ) -> _estimator.EstimatorSpec:
        spec: _estimator.EstimatorSpec = self._head.create_estimator_spec(
            features, "eval", logits, labels, regularization_losses=regularization_losses
        )
        return spec


class BinaryClassHead(_One):
    """A head of two classes, with one logit (`tf.estimator.BinaryClassHead`).

    Args:
        weight_column: Name of the feature, or a numeric column, that weighs the examples.
        thresholds: Probabilities above which the metrics of each call an example true.
        label_vocabulary: The two strings that labels are; otherwise labels are from 0 to 1.
        loss_reduction: A `tf.keras.losses.Reduction` of the examples' losses, not `NONE`.
        loss_fn: Function of labels, logits and maybe features: the loss of each example.
        name: Stands behind the names of summaries and metrics, and is the scope of the ops.

    Raises:
        ValueError: If a threshold, the reduction or a parameter of the function can't be.
    """

    __init__ = constructor(
        f"weight_column=None thresholds=None label_vocabulary=None {_LOSS} loss_fn=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        self._make(_heads.Classes, n_classes=2, **given)


class MultiClassHead(_One):
    """A head of more than two classes (`tf.estimator.MultiClassHead`).

    Args:
        n_classes: How many classes there are, and so many logits an example has.
        label_vocabulary: The strings that labels are; otherwise labels are 0 and up.
        others: As for `BinaryClassHead`.

    Raises:
        ValueError: If there are no more than two classes, or another number of strings; and as there.
    """

    __init__ = constructor(
        f"n_classes weight_column=None label_vocabulary=None {_LOSS} loss_fn=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        count, vocabulary = given["n_classes"], given["label_vocabulary"]
        if count is None or count <= 2:
            raise ValueError(f"n_classes must be > 2: {count}.")
        if vocabulary is not None and len(vocabulary) != count:
            raise ValueError(
                f'"label_vocabulary" does not have "n_classes" items: {vocabulary}, {count}'
            )
        self._make(_heads.Classes, thresholds=None, **given)


class MultiLabelHead(_One):
    """A head of classes of which an example has any number (`tf.estimator.MultiLabelHead`).

    Args:
        n_classes: How many classes there are, and so many logits an example has.
        label_vocabulary: The strings that labels are. Labels are sparse, or 0 and 1 for each class.
        classes_for_class_based_metrics: Classes, by number or by name, that have metrics of their own.
        others: As for `BinaryClassHead`.

    Raises:
        ValueError: If there are less than two classes, and as there.
    """

    __init__ = constructor(
        f"n_classes weight_column=None thresholds=None label_vocabulary=None {_LOSS} loss_fn=None "
        "classes_for_class_based_metrics=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        self._make(_heads.Labels, **given)


class RegressionHead(_One):
    """A head of numbers, with the squared error (`tf.estimator.RegressionHead`).

    Args:
        label_dimension: How many numbers an example has.
        inverse_link_fn: Function from logits to what is predicted.
        others: As for `BinaryClassHead`.

    Raises:
        ValueError: If an example has no number, and as there.
    """

    __init__ = constructor(
        f"label_dimension=1 weight_column=None {_LOSS} loss_fn=None inverse_link_fn=None name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        self._make(_heads.Regression, **given)


class PoissonRegressionHead(RegressionHead):
    """A head of counts, whose logits are logarithms (`tf.estimator.PoissonRegressionHead`).

    Args:
        compute_full_loss: Whether the loss has the term that depends on the labels alone.
        others: As for `RegressionHead`.
    """

    __init__ = constructor(
        f"label_dimension=1 weight_column=None {_LOSS} compute_full_loss=True name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        loss = _heads.poisson_loss(given.pop("compute_full_loss"))
        self._make(_heads.Regression, loss_fn=loss, inverse_link_fn=_tf.exp, **given)


class LogisticRegressionHead(RegressionHead):
    """A head of numbers from 0 to 1 (`tf.estimator.LogisticRegressionHead`).

    The arguments are as for `RegressionHead`.
    """

    __init__ = constructor(f"weight_column=None {_LOSS} name=None")

    def _init_with(self, given: dict[str, Any]) -> None:
        link = {"loss_fn": _heads.logistic_loss, "inverse_link_fn": _tf.sigmoid}
        self._make(_heads.Regression, **link, **given)


class MultiHead(_Given):
    """A head of several, for a model with several goals (`tf.estimator.MultiHead`).

    Labels, logits, the arguments and errors are as for `tf.contrib.estimator.multi_head`.
    """

    def __init__(self, heads: Sequence[Head], head_weights: Sequence[float] | None = None) -> None:
        self._all: Any = _multi_head.multi_head(heads, head_weights)  # type: ignore[arg-type]
        self._heads = tuple(heads)

    @property
    def name(self) -> str:
        """The names of all."""
        name: str = self._all.name
        return name

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has for all heads."""
        count: int = self._all.logits_dimension
        return count

    @property
    def loss_reduction(self) -> str:
        """That of all heads.

        Raises:
            ValueError: If they have different ones.
        """
        every = [head.loss_reduction for head in self._heads]
        if len(set(every)) > 1:
            raise ValueError(
                f"The loss_reduction must be the same for different heads. Given: {every}"
            )
        return every[0]

    def _split(self, logits: Tensors, labels: Any = None) -> dict[Any, Tensor]:
        """Each head's logits.

        Raises:
            ValueError: If a head has no logits, or there are labels but none for it.
        """
        if labels is not None and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        for what, given in (("logits", logits), ("labels", labels)):
            if not isinstance(given, dict):
                continue
            missing = [head.name for head in self._heads if head.name not in given]
            if missing:
                raise ValueError(f"{what} has missing values for head(s): {missing}")
        split: dict[Any, Tensor] = self._all._by_head(logits)
        return split

    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Features | None = None,
        mode: str | None = None,
        regularization_losses: Losses = None,
    ) -> Tensor:
        """The sum of the heads' losses, a scalar; see `RegressionHead.loss`."""
        split = self._split(logits, labels)
        loss = self._all._sum(
            [head.loss(labels[head.name], split[head.name], features, mode) for head in self._heads]
        )
        return loss if regularization_losses is None else loss + _tf.add_n(regularization_losses)

    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[Any, Tensor]:
        """What the heads predict: dict from `(name of the head, name)` to tensor; `keys` is not used."""
        split = self._split(logits)
        return {
            (head.name, key): value
            for head in self._heads
            for key, value in head.predictions(split[head.name]).items()
        }

    def create_estimator_spec(self, *args: Any, **kwargs: Any) -> _estimator.EstimatorSpec:
        """The `EstimatorSpec`; see `Head`. In training each head has a summary of its loss, too."""
        names = ("features", "mode", "logits", "labels")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        labels: Any = given.get("labels")
        split = self._split(given["logits"], labels)
        if given["mode"] == _estimator.ModeKeys.TRAIN:
            for head in self._heads:
                head.create_estimator_spec(
                    given["features"],
                    given["mode"],
                    split[head.name],
                    labels[head.name],
                    train_op_fn=lambda loss: _tf.no_op(),
                )
        return super().create_estimator_spec(*args, **kwargs)

    def _summary(self, name: str) -> str:
        return name

    def _predicted(self, logits: Any) -> _estimator.EstimatorSpec:
        spec: _estimator.EstimatorSpec = self._all.create_estimator_spec({}, "infer", logits)
        return spec

    def _evaluated(
        self, features: Features, logits: Any, labels: Any, regularization_losses: Losses
    ) -> _estimator.EstimatorSpec:
        spec: _estimator.EstimatorSpec = self._all.create_estimator_spec(
            features, "eval", logits, labels
        )
        if regularization_losses is None:
            return spec
        penalty = _tf.add_n(regularization_losses)
        measured = {self._key("regularization_loss"): _tf.metrics.mean(penalty)}
        return spec._replace(
            loss=spec.loss + penalty, eval_metric_ops={**spec.eval_metric_ops, **measured}
        )
