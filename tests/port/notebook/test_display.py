"""What stands for IPython's pictures and texts where a notebook runs without IPython."""

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
