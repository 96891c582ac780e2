"""The contents of lookup tables in the old graph."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op
from tfqueue.dataset import steps

_tf = _tensorflow.compat_v1()

_FILLED_BY = frozenset(
    [
        "LookupTableImportV2",
        "InitializeTableV2",
        "InitializeTableFromTextFileV2",
    ]
)


def contents(op: Op) -> list[Any]:
    """The keys and values of a table after its initialisation.

    Args:
        op: The op that makes it.

    Returns:
        `(keys, values)`, two arrays of equal length, in the order of the keys.

    Raises:
        errors.CannotLiftError: It is not filled by one initialiser, before the data is read.
    """
    handle = op.outputs[0]
    fills = [user for user in op_building.consumers(handle) if user.type in _FILLED_BY]
    if len(fills) != 1:
        steps.refuse(f"table {op.name!r} is filled by {len(fills)} ops", op)
    with op.graph.as_default(), contextlib.closing(_tf.Session(graph=op.graph)) as sess:
        both = _tf.raw_ops.LookupTableExportV2(
            table_handle=handle,
            Tkeys=op.get_attr("key_dtype"),
            Tvalues=op.get_attr("value_dtype"),
        )
        sess.run(fills[0])
        keys, values = sess.run(list(both))
    order = np.argsort(keys)  # the table gives them as its hashes lie
    return [keys[order], values[order]]
