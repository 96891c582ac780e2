"""`tf.contrib.model_pruning.python.pruning`: masks of weights, and the op that changes them."""

import re
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.training.hparam import HParams
from tfqueue.names.sentence import GoneUseError
from tfqueue.v1 import _call_forms
from tfqueue.v1._types import Op, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "Pruning",
    "apply_mask",
    "get_masked_weights",
    "get_masks",
    "get_pruning_hparams",
    "get_thresholds",
    "get_weight_sparsity",
    "get_weights",
]
MASKS, THRESHOLDS, MASKED, WEIGHTS = "masks", "thresholds", "masked_weights", "kernel"


def masked(weights: Tensor, mask: Tensor, threshold: Tensor) -> Tensor:
    """Weights times their mask; notes all of them in the graph."""
    found = _tf.multiply(mask, weights, "weights/masked_weight")
    parts = (MASKS, mask), (THRESHOLDS, threshold), (MASKED, found), (WEIGHTS, weights)
    for key, part in parts:
        _tf.add_to_collection(key, part)
    return found


def apply_mask(x: Tensor, scope: Any = "") -> Tensor:
    """Weights times a mask of ones and zeros (`tf.contrib.model_pruning.apply_mask`).

    Args:
        x: The weights, a variable.
        scope: The scope of the variables `mask` and `threshold`.
    """
    with _tf.variable_scope(scope):
        mask = _tf.get_variable(
            "mask", x.shape, x.dtype.base_dtype, _tf.ones_initializer(), trainable=False
        )
        threshold = _tf.get_variable(
            "threshold", [], x.dtype.base_dtype, _tf.zeros_initializer(), trainable=False
        )
    if any(mask is each for each in get_masks()):
        return _tf.multiply(mask, x, "weights/masked_weight")
    return masked(x, mask, threshold)


def get_masked_weights() -> list[Tensor]:
    """The weights of the graph that have a mask, times it (`tf.contrib.model_pruning.get_masked_weights`)."""
    return list(_tf.get_collection(MASKED))


def get_masks() -> list[Tensor]:
    """Their masks (`tf.contrib.model_pruning.get_masks`)."""
    return list(_tf.get_collection(MASKS))


def get_thresholds() -> list[Tensor]:
    """What a weight has to reach not to be zero, for each mask (`tf.contrib.model_pruning.get_thresholds`)."""
    return list(_tf.get_collection(THRESHOLDS))


def get_weights() -> list[Tensor]:
    """The weights of the graph that have a mask (`tf.contrib.model_pruning.get_weights`)."""
    return list(_tf.get_collection(WEIGHTS))


def get_weight_sparsity() -> list[Tensor]:
    """Which share of each mask is zero (`tf.contrib.model_pruning.get_weight_sparsity`)."""
    return [_tf.nn.zero_fraction(mask) for mask in get_masks()]


def get_pruning_hparams() -> Any:
    """What `Pruning` does where nothing else is said (`tf.contrib.model_pruning.get_pruning_hparams`).

    Raises:
        GoneUseError: In a program for 1.13 or before, whose thresholds came from histograms.
    """
    if _call_forms.reaches("1.13"):
        use = "thresholds are those of the weights in order since, not those of a histogram"
        raise GoneUseError(
            "tf.contrib.model_pruning.get_pruning_hparams of histograms", "1.14", use
        )
    return HParams(
        name="model_pruning",
        begin_pruning_step=0,
        end_pruning_step=-1,
        weight_sparsity_map=[""],
        block_dims_map=[""],
        threshold_decay=0.0,
        pruning_frequency=10,
        nbins=256,
        block_height=1,
        block_width=1,
        block_pooling_function="AVG",
        initial_sparsity=0.0,
        target_sparsity=0.5,
        sparsity_function_begin_step=0,
        sparsity_function_end_step=100,
        sparsity_function_exponent=3.0,
        use_tpu=False,
    )


