"""Document 000, the byte string: an array to bytes and back, and the three ways to get it wrong.

A TFRecord knows bytes only, so every picture goes through this. What to look at: bytes carry
neither dtype nor shape, so both must be known to the reader; and an array made *of* a byte string
is no way back: it holds one string, and numpy drops the zeros at its end. The graph's `decode_raw`
does what `frombuffer` does. The picture shows a photograph read back right, with a wrong dtype, and
with a wrong width.
"""

import sys

import numpy as np
from _common import options, pyplot, save
from skimage import data

import tfqueue

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf


def main(argv=None):
    chosen = options(__doc__, argv)
    photo = data.camera()  # uint8 [512, 512]

    corner = photo[100:102, 200:203].astype(np.int64)
    string = corner.tobytes()
    print(repr(corner))
    print(f"{len(string)} bytes: {string!r}")

    wrapped = np.array(string)
    print(f"np.array(bytes): shape {wrapped.shape}, dtype {wrapped.dtype}, no way back: of the")
    print(f"{len(string)} bytes it kept {len(wrapped.item())}")
    print(repr(np.frombuffer(string, dtype=np.int64)))
    restored = np.frombuffer(string, dtype=np.int64).reshape(2, 3)
    print(f"reshaped, equal: {np.array_equal(corner, restored)}")

    flat = tf.decode_raw(tf.constant(string), tf.int64)
    with tfqueue.managed_session():
        print(f"tf.decode_raw in the graph: {flat.eval()}")

    everything = photo.tobytes()
    readings = {
        "uint8, 512 x 512: right": np.frombuffer(everything, np.uint8).reshape(512, 512),
        "int8, 512 x 512: wrong dtype": np.frombuffer(everything, np.int8).reshape(512, 512),
        "uint8, 500 wide: wrong shape": np.frombuffer(everything, np.uint8, 500 * 512).reshape(
            512, 500
        ),
    }
    plt = pyplot(chosen.show)
    figure, grid = plt.subplots(1, 3, figsize=(12, 4.3), layout="constrained")
    for axes, (title, picture) in zip(grid, readings.items(), strict=True):
        axes.imshow(picture, cmap="gray", aspect="auto")
        axes.set_title(title)
        axes.set_axis_off()
    save(figure, chosen.out / "000_byte_string.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
