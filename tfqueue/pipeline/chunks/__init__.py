"""The accelerator: the same pipeline, many examples a step.

A runner's enqueue op puts one example into its queue in each step, and each
step costs more Python than most examples cost TensorFlow. Three ways to run it:

* *vector*: a chunk of records is read in one step and computed and put in
  another, with the per-example ops as the body of TensorFlow's `pfor`.
* *loop*: a while-loop in the graph runs the enqueue op's own ops n times. It
  does exactly what n steps did, so it serves where sizes differ; it saves the
  Python, a third to a half of a small example.
* *examples*: the op itself, as ever.

`region` finds what an op computes from and says which ways are open to it,
`build` makes the steps, `internals` puts them into the user's graph, `sources`
reads chunks and loses none of their records, `converters` and `lift` teach
`pfor` what it lacks. When to use which is decided in `session.accelerator`.

What was tried and did not pay, or is not done:

* Keeping the raw records of a chunk in the graph (a `Stage`, variables) rather
  than feeding back what was fetched: 0.5 of some 8 microseconds an example, for
  a step that no longer tells reading from computing, and one graft a thread.
* Chunks where the source is a `WholeFileReader` or a compressed file: it is the
  decoding that costs there. Looping saved nothing that could be measured.
* More than 256 examples a chunk: no faster, and a stop waits longer.
"""

from tfqueue.pipeline.chunks.build import ONE, CannotBuild, Loop, Vector
from tfqueue.pipeline.chunks.region import Region, examine
from tfqueue.pipeline.chunks.report import REPORTS, describe, note

__all__ = [
    "ONE",
    "REPORTS",
    "CannotBuild",
    "Loop",
    "Region",
    "Vector",
    "describe",
    "examine",
    "note",
]
