"""The accelerator: the same pipeline, many examples a step."""

import weakref

from tfqueue.pipeline.chunks.build import ONE, CannotBuild, Loop, Vector
from tfqueue.pipeline.chunks.region import Region, examine

__all__ = ["ONE", "REPORTS", "CannotBuild", "Loop", "Region", "Vector", "examine"]

REPORTS = weakref.WeakKeyDictionary()
"""Graph -> runner's name -> op's name -> `(way, text)`: how runners were last run, and why so."""
