"""`tf.contrib.metrics`: the set operations of `tf.sets`; the rest is tf_slim's (extra `slim`)."""

from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1 import _lazy_names, _old_numbers
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import DType, Tensor

_tf = _tensorflow.compat_v1()

_ROWS = {
    "set_difference": "tf:sets.difference",
    "set_intersection": "tf:sets.intersection",
    "set_size": "tf:sets.size",
    "set_union": "tf:sets.union",
}


def confusion_matrix(
    labels: Tensor,
    predictions: Tensor,
    num_classes: Any = None,
    dtype: DType = _tf.int32,
    name: str | None = None,
    weights: Tensor | None = None,
) -> Any:
    """Counts how often each class was taken for each (`tf.contrib.metrics.confusion_matrix`).

    Args:
        labels: int `[n]`, the classes.
        predictions: int `[n]`, what they were taken for.
        num_classes: int or scalar, how many classes there are; one more than the largest when None.
        weights: A number for each, or None.

    Returns:
        `[num_classes, num_classes]` of `dtype`: a row for each label, a column for each prediction. Up
        to 0.12 it was the other way round.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.contrib.metrics.confusion_matrix([0, 1], [1, 1])).tolist())
    [[0, 1], [0, 1]]
    """
    found = _tf.confusion_matrix(labels, predictions, num_classes, dtype, name, weights)
    return _tf.transpose(found) if release.before("1.0") else found


@takes(
    "predictions labels num_classes weights=None metrics_collections=None updates_collections=None "
    "name=None"
)
def streaming_mean_iou(given: dict[str, Any]) -> Any:
    """`tf.metrics.mean_iou` with the predictions first (`tf.contrib.metrics.streaming_mean_iou`)."""
    return _old_numbers.mean_iou(**given)


__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS, behind="tf_slim.metrics")
