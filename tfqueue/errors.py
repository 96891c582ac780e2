"""Everything tfqueue raises or warns of that TensorFlow has no class for.

A failure that TensorFlow has a class for is raised as that class
(`tf.errors.NotFoundError`, `DataLossError`, ...), so that old handlers match;
its story (queue, runner, file, record, fix) is added as a note (PEP 678).

    Exception
      TFQueueError
        StarvationError       (RuntimeError)    a step waits for elements that nobody can ever bring
        NoRecordsError        (RuntimeError)    a whole epoch of files held no record
        ThreadsStillRunning   (RuntimeError)    a thread did not end when its session did
        ForkedSessionError    (RuntimeError)    a session in a child made by fork, after one before it
        MissingExtraError     (ImportError)     an optional package is not installed
        CannotLiftError       (ValueError)      an old pipeline has something that tf.data has not
        GraphModeError        (RuntimeError)    a dataset is asked for in TensorFlow 1's graph mode

    UserWarning
      TFQueueWarning
        SplitExampleWarning      parts of one example fetched by two runs
        UnpairedShuffleWarning   two shuffled producers feed one batch
        TwoDequeuesWarning       one run takes twice from one queue
        EagerCondWarning         a `tf.cond` consumes the queues of both branches
        GrowingGraphWarning      the training loop keeps adding ops
        DroppedElementsWarning   the last, partial batch was dropped
        TruncatedFileWarning     a file is cut where TensorFlow sees the end of the data
        OldSessionWarning        runners of an older session are still alive
        WaitingWarning           a step waits for something that may never come
        UnseenFailureWarning     a runner failed and no step came to tell
        AcceleratorWarning       a vectorised pipeline gave another result, and is not used
"""

__all__ = [
    "AcceleratorWarning",
    "CannotLiftError",
    "DroppedElementsWarning",
    "EagerCondWarning",
    "ForkedSessionError",
    "GraphModeError",
    "GrowingGraphWarning",
    "MissingExtraError",
    "NoRecordsError",
    "OldSessionWarning",
    "SplitExampleWarning",
    "StarvationError",
    "TFQueueError",
    "TFQueueWarning",
    "ThreadsStillRunning",
    "TruncatedFileWarning",
    "TwoDequeuesWarning",
    "UnpairedShuffleWarning",
    "UnseenFailureWarning",
    "WaitingWarning",
]


class TFQueueError(Exception):
    """Base of all errors of tfqueue's own."""


class StarvationError(TFQueueError, RuntimeError):
    """A step waits for elements that no live producer can bring, or for room that nobody can make."""

    runner_missing = False
    """Whether the queue has registered runners, and none of them was started."""
    tfqueue_told = False
    """Whether the message is complete, so that no story is added to it."""
    tfqueue_queues: tuple[str, ...] = ()
    """The names of the queues that are waited for."""


class NoRecordsError(TFQueueError, RuntimeError):
    """A whole epoch of files was read and held no record."""


class ThreadsStillRunning(TFQueueError, RuntimeError):
    """A thread that a session started did not end with it."""


class ForkedSessionError(TFQueueError, RuntimeError):
    """A session in the child of a `fork` that came after one was made: it could only hang."""


class MissingExtraError(TFQueueError, ImportError):
    """An optional package is not installed; the message says which `pip install` brings it."""


class CannotLiftError(TFQueueError, ValueError):
    """An old pipeline has something that no tf.data op does; the message names it and what to do."""


class GraphModeError(TFQueueError, RuntimeError):
    """A dataset is asked for while the process is in TensorFlow 1's graph mode."""


class TFQueueWarning(UserWarning):
    """Base of all warnings of tfqueue's own."""


class SplitExampleWarning(TFQueueWarning):
    """Two runs fetched parts of what the program may take for one example."""


class UnpairedShuffleWarning(TFQueueWarning):
    """Two producers that shuffle independently feed one batch."""


class TwoDequeuesWarning(TFQueueWarning):
    """One run executed two dequeue ops of one queue, in arbitrary order."""


class EagerCondWarning(TFQueueWarning):
    """Both branches of a `tf.cond` take from queues outside it: both are consumed each time."""


class GrowingGraphWarning(TFQueueWarning):
    """Ops are created inside the training loop, so that it grows slower with every step."""


class DroppedElementsWarning(TFQueueWarning):
    """Elements left at the end did not fill a batch and were dropped."""


class TruncatedFileWarning(TFQueueWarning):
    """A file is cut where TensorFlow sees its end: inside a record's header, or inside its compression."""


class OldSessionWarning(TFQueueWarning):
    """Runners of an older session on the same graph are still alive."""


class WaitingWarning(TFQueueWarning):
    """A step has been waiting for a queue that something unknown may yet fill."""


class UnseenFailureWarning(TFQueueWarning):
    """A queue runner failed, and the program ended before any step met the failure."""


class AcceleratorWarning(TFQueueWarning):
    """The vectorised form of a pipeline gave another result than the pipeline, and is not used."""
