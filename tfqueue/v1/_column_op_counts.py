"""How many ops columns of features were from 1.4 on: the seeds of the random ops behind them count these.

`tfqueue.v1._op_counts` says what for.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tensorflow.python.feature_column import feature_column_v2

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _op_counts
from tfqueue.v1._random_ops import ours


def of_a_linear_model(original: Callable[..., Any]) -> Callable[..., Any]:
    """It had resource variables from 1.9 on: each is one op more when it is made, and one when it is read."""

    @ours(original)
    def linear_model(*args: Any, **kwargs: Any) -> Any:
        with seeds.built() as new:
            result = original(*args, **kwargs)
        made = collections.Counter(op.type for op in new)
        if release.before("1.9") or "VarHandleOp" in made:
            return result
        read = made["BiasAdd"] + sum(
            op.type == "MatMul" and op.name.endswith("weighted_sum") for op in new
        )
        tiled = sum(op.type == "Tile" and "/weighted_sum/" in op.name for op in new)
        rows = tiled if release.before("1.13") else 0  # one for each column of categories
        seeds.more(made["VariableV2"] + read + rows)
        return result

    return linear_model


def _of_categories(input_tensor: Any, ignore_value: Any = None) -> int:
    """What is dense was made sparse with more ops up to 1.4."""
    return 17 if release.before("1.5") and not hasattr(input_tensor, "indices") else 0


def _of_identities(column: Any, input_tensor: Any) -> int:
    """What is out of range was told in fewer words."""
    if column.default_value is not None:
        return 0
    return -12 if release.before("1.15") else -8


def install() -> None:
    """Has columns count."""
    columns = feature_column_v2
    columns._to_sparse_input_and_drop_ignore_values = _op_counts.with_more(
        columns._to_sparse_input_and_drop_ignore_values, _of_categories
    )
    identities = columns.IdentityCategoricalColumn
    identities._transform_input_tensor = _op_counts.with_more(
        identities._transform_input_tensor, _of_identities
    )
