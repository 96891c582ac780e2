"""`tf.contrib.data`: transformations of datasets, which are in `tf.data` today.

`transformations` has the functions for `Dataset.apply`, `datasets` the class `Dataset`.
"""

from tfqueue.v1 import _lazy_names

_EXPERIMENTAL = (
    "AUTOTUNE Counter CsvDataset Optional RandomDataset SqlDataset TFRecordWriter "
    "choose_from_datasets dense_to_sparse_batch enumerate_dataset get_next_as_optional "
    "get_single_element group_by_reducer group_by_window ignore_errors "
    "make_batched_features_dataset make_csv_dataset make_saveable_from_iterator map_and_batch "
    "parallel_interleave parse_example_dataset prefetch_to_device rejection_resample "
    "sample_from_datasets scan shuffle_and_repeat unbatch unique Reducer copy_to_device"
)
_DATA = "FixedLengthRecordDataset Iterator TFRecordDataset TextLineDataset"
_OURS = {
    "datasets": "Dataset",
    "transformations": (
        "bucket_by_sequence_length assert_element_shape batch_and_drop_remainder "
        "padded_batch_and_drop_remainder sliding_window_batch sloppy_interleave"
    ),
}
_ROWS = {
    **{name: f"tf:data.experimental.{name}" for name in _EXPERIMENTAL.split()},
    **{name: f"tf:data.{name}" for name in _DATA.split()},
    **_lazy_names.rows_of(__name__, _OURS),
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
