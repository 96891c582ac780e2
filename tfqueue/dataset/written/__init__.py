"""A plan written out as the tf.data program that a porter would write by hand.

`program` writes the datasets, `body` the functions that are mapped, `spelling` has a row for each op
with a public name, `structured` the ops that are not one call each, `literals` the values.
"""

from tfqueue.dataset.written.program import Source, write

__all__ = ["Source", "write"]
