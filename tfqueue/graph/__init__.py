"""The model: what a graph's input pipeline is, and how its ops are copied and vectorised.

* `model` finds the queues, readers and runners of a graph; `op_types` has what it consists of, `producers`
  what a producer puts, `traversal` how one op leads to another, `statefulness` which ops keep a state.
* `converters` vectorises what TensorFlow does not, and `conds` makes functional conds of Switch and Merge;
  `exactness` tells what must not be vectorised, since it would give other values.
* `control_ops` adds ops to a user's graph, `shapes` finds where a shape is lost, `tasks` names a cluster's.
"""

from __future__ import annotations
