"""Old inputs whose written programs are kept: `python -m tests.dataset.written_programs` writes them anew.

They stand in `written/`. Whoever changes how programs are written sees here what became of them.
"""

import pathlib
import sys
from collections.abc import Callable

import numpy as np

import tfqueue
import tfqueue.v1 as tf

FOLDER = pathlib.Path(__file__).parent / "written"
Inputs = Callable[[], object]


def numbers(count=8, **words):
    """A number after the other."""
    return tf.train.range_input_producer(count, shuffle=False, **words).dequeue()


def images():
    """Images of one size, as most programs read them."""
    names = tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False)
    _, value = tf.TFRecordReader().read(names)
    features = {
        "image": tf.FixedLenFeature([], tf.string),
        "label": tf.FixedLenFeature([], tf.int64, default_value=7),
        "tags": tf.VarLenFeature(tf.string),
        "sizes": tf.FixedLenSequenceFeature([2], tf.float32, allow_missing=True),
    }
    example = tf.parse_single_example(value, features)
    image = tf.reshape(tf.decode_raw(example["image"], tf.uint8), [28, 28, 1])
    image = tf.cast(image, tf.float32) * (1.0 / 255) - 0.5
    return tf.train.shuffle_batch(
        {"image": image, "label": tf.cast(example["label"], tf.int32)}, 32, 2000, 1000
    )


def lines():
    """Lines of text files, read in turn, taken apart, padded."""
    names = tf.train.string_input_producer(["a.csv", "b.csv", "c.csv"], seed=3, shuffle=True)
    _, line = tf.TextLineReader(skip_header_lines=1).read(names)
    number, text = tf.decode_csv(line, [[0], ["none"]], field_delim=";")
    words = tf.string_split([text]).values
    return tf.train.batch([number, words], 4, dynamic_pad=True, allow_smaller_final_batch=True)


def whole_files():
    """Files as they are."""
    names = tf.train.string_input_producer(["a.jpg", "b.jpg"], num_epochs=1)
    name, value = tf.WholeFileReader().read(names)
    image = tf.image.decode_jpeg(value, channels=3)
    image = tf.image.resize_images(image, [64, 64])
    image = tf.image.random_flip_left_right(tf.random_crop(image, [48, 48, 3], seed=5), seed=6)
    image = tf.image.per_image_standardization(image)
    return tf.train.batch([name, image], 2)


def records_of_one_length():
    """CIFAR's."""
    names = tf.train.string_input_producer([f"data_{n}.bin" for n in range(3)], shuffle=False)
    _, value = tf.FixedLengthRecordReader(record_bytes=13, header_bytes=2).read(names)
    raw = tf.decode_raw(value, tf.uint8)
    label = tf.cast(tf.strided_slice(raw, [0], [1]), tf.int32)
    image = tf.transpose(tf.reshape(tf.strided_slice(raw, [1], [13]), [3, 2, 2]), [1, 2, 0])
    image = tf.cast(image, tf.float32)
    image.set_shape([2, 2, 3])
    label.set_shape([1])
    return tf.train.batch([image, label], 3)


def slices():
    """Arrays, small and large, in a new order each epoch."""
    small, large = np.arange(12, dtype=np.float32).reshape(6, 2), np.arange(3000).reshape(6, 500)
    one, two = tf.train.slice_input_producer([small, large], num_epochs=3, seed=4)
    return tf.train.batch([one / 2.0, two], 2)


def in_order():
    """Numbers of another dtype, texts, batches of batches, and rows that are told."""
    text, number = tf.train.slice_input_producer(
        [["a", "b", "c"], tf.constant([1, 2, 3], tf.uint8)], shuffle=False, num_epochs=1
    )
    rows = tf.train.batch([text, number], 2, enqueue_many=False)
    return tf.train.batch(rows, 3, enqueue_many=True, allow_smaller_final_batch=True)


