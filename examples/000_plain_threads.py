"""Document 000, a Coordinator without queues: ten plain threads, the first to succeed stops all.

A small patch was cut out of a photograph. Ten threads look for the place it came from, each in its
own band of the picture, row by row, and each asks `should_stop()` before the next row. The thread
that finds it asks all others to stop. What to look at: one `request_stop()`, by whichever thread,
ends ten loops, and `join()` returns when the last one has. In the picture, how far each came.
"""

import sys
import threading

import numpy as np
from _common import options, pyplot, save
from skimage import data

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

THREADS = 10
SIZE = 48
CUT_AT = (86, 200)  # row and column of the patch, in the middle of the face


def look(coord, gray, patch, rows, searched, found):
    """Compares the patch with every place whose top row is one of `rows`.

    Args:
      coord: The `tf.Coordinator` of all threads.
      gray: uint8 array [height, width].
      patch: uint8 array [SIZE, SIZE].
      rows: The rows of this thread.
      searched: A list of bool, one per row, marked as the search goes on.
      found: A list to which the row and column of the patch are appended.
    """
    for row in rows:
        if coord.should_stop():
            return
        windows = np.lib.stride_tricks.sliding_window_view(gray[row : row + SIZE], (SIZE, SIZE))
        same = np.flatnonzero((windows[0] == patch).all(axis=(1, 2)))
        searched[row] = True
        if len(same):
            found.append((row, int(same[0])))
            coord.request_stop()


def main(argv=None):
    chosen = options(__doc__, argv)
    photo = data.astronaut()
    gray = photo[:, :, 1]
    top, left = CUT_AT
    patch = gray[top : top + SIZE, left : left + SIZE].copy()

    places = gray.shape[0] - SIZE + 1
    bands = np.array_split(np.arange(places), THREADS)
    searched = [False] * places
    found = []

    coord = tf.Coordinator()  # as the document calls it; it is tf.train.Coordinator
    threads = [
        threading.Thread(target=look, args=(coord, gray, patch, band.tolist(), searched, found))
        for band in bands
    ]
    for thread in threads:
        thread.start()
    coord.join(threads)

    print(f"{len(threads)} threads, alive after join: {sum(t.is_alive() for t in threads)}")
    print(f"cut out at {CUT_AT}, found at {found[0]}")
    print(f"the Coordinator says stop: {coord.should_stop()}")

    plt = pyplot(chosen.show)
    figure, axes = plt.subplots(figsize=(6, 6.4), layout="constrained")
    shade = np.where(np.array(searched)[:, None, None], 1.0, 0.35)
    axes.imshow((photo[:places] * shade).astype(np.uint8))
    axes.hlines([band[0] for band in bands[1:]], 0, gray.shape[1] - 1, colors="white", lw=0.7)
    row, column = found[0]
    axes.add_patch(plt.Rectangle((column, row), SIZE, SIZE, fill=False, ec="yellow", lw=3))
    axes.set_title("ten bands; bright: the rows that were searched before the stop")
    axes.set_axis_off()
    save(figure, chosen.out / "000_plain_threads.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
