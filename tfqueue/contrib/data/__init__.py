"""`tf.contrib.data`: transformations of datasets, which are in `tf.data` today.

`transformations` has the functions for `Dataset.apply`, `datasets` the class `Dataset`.
"""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "AUTOTUNE": "tf:data.experimental.AUTOTUNE",
    "Counter": "tf:data.experimental.Counter",
    "CsvDataset": "tf:data.experimental.CsvDataset",
    "Optional": "tf:data.experimental.Optional",
    "RandomDataset": "tf:data.experimental.RandomDataset",
    "SqlDataset": "tf:data.experimental.SqlDataset",
    "TFRecordWriter": "tf:data.experimental.TFRecordWriter",
    "bucket_by_sequence_length": "tfqueue.contrib.data.transformations:bucket_by_sequence_length",
    "choose_from_datasets": "tf:data.experimental.choose_from_datasets",
    "dense_to_sparse_batch": "tf:data.experimental.dense_to_sparse_batch",
    "enumerate_dataset": "tf:data.experimental.enumerate_dataset",
    "get_next_as_optional": "tf:data.experimental.get_next_as_optional",
    "get_single_element": "tf:data.experimental.get_single_element",
    "group_by_reducer": "tf:data.experimental.group_by_reducer",
    "group_by_window": "tf:data.experimental.group_by_window",
    "ignore_errors": "tf:data.experimental.ignore_errors",
    "make_batched_features_dataset": "tf:data.experimental.make_batched_features_dataset",
    "make_csv_dataset": "tf:data.experimental.make_csv_dataset",
    "make_saveable_from_iterator": "tf:data.experimental.make_saveable_from_iterator",
    "map_and_batch": "tf:data.experimental.map_and_batch",
    "parallel_interleave": "tf:data.experimental.parallel_interleave",
    "parse_example_dataset": "tf:data.experimental.parse_example_dataset",
    "prefetch_to_device": "tf:data.experimental.prefetch_to_device",
    "rejection_resample": "tf:data.experimental.rejection_resample",
    "sample_from_datasets": "tf:data.experimental.sample_from_datasets",
    "scan": "tf:data.experimental.scan",
    "shuffle_and_repeat": "tf:data.experimental.shuffle_and_repeat",
    "unbatch": "tf:data.experimental.unbatch",
    "unique": "tf:data.experimental.unique",
    "Reducer": "tf:data.experimental.Reducer",
    "copy_to_device": "tf:data.experimental.copy_to_device",
    "assert_element_shape": "tfqueue.contrib.data.transformations:assert_element_shape",
    "batch_and_drop_remainder": "tfqueue.contrib.data.transformations:batch_and_drop_remainder",
    "padded_batch_and_drop_remainder": "tfqueue.contrib.data.transformations:padded_batch_and_drop_remainder",
    "sliding_window_batch": "tfqueue.contrib.data.transformations:sliding_window_batch",
    "sloppy_interleave": "tfqueue.contrib.data.transformations:sloppy_interleave",
    "Dataset": "tfqueue.contrib.data.datasets:Dataset",
    "FixedLengthRecordDataset": "tf:data.FixedLengthRecordDataset",
    "Iterator": "tf:data.Iterator",
    "TFRecordDataset": "tf:data.TFRecordDataset",
    "TextLineDataset": "tf:data.TextLineDataset",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
