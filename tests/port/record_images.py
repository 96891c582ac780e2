"""Records what the image functions of scipy.misc did, for `test_images.py`.

    python tests/port/record_images.py > tests/port/images.json

Runs under Python 3.7 with scipy 1.1.0, numpy 1.18.5 and Pillow 9.5.0.
"""

import json
import sys

import numpy as np

GRAY = (np.arange(20).reshape(4, 5) * 13 % 256).astype(np.uint8)
COLOUR = (np.arange(60).reshape(4, 5, 3) * 7 % 256).astype(np.uint8)
NAMES = {
    "np": np,
    "gray": GRAY,
    "colour": COLOUR,
    "floats": np.linspace(-1.0, 3.0, 20).reshape(4, 5),
    "first": np.moveaxis(COLOUR, 2, 0),
    "four": (np.arange(80).reshape(4, 5, 4) * 3 % 256).astype(np.uint8),
    "both": (np.arange(60).reshape(5, 3, 4) * 3 % 256).astype(np.uint8),
}
ROWS = [
    "bytescale(floats)",
    "bytescale(floats, cmin=0, cmax=2)",
    "bytescale(floats, high=100, low=50)",
    "bytescale(gray)",
    "bytescale(np.full((2, 2), 3.0))",
    "fromimage(toimage(gray))",
    "fromimage(toimage(floats))",
    "fromimage(toimage(colour))",
    "fromimage(toimage(first))",
    "fromimage(toimage(four))",
    "fromimage(toimage(both))",
    "fromimage(toimage(floats, cmin=0.0, cmax=1.0))",
    "fromimage(toimage(colour), flatten=True)",
    "fromimage(toimage(colour), mode='L')",
    "fromimage(toimage(gray, mode='L'))",
    "fromimage(toimage(floats, mode='F'))",
    "fromimage(toimage(gray.astype('int32') * 300, mode='I'))",
    "imresize(gray, (8, 6))",
    "imresize(gray, 50)",
    "imresize(gray, 0.5)",
    "imresize(colour, (2, 3))",
    "imresize(colour, (2, 3), 'nearest')",
    "imresize(colour, (8, 10), 'bicubic')",
    "imresize(colour, 200, 'cubic')",
    "imresize(floats, (2, 2))",
    "imresize(floats, (2, 2), mode='F')",
    "imresize(colour, 1.5, 'lanczos')",
    "imresize(gray, np.int64(150))",
    "imrotate(gray, 90)",
    "imrotate(colour, 180, 'nearest')",
    "imrotate(gray, 30, 'bicubic')",
]


def results(functions):
    """`[row, dtype, values]` of each row, by these functions."""
    for row in ROWS:
        value = eval(row, dict(NAMES, **functions))
        yield [row, value.dtype.name, value.tolist()]


if __name__ == "__main__":
    from scipy import misc

    lines = [json.dumps(each) for each in results(vars(misc))]
    sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")
