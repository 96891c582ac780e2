"""Document 000, a reader of one's own, in the two ways that there are.

What `tf.ReaderBase` offers, and what it does not: it holds the handle of a reader op and gives it
Python methods (`read`, `read_up_to`, `num_records_produced`, `num_work_units_completed`, `reset`).
The op behind the handle is C++: no Python method of a subclass is called for each record.

1. `GifReader`, a `ReaderBase` subclass over a built-in reader op. Its `read` is ops on top of the
   built-in `read`, so it runs in the graph at full speed; counting and resetting are inherited.
2. `ArchiveReader`, for a format that only Python knows (numpy's `.npz`): one file holds many
   records. A Python function opens a file, a QueueRunner feeds what it finds into a queue, and `read`
   takes one record from there. Not a `ReaderBase`, but used like one, and the end of the data
   passes through it. Python opens the files, hence one thread; nothing here can be saved with the
   graph.
"""

import io
import os
import sys

import numpy as np
from _common import options, pyplot, rgb, save
from PIL import Image
from skimage import data

import tfqueue

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf


class GifReader(tf.ReaderBase):
    """Reads animations: a record is one GIF file, its value all frames, decoded."""

    def __init__(self, name=None):
        super().__init__(tf.raw_ops.WholeFileReaderV2(name=name or "gif_reader"))

    def read(self, queue, name=None):
        """Returns the file name (string) and the frames, uint8 [frames, height, width, 3]."""
        key, content = super().read(queue, name=name)
        return key, tf.image.decode_gif(content)


class ArchiveReader:
    """Reads `.npz` files: a record is one array of an archive, its key `file:name`."""

    def __init__(self, dtype, capacity=32):
        self._dtype = tf.as_dtype(dtype)
        self._capacity = capacity

    def _open(self, filename):
        """Returns the keys, raw bytes and shapes of all arrays in one file."""
        with np.load(filename.decode()) as archive:
            arrays = {name: np.ascontiguousarray(archive[name]) for name in archive.files}
        keys = [filename + b":" + name.encode() for name in arrays]
        strings = [array.tobytes() for array in arrays.values()]
        shapes = [np.array(array.shape, np.int32).tobytes() for array in arrays.values()]
        return np.array([keys, strings, shapes], object).reshape(3, len(keys))

    def read(self, queue):
        """Takes file names from `queue`. Returns the next key (string) and its array (any shape)."""
        records = tf.FIFOQueue(self._capacity, [tf.string] * 3, shapes=[[]] * 3, name="archive")
        opened = tf.py_func(self._open, [queue.dequeue()], tf.string)
        opened.set_shape([3, None])
        runner = tf.train.QueueRunner(records, [records.enqueue_many(tf.unstack(opened))])
        tf.train.add_queue_runner(runner)
        key, string, shape = records.dequeue()
        return key, tf.reshape(tf.decode_raw(string, self._dtype), tf.decode_raw(shape, tf.int32))


def once(paths):
    """A queue of file names: each once, in the order given."""
    return tf.train.string_input_producer(
        [str(path) for path in paths], num_epochs=1, shuffle=False
    )


def pan(photo, frames, side):
    """A camera move: `frames` squares out of a photograph, from its left edge to its right."""
    lefts = np.linspace(0, photo.shape[1] - side, frames).astype(int)
    top = (photo.shape[0] - side) // 2
    return [photo[top : top + side, left : left + side] for left in lefts]


def read_gifs(out):
    paths = []
    for name, photo, frames in (("cat", data.chelsea(), 6), ("coffee", data.coffee(), 4)):
        paths.append(out / f"000_{name}.gif")
        first, *others = (Image.fromarray(frame) for frame in pan(photo, frames, 200))
        stream = io.BytesIO()
        first.save(stream, "GIF", save_all=True, append_images=others, duration=200, loop=0)
        paths[-1].write_bytes(stream.getvalue())

    films = []
    with tf.Graph().as_default():
        reader = GifReader()
        key, frames = reader.read(once(paths))
        count = reader.num_records_produced()
        with tfqueue.managed_session() as sess:
            for name, film in sess.batches([key, frames]):
                print(f"GifReader: {os.path.basename(name.decode())}, {film.shape}")
                films.append(film)
            print(f"GifReader: {count.eval()} records produced")
    return films


def read_archives(out):
    paths = [out / "000_crops_1.npz", out / "000_crops_2.npz", out / "000_crops_empty.npz"]
    astronaut, rocket = data.astronaut(), data.rocket()
    written = [
        {"face": astronaut[20:220, 130:310], "shuttle": astronaut[0:300, 350:512]},
        {"engine": rocket[300:427, 200:460], "coins": rgb(data.coins()[:150])},
        {},
    ]
    for path, crops in zip(paths, written, strict=True):
        np.savez(path, **crops)

    read = {}
    with tf.Graph().as_default():
        key, array = ArchiveReader(tf.uint8).read(once(paths))
        with tfqueue.managed_session() as sess:
            for name, crop in sess.batches([key, array]):
                print(f"ArchiveReader: {os.path.basename(name.decode())}, {crop.shape}")
                read[name.decode().rpartition(":")[2]] = crop
    crops = {name: crop for some in written for name, crop in some.items()}
    same = list(read) == list(crops) and all(np.array_equal(read[n], crops[n]) for n in crops)
    print(f"ArchiveReader: every array as it was written, in order: {same}")
    return read


def main(argv=None):
    chosen = options(__doc__, argv)
    films = read_gifs(chosen.out)
    crops = read_archives(chosen.out)

    plt = pyplot(chosen.show)
    figure, grid = plt.subplots(3, 1, figsize=(11, 7.5), layout="constrained")
    for axes, film in zip(grid, films, strict=False):
        axes.imshow(np.hstack(film))
        axes.set_title(f"GifReader: one record, {len(film)} frames")
    tallest = max(crop.shape[0] for crop in crops.values())
    row = [
        np.pad(c, ((0, tallest - len(c)), (0, 20), (0, 0)), constant_values=255)
        for c in crops.values()
    ]
    grid[2].imshow(np.hstack(row))
    grid[2].set_title("ArchiveReader: " + ", ".join(crops))
    for axes in grid:
        axes.set_axis_off()
    save(figure, chosen.out / "000_own_reader.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
