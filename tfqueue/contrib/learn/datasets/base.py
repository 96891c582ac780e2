"""`tf.contrib.learn.datasets.base`: the tuples of a data set, and tables from CSV files."""

import collections
import csv
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import FileName

_tf = _tensorflow.compat_v1()

__all__ = [
    "Dataset",
    "Datasets",
    "load_csv_with_header",
    "load_csv_without_header",
    "maybe_download",
    "shrink_csv",
]

Dataset = collections.namedtuple("Dataset", ["data", "target"])
Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


def _rows(filename: str, target_column: int) -> Iterator[tuple[list[str], str]]:
    """Yields each line of a CSV file as (its fields without the target, the target)."""
    with _tf.gfile.Open(filename) as lines:
        for row in csv.reader(lines):
            target = row.pop(target_column)
            yield row, target


def load_csv_with_header(
    filename: FileName, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Any:
    """A table whose first line says how many rows and features it has.

    Args:
        filename: FileName of the file. Its first line begins `rows,features`.
        target_dtype: numpy dtype of the target column.
        features_dtype: numpy dtype of the features.
        target_column: int, which column is the target.

    Returns:
        A `Dataset`: `data` `[rows, features]` and `target` `[rows]`.
    """
    with _tf.gfile.Open(filename) as lines:
        reader = csv.reader(lines)
        rows, features = (int(field) for field in next(reader)[:2])
        data = np.zeros((rows, features), dtype=features_dtype)
        target = np.zeros((rows,), dtype=target_dtype)
        for position, row in enumerate(reader):
            target[position] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[position] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(
    filename: FileName, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Any:
    """A table with nothing but its rows.

    Args:
        target_dtype: numpy dtype of the target column.
        features_dtype: numpy dtype of the features.
        target_column: int, which column is the target.

    Returns:
        A `Dataset`: `data` `[rows, features]` and `target` `[rows]`.
    """
    data, target = [], []
    for features, wanted in _rows(filename, target_column):
        data.append(np.asarray(features, dtype=features_dtype))
        target.append(wanted)
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


def shrink_csv(filename: FileName, ratio: int) -> None:
    """Writes every `ratio`-th row of `x.csv` to `x_small.csv`."""
    with _tf.gfile.Open(filename) as source:
        kept = list(csv.reader(source))[::ratio]
    with _tf.gfile.Open(filename.replace(".", "_small."), "w") as target:
        csv.writer(target).writerows(kept)


def maybe_download(filename: FileName, work_directory: Any, source_url: Any) -> Any:
    """The path of a file that must exist; nothing is downloaded.

    Args:
        work_directory: Folder it should be in.
        source_url: Where it used to come from; named in the error.

    Returns:
        The path.

    Raises:
        FileNotFoundError: If it is not there.
    """
    path = os.path.join(work_directory, filename)
    if not _tf.gfile.Exists(path):
        raise FileNotFoundError(
            f"{path} is missing, and tfqueue downloads nothing: put {filename} into "
            f"{os.path.abspath(work_directory)} (it used to come from {source_url})"
        )
    return path


__getattr__ = _lazy_names.attributes(__name__, {})[0]
