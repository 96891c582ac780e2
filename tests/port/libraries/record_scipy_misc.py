"""Records what the image functions of scipy.misc did, for `test_scipy_misc.py`.

    python tests/port/libraries/record_scipy_misc.py > tests/port/libraries/scipy_misc.json

Runs under Python 3.7 with scipy 1.2.3, numpy 1.16.6 and Pillow 5.4.1.
"""

import json
import sys

import numpy as np
from PIL import Image

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
    "pal": np.arange(768).reshape(256, 3)[::-1] % 256,
    "picture": Image.fromarray(GRAY),
    "palette": Image.fromarray(GRAY).convert("P"),
    "seen": Image.fromarray(GRAY).convert("P"),
    "bits": Image.fromarray(GRAY).convert("1"),
}
NAMES["seen"].info["transparency"] = 3
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
    "bytescale(floats, 0, 2, 100, 50)",
    "bytescale(floats, high=256)",
    "bytescale(floats, low=-1)",
    "bytescale(floats, low=51, high=50)",
    "bytescale(floats, low=50, high=50)",
    "bytescale(floats, cmin=2, cmax=1)",
    "fromimage(palette)",
    "fromimage(bits)",
    "fromimage(seen)",
    "fromimage(palette, True)",
    "fromimage(palette, mode='L')",
    "fromimage(palette, mode='P')",
    "fromimage(toimage(gray, pal=pal))",
    "fromimage(toimage(gray, mode='P'))",
    "fromimage(toimage(gray, mode='P', pal=pal))",
    "np.array([toimage(gray, mode=mode).mode for mode in ('L', 'P', '1', 'F', 'I')])",
    "fromimage(toimage(gray, mode='1'))",
    "fromimage(toimage(floats, mode='I'))",
    "fromimage(toimage(floats, 1000, 10, 0.5, 2.5, mode='I'))",
    "fromimage(toimage(floats, 200, 10, -1, 2))",
    "fromimage(toimage(colour, mode='YCbCr'))",
    "np.array([toimage(colour, mode='YCbCr').mode, toimage(four, mode='CMYK').mode])",
    "fromimage(toimage(four, mode='CMYK'))",
    "fromimage(toimage(four, mode='RGB'))",
    "fromimage(toimage(colour, mode='RGBA'))",
    "fromimage(toimage(colour, mode='F'))",
    "fromimage(toimage(gray, mode='RGB'))",
    "fromimage(toimage(first, channel_axis=0))",
    "fromimage(toimage(both, channel_axis=2))",
    "fromimage(toimage(both, channel_axis=0))",
    "fromimage(toimage(colour.astype(float)))",
    "toimage(np.zeros((2, 2, 2)))",
    "toimage(gray * 1j)",
    "imresize(gray, 50, 'cubic')",
    "imresize(gray, 50, 'antialias')",
    "imresize(gray, (3, 3), 'lanczos', 'F')",
    "imresize(gray, np.float32(0.5))",
    "imrotate(colour, 45)",
    "imrotate(gray, 45, 'cubic')",
    "imrotate(gray, 45, 'nonsense')",
    "imrotate(floats, -90)",
]


def results(functions):
    """`[row, dtype, values]` of each row, by these functions; `[row, error, None]` where one is raised."""
    for row in ROWS:
        try:
            value = eval(row, dict(NAMES, **functions))
        except (ValueError, KeyError) as error:
            yield [row, type(error).__name__, None]
        else:
            yield [row, value.dtype.name, value.tolist()]


if __name__ == "__main__":
    from scipy import misc

    lines = [json.dumps(each) for each in results(vars(misc))]
    sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")
