"""Arguments of TensorFlow 0.6 to 0.11 that differ from those of 0.12, a row each with its source."""

from typing import NamedTuple


class Older(NamedTuple):
    """The arguments that a function had up to one release."""

    name: str
    """Dotted name below `tf`."""
    last: str
    """The last release of which this is true."""
    signature: str
    """As in an entry of the ledger."""
    source: str
    """Where it is to be read."""


ROWS: list[Older] = [
    Older(
        "nn.softmax",
        "0.11",
        "logits, name=None",
        "python/ops/gen_nn_ops.py of 0.8; the release notes of 0.12: softmax takes dim",
    ),
]