def joined():
    """Several readers, each with its own preprocessing, joined."""
    names = tf.train.string_input_producer(["a", "b"], num_epochs=1)
    values = [[tf.TextLineReader().read(names)[1]] for _ in range(3)]
    return tf.train.shuffle_batch_join(values, 4, 50, 10, seed=8)


def buckets():
    """Sequences by their lengths."""
    number = numbers(20, num_epochs=1)
    row = tf.fill([number % 7 + 1], number)
    length, (padded, same) = tf.contrib.training.bucket_by_sequence_length(
        number % 7 + 1, [row, number], 2, [3, 6], dynamic_pad=True, allow_smaller_final_batch=True
    )
    return length, padded, same


def structures():
    """A dict in a tuple in a list, sparse tensors, constants and what is the same in all."""
    number = numbers(num_epochs=1)
    sparse = tf.SparseTensor([[0, 1]], [tf.cast(number, tf.float32)], [1, 3])
    pair = tf.train.batch({"b": number, "a": sparse}, 2)
    return {"x": (pair["b"], [pair["a"]]), "constant": tf.constant(3.5), "text": tf.constant("a")}


def seeds():
    """Draws with seeds, in the queues' order."""
    number = numbers(num_epochs=1)
    values = [tf.random_uniform([2], seed=3), tf.random_normal([], 1.0, 2.0, seed=4)]
    values.append(tf.random_shuffle(tf.range(4), seed=5))
    return tf.train.batch([number, *values], 4)


def chance():
    """Draws without a seed."""
    number = numbers(num_epochs=1)
    values = [tf.random_uniform([2], -1, 1), tf.random_normal([3]), tf.truncated_normal([2])]
    return tf.train.batch([number, *values, tf.multinomial([[1.0, 2.0]], 3)], 4)


def filters():
    """Only some are kept."""
    number = numbers(num_epochs=1)
    return tf.train.maybe_batch([number], tf.equal(number % 2, 0), 2)


def conditions():
    """What stands in a branch, and a loop."""
    number = numbers(num_epochs=1)
    half = tf.cond(number > 3, lambda: number * 2, lambda: tf.constant(-1))
    count = tf.while_loop(lambda i: i < number, lambda i: i + 2, [tf.constant(0)])
    return tf.train.batch([number, half, count], 2)


def assertions():
    """What is asserted of each."""
    number = numbers(num_epochs=1)
    with tf.control_dependencies([tf.Assert(number < 100, [number]), tf.assert_less(number, 99)]):
        number = tf.identity(number)
    return tf.train.batch([number], 2)


def tables():
    """A table of words."""
    number = numbers(num_epochs=1)
    keys = tf.contrib.lookup.index_table_from_tensor(["0", "2", "4"], default_value=-7)
    return tf.train.batch([keys.lookup(tf.as_string(number)), number], 2)


def alone():
    """A step that takes single elements."""
    return numbers(num_epochs=2) + 1


