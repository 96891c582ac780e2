"""Several heads as one: the sum of their losses, and the metrics and predictions of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.estimator import EstimatorSpec, ModeKeys, _export, _heads
from tfqueue.v1._types import Features, Op, Tensor, Tensors

_tf = _tensorflow.compat_v1()
_DEFAULT = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


def multi_head(
    heads: Sequence[_heads.Head], head_weights: Sequence[float] | None = None
) -> _heads.Head:
    """A head of several, for a model with several goals (`tf.contrib.estimator.multi_head`).

    Labels are a dict by the heads' names. Logits are such a dict, too, or one tensor that is split.

    Args:
        heads: Heads with names. The first is the one that an export serves by default.
        head_weights: The weight of each head's loss; 1 when None.

    Raises:
        ValueError: If there is no head, one has no name, or there are more or fewer weights.
    """
    if head_weights and len(head_weights) != len(heads):
        raise ValueError(
            "heads and head_weights must have the same size. Given len(heads): "
            f"{len(heads)}. Given len(head_weights): {len(head_weights)}."
        )
    if not heads:
        raise ValueError(f"Must specify heads. Given: {heads}")
    for head in heads:
        if not head.name:
            raise ValueError(f"All given heads must have name specified. Given: {head}")
    return _Several(tuple(heads), tuple(head_weights or ()))


class _Several(_heads.Head):
    """What `multi_head` returns."""

    def __init__(self, heads: tuple[_heads.Head, ...], weights: tuple[float, ...]) -> None:
        self._heads, self._weights = heads, weights

    @property
    def name(self) -> str:
        """The names of all."""
        return "_".join(str(head.name) for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has for all heads."""
        return sum(head.logits_dimension for head in self._heads)

    def _by_head(self, logits: Tensors) -> dict[Any, Tensor]:
        """Each head's logits."""
        if isinstance(logits, dict):
            return logits
        widths = [head.logits_dimension for head in self._heads]
        with _tf.name_scope(None, "split_logits"):
            logits = _tf.convert_to_tensor(logits)
            shape = logits.shape.as_list()
            if shape[-1] not in (None, sum(widths)):
                raise ValueError(
                    f"Could not split logits of shape {shape} among the heads with individual logits "
                    f"dimensions: {widths}. The last dimension of the logits tensor should equal "
                    f"{sum(widths)} but is {shape[-1]}."
                )
            parts = _tf.split(logits, widths, axis=-1)
        return {head.name: part for head, part in zip(self._heads, parts, strict=True)}

    def _weighted(self, losses: Sequence[Tensor]) -> list[Tensor]:
        if not self._weights:
            return list(losses)
        return [loss * weight for loss, weight in zip(losses, self._weights, strict=True)]

    def _sum(self, losses: Sequence[Tensor]) -> Tensor:
        with _tf.name_scope("merge_losses"):
            return _tf.add_n(self._weighted(losses))

    def create_loss(
        self, features: Features, mode: str, logits: Tensors, labels: dict[Any, Tensor]
    ) -> _heads.LossSpec:
        """The sum of the heads' losses; the other parts are dicts by the heads' names."""
        split = self._by_head(logits)
        made = [
            head.create_loss(features, mode, split[head.name], labels[head.name])
            for head in self._heads
        ]
        names = [head.name for head in self._heads]
        losses, unreduced, weights, processed = zip(*made, strict=True)
        return _heads.LossSpec(
            self._sum(losses),
            dict(zip(names, self._weighted(unreduced), strict=True)),
            dict(zip(names, self._weighted(weights), strict=True)),
            dict(zip(names, processed, strict=True)),
        )

    def create_estimator_spec(
        self,
        features: Features,
        mode: str,
        logits: Tensors,
        labels: dict[Any, Tensor] | None = None,
        optimizer: Any = None,
        train_op_fn: Callable[[Tensor], Op] | None = None,
    ) -> EstimatorSpec:
        """The `EstimatorSpec` of all.

        Args:
            features: Dict from name to tensor.
            mode: One of `tf.estimator.ModeKeys`.
            logits: Dict from a head's name to its logits, or one tensor for all.
            labels: Dict from a head's name to its labels; not needed to predict.
            optimizer: Minimizes the loss and counts the step. In training this or the next is given.
            train_op_fn: Function of a loss: the op of one step.

        Raises:
            ValueError: If labels are no dict, or both or none of the last two are given in training.
        """
        split = self._by_head(logits)
        if labels and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        specs = {
            head: head.create_estimator_spec(
                features=features,
                mode=mode,
                logits=split[head.name],
                labels=labels[head.name] if labels else None,
                train_op_fn=lambda loss: _tf.no_op(),
            )
            for head in self._heads
        }
        predictions = {
            (head.name, key): value
            for head, spec in specs.items()
            for key, value in spec.predictions.items()
        }
        if mode == ModeKeys.PREDICT:
            return EstimatorSpec(mode, predictions, export_outputs=_exports(specs))
        if mode == ModeKeys.EVAL:
            return self._evaluated(specs, predictions)
        loss = self._sum([spec.loss for spec in specs.values()])
        step = _heads.step_of(loss, optimizer, train_op_fn)
        with _tf.name_scope(""):
            _tf.summary.scalar("loss", loss)
        return EstimatorSpec(mode, predictions, loss, step)

    def _evaluated(
        self, specs: dict[_heads.Head, Any], predictions: dict[Any, Tensor]
    ) -> EstimatorSpec:
        metrics = {}
        with _tf.name_scope("merge_eval"):
            for head, spec in specs.items():
                metrics[f"loss/{head.name}"] = _tf.metrics.mean(spec.loss)
                metrics.update(spec.eval_metric_ops or {})
            loss = self._sum([spec.loss for spec in specs.values()])
        return EstimatorSpec(ModeKeys.EVAL, predictions, loss, eval_metric_ops=metrics)


def _exports(specs: dict[_heads.Head, Any]) -> dict[str, Any]:
    """The outputs of all heads, by the head's name and their own; the first head's is the default."""
    outputs: dict[str, Any] = {}
    predicted: dict[str, Tensor] = {}
    for head, spec in specs.items():
        every = spec.export_outputs
        if not outputs:
            outputs[_DEFAULT] = every[_DEFAULT] if len(every) > 1 else next(iter(every.values()))
        for key, output in every.items():
            outputs[f"{head.name}" if key == _DEFAULT else f"{head.name}/{key}"] = output
            if key == "predict" and isinstance(output, _export.PredictOutput):
                predicted.update({f"{head.name}/{name}": t for name, t in output.outputs.items()})
    outputs["predict"] = _export.PredictOutput(predicted)
    return outputs
