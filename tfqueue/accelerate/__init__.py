"""The accelerator: the same pipeline, many examples a step.

A runner's enqueue op puts one example into its queue in each step, and each
step costs more Python than most examples cost TensorFlow. There are three strategies:

* `CHUNK`: many records are read, computed with the per-example ops as the body of TensorFlow's
  `pfor`, and put into the queue, in three steps.
* `LOOP`: what cannot be vectorised, such as photographs to be decoded, is computed some examples a step,
  by a loop of TensorFlow's: side by side on all cores where that is worth it, and put in its order.
* `SINGLE`: the op itself, one example a step.

`region` finds what an op computes from and says which strategies keep its meaning, `build`
makes the steps, `chunks` and `looped` are the movers, `replay` sees to it that none loses
a record, and `tuner` chooses. A runner's thread calls a `Mover` (`mover`), whichever it is. How many threads
read and compute ahead of it is said in `helper_threads`.

How many examples a step takes is decided in `chunk_size`. An op that `pfor` does not
convert, or not as it should, gets its converter in `tfqueue.graph.converters`.

What is not done, and why:

* A `WholeFileReader` or a compressed file is not read in chunks: the one gives a
  record a file, and the end of the other's records cannot be known without reading it.
* Parsing behind the shuffle, and whole batches made ahead: the queue would hold
  other elements than the program put there, `size()` would not be true, and what
  stands in front of a bad record would not all be delivered before its error.
* Chunks of examples of more than 64 KB: never faster, whichever was tried.
"""

from __future__ import annotations

from tfqueue.accelerate.mover import Mover, RunnerTask, StepMover, Strategy
from tfqueue.accelerate.tuner import (
    describe,
    movers_for,
    note,
    reports_of,
    setting_of,
    strategy_of,
)

__all__ = [
    "Mover",
    "RunnerTask",
    "StepMover",
    "Strategy",
    "describe",
    "movers_for",
    "note",
    "reports_of",
    "setting_of",
    "strategy_of",
]
