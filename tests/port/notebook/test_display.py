"""What stands for IPython's pictures and texts where a notebook runs without IPython."""

import sys

import pytest

from tfqueue.port.notebook import display

PNG, JPEG = b"\x89PNG\r\n", b"\xff\xd8\xff\xe0"


@pytest.mark.parametrize(
    ("shown", "method", "gives"),
    [
        (lambda: display._image(JPEG), "_repr_jpeg_", JPEG),
        (lambda: display._image(PNG), "_repr_png_", PNG),
        (lambda: display._kind("HTML", "_repr_html_")(b"<p>"), "_repr_html_", "<p>"),
        (lambda: display._kind("HTML", "_repr_html_")("<p>"), "_repr_html_", "<p>"),
        (lambda: display._kind("SVG", "_repr_svg_")(b"<svg/>"), "_repr_svg_", "<svg/>"),
        (lambda: display._kind("Latex", "_repr_latex_")("$x$"), "_repr_latex_", "$x$"),
    ],
)
def test_each_kind_has_its_method_alone(shown, method, gives):
    found = shown()
    methods = [name for name in dir(found) if name.startswith("_repr_") and name.endswith("_")]
    assert methods == [method]
    assert getattr(found, method)() == gives


def test_what_stands_for_ipython_is_found_by_each_of_its_names():
    shown, shell = [], object()
    with display._stand_in(shown.append, shell):
        import IPython
        from IPython import display as one
        from IPython.core import display as two
        from IPython.core.display import HTML
        from IPython.display import Markdown

        assert one is two is sys.modules["IPython.display"]
        assert IPython.get_ipython() is shell
        assert IPython.version_info >= (9, 0)
        one.display(3)
        assert one.clear_output(wait=True) is None
        kinds = [HTML, one.SVG, Markdown, one.Latex]
        methods = ["_repr_html_", "_repr_svg_", "_repr_markdown_", "_repr_latex_"]
        assert [getattr(kind("x"), name)() for kind, name in zip(kinds, methods, strict=True)] == [
            "x"
        ] * 4
    assert shown == [3]
    assert (
        "IPython.core.display" not in sys.modules or sys.modules["IPython.core.display"] is not one
    )