def operators():
    """Each operator of Python's, beside numbers and in brackets."""
    x = numbers(num_epochs=1)
    y = tf.cast(x, tf.float32)
    whole = [
        x + 3,
        x - 3,
        3 - x,
        x * (x + 1),
        (x - 1) * 2,
        x // 3,
        x % 3,
        -x,
        -(x - 1),
        x - (x - 1),
    ]
    floats = [y / 2.0, y / (y + 1.0), (y + 1.0) * 0.5, y // 2.0, y % 2.0, y - (y - y), y * -1.0]
    tests = [x > 3, x >= 3, x < 3, x <= 3, tf.equal(x, 3), tf.not_equal(x, 3), tf.div(x, 2)]
    return tf.train.batch([*whole, *floats, *tests], 2)


def calls():
    """Functions with each of their options."""
    x = numbers(num_epochs=1)
    m = tf.cast(tf.reshape(tf.range(6) + x, [2, 3]), tf.float32)
    found = []
    for reduce in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod):
        found += [reduce(m, 1), reduce(m, [0], keep_dims=True), reduce(m)]
    for reduce in (tf.reduce_all, tf.reduce_any):
        found += [reduce(m > 2, 0), reduce(m > 2, 0, keep_dims=True)]
    found += [tf.argmax(m, 1), tf.argmax(m, 0, output_type=tf.int32), tf.one_hot(x, 3)]
    found += [tf.one_hot([x, 1], 3, 2, -1, axis=0), tf.stack([x, x + 1]), tf.stack([m, m], axis=1)]
    found += [tf.concat([m, m], 1), tf.concat([[x], [7]], 0), tf.expand_dims(m, 1), tf.size(m)]
    found += [tf.squeeze(tf.reshape(m, [1, 6, 1])), tf.squeeze(tf.reshape(m, [1, 6, 1]), [2])]
    found += [tf.shape(m), tf.shape(m, out_type=tf.int64), tf.rank(m), tf.fill([2], x)]
    found += [tf.tile(m, [1, 2]), tf.slice(m, [0, 1], [2, 1]), tf.pad(m, [[0, 1], [1, 0]])]
    found += [tf.pad(m, [[0, 1], [1, 0]], constant_values=9.0), tf.gather(m, [0, 0]), m[:, 1:]]
    found += [tf.gather(m, 1, axis=1), tf.where(m > 2, m, -m), tf.zeros_like(m), tf.ones_like(m)]
    found += [tf.reverse(m, [1]), tf.matmul(m, m, transpose_a=True), tf.matmul(m, m, False, True)]
    found += [tf.maximum(m, 2.0), tf.minimum(m, 2.0), tf.sqrt(m), tf.rsqrt(m + 1), tf.square(m)]
    found += [tf.exp(-m), tf.log(m + 1), tf.abs(-m), tf.round(m), tf.floor(m), tf.tanh(m)]
    found += [tf.sigmoid(m), tf.squared_difference(m, 1.0), tf.transpose(m), tf.cast(m, tf.int64)]
    found += [tf.bitcast(m, tf.int32), tf.logical_and(m > 1, m < 3), tf.logical_not(m > 1), m[0]]
    found += [tf.logical_or(m > 1, m < 3), tf.split(m, 3, 1)[1], tf.unstack(m)[1], tf.cumsum(m)]
    found += [tf.clip_by_value(m, 1.0, 2.0), tf.nn.top_k(m, 2)[1], tf.unique(tf.range(3) + x)[0]]
    text = tf.as_string(x)
    found += [text, tf.string_join([text, "a"], "-"), tf.string_to_number(text, tf.int32)]
    found += [
        tf.string_to_number(text),
        tf.string_to_hash_bucket_fast(text, 9),
        tf.substr(text, 0, 1),
    ]
    found += [tf.decode_raw(tf.string_join([text, "abc"]), tf.uint8), tf.string_strip(text)]
    found += [m[..., -1], m[None, ::-1, 1], tf.strided_slice(m, [0, 0], [2, 3], [1, 2]), text + "b"]
    found[-6] = tf.reshape(tf.decode_raw(tf.string_join([text, "ab"]), tf.uint16, False), [-1])[:1]
    return tf.train.batch(
        [tf.reshape(each, each.shape) for each in found if each.shape.is_fully_defined()], 2
    )


INPUTS: list[Inputs] = [
    *(images, lines, whole_files, records_of_one_length, slices, in_order, joined, buckets),
    *(structures, seeds, chance, filters, conditions, assertions, tables, alone, operators, calls),
]


def text(inputs: Inputs) -> str:
    """The written program, or why there is none."""
    with tfqueue.eager():
        try:
            return str(tfqueue.dataset.source(inputs))
        except tfqueue.errors.CannotLiftError as error:
            return f"{error}\n"


def main() -> None:
    """Writes the programs anew."""
    for inputs in INPUTS:
        (FOLDER / f"{inputs.__name__}.txt").write_text(text(inputs), "utf-8")
    sys.stdout.write(f"{len(INPUTS)} programs; whoever changed something looks at them now\n")


if __name__ == "__main__":
    main()
