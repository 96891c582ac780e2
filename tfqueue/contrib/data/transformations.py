"""Functions of `tf.contrib.data` for `Dataset.apply`; most are methods of `tf.data.Dataset` today."""

from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1._types import Size

_tf = _tensorflow.compat_v1()


def batch_and_drop_remainder(batch_size: Size) -> Any:
    """Batches without the last, partial one (`tf.contrib.data.batch_and_drop_remainder`)."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(
    batch_size: Size, padded_shapes: Any, padding_values: Any = None
) -> Any:
    """Padded batches without the last, partial one.

    Args:
        padded_shapes: As for `Dataset.padded_batch`.
        padding_values: As there.
    """
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes, padding_values, drop_remainder=True
    )


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Any:
    """Batches of elements of about one length (`tf.contrib.data.bucket_by_sequence_length`).

    Args:
        element_length_func: Function from an element to its length, an int32 or int64 scalar.
        bucket_boundaries: ints, the lengths at which the next bucket begins.
        bucket_batch_sizes: ints, how many elements in a batch of each bucket: one more than boundaries.
        padded_shapes: As for `Dataset.padded_batch`.
        padding_values: As there.
        pad_to_bucket_boundary: Whether elements are padded to the longest length that the bucket holds; up
            to 1.9 to the boundary itself, one more.
        no_padding: Whether they are not padded: those of a batch are of one shape.
        drop_remainder: Whether the last batches are left out that are not full.
    """
    length_of = element_length_func
    if pad_to_bucket_boundary and release.before("1.10"):
        # of elements that are taken for one longer: the buckets are the same
        bucket_boundaries = [boundary + 1 for boundary in bucket_boundaries]
        length_of = _one_longer(element_length_func)
    return _tf.data.experimental.bucket_by_sequence_length(
        length_of,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
        drop_remainder,
    )


def _one_longer(length: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *element: length(*element) + 1


def sloppy_interleave(
    map_func: Callable[..., Any], cycle_length: int, block_length: int = 1
) -> Any:
    """Interleaves datasets in no defined order (`tf.contrib.data.sloppy_interleave`).

    Args:
        map_func: Function from an element to a dataset.
        cycle_length: int, how many datasets at once.
        block_length: int, how many elements of one at a time.
    """
    return _tf.data.experimental.parallel_interleave(
        map_func, cycle_length, block_length, sloppy=True
    )


def sliding_window_batch(
    window_size: int, stride: Any = None, window_shift: int | None = None, window_stride: int = 1
) -> Any:
    """Windows that slide over the elements (`tf.contrib.data.sliding_window_batch`).

    Args:
        window_size: int, how many elements in a window.
        stride: The old name of `window_shift`.
        window_shift: int, how far the next window is; 1 when None.
        window_stride: int, how far elements in a window are from each other.

    Raises:
        ValueError: If both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Only one of stride and window_shift can be given: they are the same.")
    shift = next((given for given in (window_shift, stride) if given is not None), 1)

    def join(*parts: Any) -> Any:
        batches = tuple(part.batch(window_size) for part in parts)
        return _tf.data.Dataset.zip(batches) if len(batches) > 1 else batches[0]

    def apply(dataset: Any) -> Any:
        windows = dataset.window(window_size, shift, window_stride, drop_remainder=True)
        return windows.flat_map(join)

    return apply


def assert_element_shape(expected_shapes: Any) -> Any:
    """Checks the shapes of the elements, and makes them known.

    Args:
        expected_shapes: Structure of `TensorShape`s as the elements have it.
    """

    def check(*elements: Any) -> Any:
        whole = elements if len(elements) > 1 else elements[0]
        return _tf.nest.map_structure(
            lambda shape, part: _tf.ensure_shape(part, shape), expected_shapes, whole
        )

    return lambda dataset: dataset.map(check)
