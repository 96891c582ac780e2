"""`tf.contrib.training.stratified_sample` and `rejection_sample`: batches with wanted proportions."""

from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import train
from tfqueue.v1._types import Size, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["rejection_sample", "stratified_sample"]

_TOLERANCE = 1e-6
_SMOOTHING = 10  # examples of each class that count as seen before the first


def _single(tensors: list[Tensor], **options: Any) -> list[Tensor]:
    """The examples of batches, one at a time, through a queue."""
    batched = train.batch(tensors, 1, enqueue_many=True, **options)
    batched = batched if isinstance(batched, (list, tuple)) else [batched]
    return [_tf.squeeze(tensor, [0]) for tensor in batched]


def rejection_sample(
    tensors: Sequence[Tensor],
    accept_prob_fn: Callable[..., Any],
    batch_size: Size,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> Any:
    """Batches of examples that are accepted at random (`tf.contrib.training.rejection_sample`).

    Args:
        tensors: List of tensors: one example, or many.
        accept_prob_fn: Function from the list of an example's tensors to a scalar
            float tensor, the probability to keep it.
        queue_threads: How many threads fill the batches.
        enqueue_many: Whether `tensors` hold many examples, one a row.
        prebatch_capacity: int, how many examples wait, where they came many at a time.
        prebatch_threads: How many threads split them into examples.
        runtime_checks: Whether to check that probabilities are between 0 and 1.

    Returns:
        A list of tensors `[batch_size, ...]`.
    """
    with _tf.variable_scope(name, "rejection_sample", tensors):
        given = [_tf.convert_to_tensor(tensor) for tensor in tensors]
        if enqueue_many:
            for tensor in given:
                tensor.shape[:1].assert_is_compatible_with(given[0].shape[:1])
            given = _single(given, num_threads=prebatch_threads, capacity=prebatch_capacity)
        probability = accept_prob_fn(given)
        if runtime_checks:
            checks = [
                _tf.assert_less_equal(0.0, probability),
                _tf.assert_less_equal(probability, 1.0),
            ]
            with _tf.control_dependencies(checks):
                probability = _tf.identity(probability, name="prob_with_checks")
        batch = train.maybe_batch(
            given,
            keep_input=_tf.random_uniform([]) < probability,
            batch_size=batch_size,
            num_threads=queue_threads,
        )
    return [batch] if _tf.is_tensor(batch) else batch


def stratified_sample(
    tensors: Sequence[Tensor],
    labels: Tensor,
    target_probs: Tensor,
    batch_size: Size,
    init_probs: Tensor | None = None,
    enqueue_many: bool = False,
    queue_capacity: Size = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> Any:
    """Batches whose classes come in wanted proportions (`tf.contrib.training.stratified_sample`).

    Drops examples: of class i it keeps `(target_i / init_i) / max_j(target_j / init_j)`.

    Args:
        tensors: List of tensors: one example, or many.
        labels: Integer tensor, the class of the example, or of each row.
        target_probs: Floats `[classes]`, the wanted proportions.
        init_probs: Floats `[classes]`, the proportions in the data. When None they
            are counted as the data passes, in a variable `class_count`.
        enqueue_many: Whether `tensors` and `labels` hold many examples, one a row.
        queue_capacity: int, how many examples wait.
        threads_per_queue: How many threads for each of the two queues.

    Returns:
        A pair: a list of tensors `[batch_size, ...]`; the labels `[batch_size]`.

    Raises:
        ValueError: If shapes do not fit each other.
        tf.errors.InvalidArgumentError: When run, if proportions do not sum to 1,
            a class that is wanted does not occur in `init_probs`, or a label is none.
    """
    with _tf.name_scope(name, "stratified_sample", [*tensors, labels]):
        given = [_tf.convert_to_tensor(tensor) for tensor in tensors]
        labels = _tf.convert_to_tensor(labels)
        target = _tf.convert_to_tensor(target_probs, _tf.float32)
        if not enqueue_many:
            given = [_tf.expand_dims(tensor, 0) for tensor in given]
            labels = _tf.expand_dims(labels, 0)
        if init_probs is None:
            target.shape.assert_is_fully_defined()
            initial = _counted(labels, target.shape.num_elements())
        else:
            initial = _tf.convert_to_tensor(init_probs, _tf.float32)
        given, labels, initial, target = _checked(given, labels, initial, target)
        keep = _keep(initial, target)
        *values, label = _single(
            [*given, labels], num_threads=threads_per_queue, capacity=queue_capacity
        )
        batch = train.maybe_batch(
            [*values, label],
            keep_input=_tf.random_uniform([]) < _tf.gather(keep, label),
            batch_size=batch_size,
            num_threads=threads_per_queue,
        )
    return list(batch[:-1]), batch[-1]


def _counted(labels: Tensor, classes: int) -> Tensor:
    """The proportions of the classes among the labels seen so far."""
    seen = _tf.Variable(
        [_SMOOTHING] * classes, trainable=False, name="class_count", dtype=_tf.int64
    )
    new = _tf.reduce_sum(_tf.one_hot(labels, classes, dtype=_tf.int64), 0)
    # Copied, since a reference variable could change under the division.
    count = _tf.assign_add(seen, new) + 0
    return _tf.cast(count / _tf.reduce_sum(count), _tf.float32)


def _checked(given: Any, labels: Tensor, initial: Any, target: Any) -> tuple[Any, ...]:
    """All arguments again, each after the checks that concern it."""
    labels.shape.assert_has_rank(1)
    for tensor in given:
        tensor.shape.with_rank_at_least(1)
        tensor.shape[:1].assert_is_compatible_with(labels.shape[:1])
    probabilities = []
    for each in (initial, target):
        each.shape.assert_is_fully_defined()
        each.shape.assert_has_rank(1)
        total = _tf.reduce_sum(each)
        checks = [
            _tf.assert_non_negative(each),
            _tf.assert_less(total, 1.0 + _TOLERANCE),
            _tf.assert_less(1.0 - _TOLERANCE, total),
        ]
        with _tf.control_dependencies(checks):
            probabilities.append(_tf.identity(each))
    initial, target = probabilities
    if initial.shape.num_elements() != target.shape.num_elements():
        raise ValueError("Probability parameters must have the same length.")
    if not labels.dtype.is_integer:
        raise TypeError(f"labels must be integers, got {labels.dtype.name}")
    rows = _tf.shape(labels)[0]
    checks = [
        _tf.assert_positive(rows),
        _tf.assert_non_negative(labels),
        _tf.assert_less(labels, _tf.cast(target.shape.num_elements(), labels.dtype)),
    ]
    with _tf.control_dependencies(checks):
        labels = _tf.identity(labels)
    same = [_tf.assert_equal(_tf.shape(tensor)[0], rows) for tensor in given]
    with _tf.control_dependencies(same):
        given = [_tf.identity(tensor) for tensor in given]
    return given, labels, initial, target


def _keep(initial: Tensor, target: Tensor) -> Tensor:
    """The probability to keep an example, for each class."""
    possible = _tf.Assert(
        _tf.reduce_all(_tf.logical_or(_tf.not_equal(initial, 0), _tf.equal(target, 0))),
        [
            "All classes with zero initial probability must also have zero target probability: ",
            initial,
            target,
        ],
    )
    with _tf.control_dependencies([possible]):
        ratio = _tf.div_no_nan(target, initial)  # 0 for a class without examples that is not wanted
    return ratio / _tf.reduce_max(ratio)
