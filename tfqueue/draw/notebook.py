"""In a notebook an error of the pipeline is short, and has its picture.

`import tfqueue.v1` in a notebook sees to it, or `%load_ext tfqueue`; `%unload_ext tfqueue` takes it
back. Shown are the lines that a script prints (`tfqueue.explain.uncaught_errors`) and the pipeline with the
broken place marked. The exception itself, which `except` and `%debug` see, stays what it was.
"""

from __future__ import annotations

import sys
from typing import Any

from tfqueue import draw
from tfqueue.draw import broken_place
from tfqueue.explain import uncaught_errors
from tfqueue.graph.model import Pipeline


def picture_of(error: BaseException) -> draw.Picture | None:
    """The picture of the pipeline that an error comes from; None where there is nothing to mark."""
    op = getattr(error, "op", None)
    graph = op.graph if op is not None else None
    pipeline = Pipeline(graph)
    place = broken_place.place(pipeline, error)
    if not pipeline.queues or not (place.queues or place.op is not None):
        return None
    return draw.Picture(draw.as_svg(pipeline, error=error))


def load(shell: Any) -> None:
    """Lets an IPython shell show the pipeline's errors so; `tfqueue.load_ipython_extension`."""
    shell.set_custom_exc((Exception,), _show)


def load_where_running() -> None:
    """The same for the shell that this process is, if it is one and has no handler of its own."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and not getattr(shell, "custom_exceptions", ()):
        load(shell)


def unload(shell: Any) -> None:
    """Takes it back."""
    shell.set_custom_exc((), None)


def _show(
    shell: Any,
    kind: type[BaseException],
    error: Exception,
    trace: Any,
    tb_offset: int | None = None,
) -> list[str] | None:
    if not uncaught_errors.is_ours(error):
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)
        return None
    lines = uncaught_errors.lines_of(error)
    # The method that IPython calls of an exception to show it.
    error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
    shell.showtraceback((kind, error, trace))
    drawn = picture_of(error)
    if drawn is not None:
        from IPython.display import display

        display(drawn)
    return lines
