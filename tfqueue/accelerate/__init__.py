"""The accelerator: the same pipeline, many examples a step.

A runner's enqueue op puts one example into its queue in each step, and each
step costs more Python than most examples cost TensorFlow. Four ways to run it:

* *vector*: a chunk of records is read in one step and computed and put in
  another, with the per-example ops as the body of TensorFlow's `pfor`.
* *fed*: a chunk of records is read in one step, and the enqueue op's own step is
  fed with one after the other. It does what the step did, in the same order, but
  for the hand-over to the reader's thread and back: at best a tenth of a small
  example, and four fifths of it where the system keeps the two on different cores.
* *loop*: a while-loop in the graph runs the enqueue op's own ops n times. It
  does exactly what n steps did, so it serves where the source cannot be read in
  chunks; it saves the Python, a third to a half of a small example. Where both can
  be, *fed* was 1.2 to 1.6 times as fast.
* *examples*: the op itself, as ever.

`region` finds what an op computes from and says which ways are open to it,
`vector` and `build` make the steps, `internals` puts them into the user's graph, `sources`
reads chunks and loses none of their records, `converters` and `lift` teach
`pfor` what it lacks. When to use which is decided in `session.accelerator`.

What is not done, and why:

* A `WholeFileReader` or a compressed file is not read in chunks: the one gives a
  record a file, of the other it is not to be seen from outside where it ends.
* Parsing behind the shuffle, and whole batches made ahead: the queue would hold
  other elements than the program put there, `size()` would not be true, and what
  stands in front of a bad record would not all be delivered before its error.
* A second thread for a loop in the graph: with one thread the program has an
  order, and all in front of a bad record, which two loops would not keep.
* Chunks of examples of more than 64 KB: never faster, whichever was tried.
"""

from tfqueue.accelerate.build import ONE, CannotBuild, Loop
from tfqueue.accelerate.choice import movers_for, setting_of
from tfqueue.accelerate.mover import Mover, RunnerTask, StepMover, elements_per_call
from tfqueue.accelerate.region import Region, examine
from tfqueue.accelerate.report import REPORTS, WAYS, describe, note
from tfqueue.accelerate.vector import Reading, Vector

__all__ = [
    "ONE",
    "REPORTS",
    "WAYS",
    "CannotBuild",
    "Loop",
    "Mover",
    "Reading",
    "Region",
    "RunnerTask",
    "StepMover",
    "Vector",
    "describe",
    "elements_per_call",
    "examine",
    "movers_for",
    "note",
    "setting_of",
]