def _check(spec: Any) -> None:
    if spec.begin_pruning_step < 0:
        raise ValueError("Illegal value for begin_pruning_step")
    if -1 != spec.end_pruning_step <= spec.begin_pruning_step:
        raise ValueError("Pruning must begin before it can end: end_pruning_step is too small")
    if spec.sparsity_function_begin_step < 0:
        raise ValueError("Illegal value for sparsity_function_begin_step")
    if spec.sparsity_function_begin_step >= spec.sparsity_function_end_step:
        raise ValueError("Sparsity function requires begin_step < end_step")
    for name in ("threshold_decay", "initial_sparsity", "target_sparsity"):
        if not 0 <= getattr(spec, name) < 1:
            raise ValueError(f"{name} must be in range [0,1)")
    if spec.use_tpu:
        raise GoneUseError("use_tpu=True of tf.contrib.model_pruning", "2.0", "use_tpu=False")


def _by_pattern(pairs: list[str], read: Any) -> dict[Any, Any]:
    """A list of texts `pattern:value` as a dict."""
    split = [each.split(":") for each in pairs if each]
    return {re.compile(pattern): read(value) for pattern, value in split}


def _one(known: dict[Any, Any], name: str, otherwise: Any) -> Any:
    found = [value for pattern, value in known.items() if pattern.search(name)]
    if len(found) > 1:
        raise ValueError(f"Multiple matches for weight {name}")
    return found[0] if found else otherwise


def _share(text: str) -> float:
    if float(text) >= 1:
        raise ValueError("Weight sparsity can not exceed 1.0")
    return float(text)


def _block(text: str) -> list[int]:
    sizes = [int(each) for each in text.split("x")]
    if len(sizes) != 2:
        raise ValueError(f"Expected 2 values for block dim, got {text}")
    return sizes


