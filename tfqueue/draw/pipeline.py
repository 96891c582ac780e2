"""The input pipeline of a graph as a program sees it: `tfqueue.pipeline(graph)`."""

from __future__ import annotations

import os
from typing import Any

from tfqueue import accelerate
from tfqueue import draw as drawing
from tfqueue.graph import model


class DrawnPipeline(model.Pipeline):
    """The input pipeline of one graph, which can be printed and drawn.

    Args:
        graph: A `tf.Graph`; the current default graph when None.
    """

    _kept_as = "_tfqueue_pipeline"

    def __str__(self) -> str:
        """Each queue, who fills it, and which way of running the accelerator found for it."""
        self._refresh()
        return accelerate.describe(self)

    def draw(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        opened: bool = False,
        scale: float = 2,
        step: Any = None,
        error: BaseException | None = None,
        notes: dict[str, str] | None = None,
        title: str | None = None,
    ) -> drawing.Picture | None:
        """Draws the pipeline into a file; without one, gives what a notebook shows.

        Args:
            path: `.svg`, `.png` (needs the extra `images`), `.html` or `.txt`.
            opened: Whether the ops that run for each example are listed.
            scale: For PNG, dots per pixel.
            step: A `tfqueue.graph.op_types.StepRequest`, where the program's step is known.
            error: What a step or a runner raised: the broken place is marked.
            notes: Dict of queue name to a line to put on the queue.
            title: What the picture shows.

        Returns:
            None, or without a path a `tfqueue.draw.Picture`.

        >>> import pathlib, tempfile, tfqueue, tfqueue.v1 as tf
        >>> with tf.Graph().as_default() as graph:
        ...     names = tf.train.string_input_producer(["a.tfrecord"])
        ...     key, value = tf.TFRecordReader().read(names)
        ...     _ = tf.train.batch([value], 4)
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "pipeline.svg"
        >>> tfqueue.pipeline(graph).draw(path)
        >>> path.read_text("utf-8")[:4]
        '<svg'
        """
        about: dict[str, Any] = {"step": step, "error": error, "notes": notes, "title": title}
        if path is None:
            return drawing.Picture(drawing.as_svg(self, opened=opened, **about))
        drawing.draw(self, path, opened=opened, scale=scale, **about)
        return None

    def _repr_svg_(self) -> str:
        """What a notebook shows that has no HTML."""
        return drawing.as_svg(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, and behind a click the one with every op."""
        return drawing.as_html(self)


def pipeline(graph: Any = None) -> DrawnPipeline:
    """The input pipeline of a graph: its queues, readers and runners.

    Args:
        graph: A `tf.Graph`; the default graph when None.

    Returns:
        A `DrawnPipeline`.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> with tf.Graph().as_default() as graph:
    ...     names = tf.train.string_input_producer(["a.tfrecord"], name="names")
    ...     key, value = tf.TFRecordReader().read(names)
    ...     _ = tf.train.batch([value], 4, name="batch")
    >>> list(tfqueue.pipeline(graph).queues)
    ['names', 'batch/fifo_queue']
    """
    return DrawnPipeline(graph)
