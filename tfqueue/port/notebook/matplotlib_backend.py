"""A matplotlib backend for notebooks: `plt.show()` keeps the picture and goes on."""

from __future__ import annotations

from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas
from matplotlib.backends.backend_agg import new_figure_manager

from tfqueue.port.notebook.display import flush

__all__ = ["FigureCanvas", "new_figure_manager", "show"]


def show(*_args: object, **_options: object) -> None:
    """Takes the pictures of all open figures."""
    flush()