class Pruning:
    """Changes the masks of a graph while it trains (`tf.contrib.model_pruning.Pruning`).

    Args:
        spec: Of `get_pruning_hparams()`, which stands for None.
        global_step: The step, `tf.train.get_global_step()` if None.
        sparsity: A scalar tensor, which share of the weights is zero; of `spec` if None.

    Raises:
        ValueError: If a number of `spec` makes no sense.
        GoneUseError: If `spec` says `use_tpu`.
    """

    def __init__(
        self,
        spec: Any = None,
        global_step: Tensor | None = None,
        sparsity: Tensor | None = None,
    ) -> None:
        self._spec = spec or get_pruning_hparams()
        _check(self._spec)
        step = _tf.train.get_global_step() if global_step is None else global_step
        self._global_step = _tf.cast(step, _tf.int32)
        self._sparsity = self._share_now() if sparsity is None else sparsity
        self._assigned: list[Op] = []
        with _tf.variable_scope(self._spec.name, reuse=_tf.AUTO_REUSE):
            self._last_step = _tf.get_variable(
                "last_mask_update_step", [], _tf.int32, _tf.zeros_initializer(), trainable=False
            )
        self._blocks = _by_pattern(self._spec.block_dims_map, _block)
        self._shares = _by_pattern(self._spec.weight_sparsity_map, _share)

    def _share_now(self) -> Tensor:
        spec = self._spec
        begin, end = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        with _tf.name_scope(spec.name):
            done = _tf.cast(self._global_step - begin, _tf.float32) / (end - begin)
            left = _tf.pow(
                1 - _tf.minimum(1.0, _tf.maximum(0.0, done)), spec.sparsity_function_exponent
            )
            wide = spec.initial_sparsity - spec.target_sparsity
            return _tf.add(wide * left, spec.target_sparsity, name="sparsity")

    def _share_of(self, name: str) -> Tensor:
        share = _one(self._shares, name, None)
        return (
            self._sparsity
            if share is None
            else self._sparsity * (share / self._spec.target_sparsity)
        )

    def _update(self, sizes: Tensor, share: Tensor, threshold: Tensor) -> tuple[Tensor, Tensor]:
        """The new threshold and the new mask of sizes, which are positive."""
        count = _tf.size(sizes)
        kept = _tf.cast(_tf.round(_tf.cast(count, _tf.float32) * (1 - share)), _tf.int32)
        values, _ = _tf.nn.top_k(_tf.reshape(sizes, [-1]), k=count)
        decay = self._spec.threshold_decay
        new = _tf.add_n([_tf.gather(values, kept - 1) * (1 - decay), threshold * decay])
        return new, _tf.cast(_tf.greater_equal(sizes, new), _tf.float32)

    def _update_weights(self, weights: Tensor, threshold: Tensor) -> tuple[Tensor, Tensor]:
        name = weights.op.name
        share, plane = self._share_of(name), _tf.squeeze(weights)
        block = _one(self._blocks, name, [self._spec.block_height, self._spec.block_width])
        with _tf.name_scope(f"{name}_pruning_ops"):
            if plane.shape.rank != 2 or block == [1, 1]:
                return self._update(_tf.abs(weights), share, threshold)
            kind = self._spec.block_pooling_function
            if kind not in ("AVG", "MAX"):
                raise ValueError(f"Unknown pooling function for block sparsity: {kind}")
            shape = plane.shape.as_list()
            window = [shape[i] if size == -1 else size for i, size in enumerate(block)]
            pooled = _tf.nn.pool(
                _tf.abs(plane)[_tf.newaxis, :, :, _tf.newaxis], window, kind, "SAME", strides=window
            )
            new, mask = self._update(pooled[0, :, :, 0], self._share_of(pooled.op.name), threshold)
            for axis, size in enumerate(window):
                mask = _tf.repeat(mask, size, axis)
            return new, _tf.reshape(mask[: shape[0], : shape[1]], _tf.shape(weights))

    def _assign_ops(self) -> list[Op]:
        masks, weights, thresholds = get_masks(), get_weights(), get_thresholds()
        if len(masks) != len(thresholds):
            raise ValueError(f"There are {len(masks)} masks and {len(thresholds)} thresholds.")
        made = []
        for mask, weight, threshold in zip(masks, weights, thresholds, strict=True):
            parts = list(mask) if hasattr(mask, "as_tensor") else [mask]
            whole = weight.as_tensor() if hasattr(weight, "as_tensor") else weight
            new, updated = self._update_weights(whole, threshold)
            made.append(_tf.assign(threshold, new, name=f"{threshold.op.name}_assign"))
            made += self._assign_parts(parts, updated)
        return made

    @staticmethod
    def _assign_parts(parts: list[Tensor], value: Tensor) -> list[Op]:
        if len(parts) == 1:
            return [_tf.assign(parts[0], value, name=f"{parts[0].op.name}_assign")]
        whole = value.shape.as_list()
        (axis,) = (i for i, size in enumerate(parts[0].shape.as_list()) if size != whole[i])
        values = _tf.split(value, [part.shape.as_list()[axis] for part in parts], axis)
        return [
            _tf.assign(part, each, name=f"{part.op.name}_assign")
            for part, each in zip(parts, values, strict=True)
        ]

    def mask_update_op(self) -> Op:
        """The op that sets all masks anew."""
        with _tf.name_scope(self._spec.name):
            if not self._assigned:
                self._assigned = self._assign_ops()
            done = _tf.assign(
                self._last_step, self._global_step, name="last_mask_update_step_assign"
            )
            with _tf.control_dependencies([done]), _tf.control_dependencies(self._assigned):
                return _tf.no_op("mask_update")

    def conditional_mask_update_op(self) -> Op:
        """The op that does so each `pruning_frequency` steps between the first and the last step."""
        spec, step = self._spec, self._global_step
        with _tf.name_scope(spec.name):
            within = _tf.greater_equal(step, spec.begin_pruning_step)
            if spec.end_pruning_step >= 0:
                within &= _tf.less_equal(step, spec.end_pruning_step)
            due = within & (self._last_step + spec.pruning_frequency <= step)
        return _tf.cond(due, self.mask_update_op, _tf.no_op)

    def add_pruning_summaries(self) -> None:
        """Adds summaries of the shares that are zero, and of the thresholds."""
        with _tf.name_scope(f"{self._spec.name}_summaries"):
            _tf.summary.scalar("sparsity", self._sparsity)
            _tf.summary.scalar("last_mask_update_step", self._last_step)
            for mask, threshold in zip(get_masks(), get_thresholds(), strict=True):
                _tf.summary.scalar(f"{mask.op.name}/sparsity", _tf.nn.zero_fraction(mask))
                _tf.summary.scalar(f"{threshold.op.name}/threshold", threshold)

    def print_hparams(self) -> None:
        """Logs `spec`."""
        _tf.logging.info(self._spec.to_json())
