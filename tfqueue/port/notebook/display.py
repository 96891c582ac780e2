"""What a notebook shows: figures of matplotlib, and objects that can draw themselves.

Also a small stand-in for `IPython.display`, for notebooks on a machine without IPython.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import io
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from tfqueue.port.code.execution import modules

_FORMS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_latex_", "text/latex"),
)
_take: list[Callable[[str, str], None]] = []


def bundle(value: Any) -> dict[str, str]:
    """Returns an object in every form it has, by MIME type.

    >>> bundle(1)
    {'text/plain': '1'}
    """
    data = {"text/plain": repr(value)}
    for method, kind in _FORMS:
        draw = getattr(type(value), method, None)
        drawn = draw(value) if draw else None
        if drawn is not None:
            drawn = drawn[0] if isinstance(drawn, tuple) else drawn
            data[kind] = base64.b64encode(drawn).decode() if isinstance(drawn, bytes) else drawn
    return data


def flush() -> None:
    """Takes the picture of every open figure and closes it, as at the end of a cell."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not _take:
        return
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        data = io.BytesIO()
        figure.savefig(data, format="png", bbox_inches="tight")
        _take[-1](base64.b64encode(data.getvalue()).decode(), str(figure))
        pyplot.close(figure)


@contextlib.contextmanager
def pictures(
    take: Callable[[str, str], None], display: Callable[..., None], shell: Any = None
) -> Iterator[None]:
    """Sends figures to ``take(base64 PNG, text)`` instead of to a window, inside the block.

    Args:
        take: What keeps a figure.
        display: What stands for `IPython.display.display`.
        shell: What `IPython.get_ipython()` gives; None where nobody will import IPython.
    """
    kept = os.environ.get("MPLBACKEND")
    os.environ["MPLBACKEND"] = "module://tfqueue.port.notebook.matplotlib_backend"
    pyplot = sys.modules.get("matplotlib.pyplot")
    backend = pyplot.get_backend() if pyplot else None
    if pyplot:
        pyplot.switch_backend("module://tfqueue.port.notebook.matplotlib_backend")
    _take.append(take)
    try:
        with _ipython(display, shell) if shell is not None else contextlib.nullcontext():
            yield
    finally:
        _take.pop()
        if kept is None:
            del os.environ["MPLBACKEND"]
        else:
            os.environ["MPLBACKEND"] = kept
        if pyplot:
            pyplot.switch_backend(backend)


class _Shown:
    """An object of IPython.display: data or a file, of one kind."""

    kind = "text/plain"

    def __init__(self, data: Any = None, filename: str | None = None, **_: Any) -> None:
        if filename is None and isinstance(data, str) and os.path.isfile(data):
            filename = data
        if filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        self.data = data

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"


def _kind(name: str, method: str) -> type[_Shown]:
    def draw(self: _Shown) -> Any:
        text = isinstance(self.data, bytes) and method in ("_repr_html_", "_repr_svg_")
        return self.data.decode() if text else self.data

    return type(name, (_Shown,), {method: draw})


def _image(data: Any = None, filename: str | None = None, **options: Any) -> _Shown:
    shown = _Shown(data, filename, **options)
    jpeg = isinstance(shown.data, bytes) and shown.data[:2] == b"\xff\xd8"
    kind = _kind("Image", "_repr_jpeg_" if jpeg else "_repr_png_")
    return kind(shown.data)


@contextlib.contextmanager
def _ipython(display: Callable[..., None], shell: Any) -> Iterator[None]:
    """Takes the place of IPython's shell and display, with IPython installed or not."""
    if "IPython" not in sys.modules and importlib.util.find_spec("IPython") is None:
        with _stand_in(display, shell):
            yield
        return
    import IPython
    import IPython.display

    with (
        mock.patch.object(IPython, "get_ipython", return_value=shell),
        mock.patch.object(IPython.display, "display", display),
    ):
        yield


@contextlib.contextmanager
def _stand_in(display: Callable[..., None], shell: Any) -> Iterator[None]:
    """Lets a notebook import IPython.display where there is no IPython."""
    module = types.ModuleType("IPython.display")
    module.__dict__.update(
        display=display,
        Image=_image,
        HTML=_kind("HTML", "_repr_html_"),
        SVG=_kind("SVG", "_repr_svg_"),
        Markdown=_kind("Markdown", "_repr_markdown_"),
        Latex=_kind("Latex", "_repr_latex_"),
        clear_output=lambda *_, **__: None,
    )
    package = types.ModuleType("IPython")
    package.__path__ = []
    package.__dict__.update(display=module, version_info=(9, 0), get_ipython=lambda: shell)
    names = {
        "IPython": package,
        "IPython.display": module,
        "IPython.core": types.ModuleType("IPython.core"),
        "IPython.core.display": module,
    }
    names["IPython.core"].__dict__.update(display=module)
    with modules(names):
        yield
