"""`%load_ext tfqueue`: in a notebook an error of the pipeline is short, and has its picture.

TensorFlow puts the stack that built the op in front of, or behind, what it has to say; in a notebook
that is fifty lines of Jupyter's own. Shown instead: the useful line, what tfqueue knows, and
the pipeline with the broken place marked. The whole of it is still in the exception.
"""

from tfqueue import _tensorflow, draw, errors
from tfqueue.draw import broken
from tfqueue.explain import diagnosis
from tfqueue.graph.model import Pipeline


def lines_of(error):
    """An error in short: its class and useful line, and the notes on it.

    >>> error = RuntimeError("no")
    >>> _tensorflow.add_note(error, "tfqueue: say yes")
    >>> lines_of(error)
    ['RuntimeError: no', 'tfqueue: say yes']
    """
    notes = [line for note in getattr(error, "__notes__", ()) for line in note.splitlines()]
    return [f"{type(error).__name__}: {diagnosis.first_line(error)}", *notes]


def picture_of(error):
    """The picture of the pipeline that an error comes from; None where there is nothing to mark."""
    op = getattr(error, "op", None)
    graph = op.graph if op is not None else None
    pipeline = Pipeline(graph)
    place = broken.place(pipeline, error)
    if not pipeline.queues or not (place.queues or place.op is not None):
        return None
    return draw.Picture(draw.as_svg(pipeline, error=error))


def load(shell):
    """Lets an IPython shell show the pipeline's errors so; `tfqueue.load_ipython_extension`."""
    tf = _tensorflow.compat_v1()
    shell.set_custom_exc((tf.errors.OpError, errors.TFQueueError), _show)


def unload(shell):
    """Takes it back."""
    shell.set_custom_exc((), None)


def _show(shell, kind, error, trace, tb_offset=None):
    lines = lines_of(error)
    # What IPython asks an exception for that knows best how it is to be shown.
    error._render_traceback_ = lambda: lines
    shell.showtraceback((kind, error, trace))
    drawn = picture_of(error)
    if drawn is not None:
        from IPython.display import display

        display(drawn)
    return lines
