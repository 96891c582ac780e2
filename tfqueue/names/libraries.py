"""In which order functions of the day's libraries took their arguments, and numpy's names.

`libraries.txt` beside this module has a line for each function whose arguments have to be named today: its
name, the arguments that still may be given by position, a bar, and the others in the order that they had.
It was read from scikit-learn 0.19.2, scikit-image 0.14.5, seaborn 0.9.0 and matplotlib 3.1.3 beside today's
(`tests/port/libraries/record_arguments.py`); the lines of imbalanced-learn, written by hand, have what 0.3.3
and 0.4.3 agree in. `NUMPY` are names of numpy.
"""

from __future__ import annotations

import functools
import pathlib

NUMPY = dict(
    pair.split(":")
    for pair in (
        "Inf:inf Infinity:inf NAN:nan NaN:nan PINF:inf infty:inf alltrue:all bool8:bool_ cfloat:complex128 "
        "clongfloat:clongdouble complex_:complex128 cumproduct:cumprod float_:float64 int0:intp "
        "longcomplex:clongdouble longfloat:longdouble mat:asmatrix object0:object_ product:prod rank:ndim "
        "round_:round row_stack:vstack singlecomplex:complex64 sometrue:any string_:bytes_ uint0:uintp "
        "unicode_:str_ void0:void"
    ).split()
)
"""Names that numpy had twice and has once today: the one that is gone -> the one that stayed."""


@functools.cache
def orders() -> dict[str, str]:
    """The lines of the file.

    >>> orders()["sklearn.metrics.roc_curve"]
    'y_true y_score | pos_label sample_weight drop_intermediate'
    """
    text = pathlib.Path(__file__).with_name("libraries.txt").read_text("utf-8")
    return {dotted: order for dotted, _, order in (li.partition(" ") for li in text.splitlines())}
