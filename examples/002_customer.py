"""Document 002, the customer: one record with numbers, strings and lists of any length.

A customer of a print shop: age, the photographs ordered (some strings), a mark for each (some
floats), a suggestion, whether it was bought, and the price. Lists of no fixed length are read as
`VarLenFeature`. What to look at: such a feature comes back as a SparseTensorValue, its values with
the place of each; strings come back as bytes; and 9.99 was a 32-bit float on the way. In a batch of
customers the sparse features line up, row by row, whatever their lengths.
"""

import sys

import numpy as np
from _common import options, pyplot, save
from skimage import data

import tfqueue

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

CUSTOMERS = [
    {
        "Age": 34,
        "Photo": ["astronaut", "coffee"],
        "Photo Marks": [9.5, 8.7],
        "Suggestion": "rocket",
        "Suggestion Purchased": 1.0,
        "Purchase Price": 9.99,
    },
    {
        "Age": 61,
        "Photo": ["chelsea", "rocket", "coins"],
        "Photo Marks": [10.0, 6.25, 7.5],
        "Suggestion": "moon",
        "Suggestion Purchased": 0.0,
        "Purchase Price": 24.5,
    },
    {
        "Age": 19,
        "Photo": [],
        "Photo Marks": [],
        "Suggestion": "camera",
        "Suggestion Purchased": 1.0,
        "Purchase Price": 4.0,
    },
]

FEATURES = {
    "Age": tf.FixedLenFeature([], dtype=tf.int64),
    "Photo": tf.VarLenFeature(dtype=tf.string),
    "Photo Marks": tf.VarLenFeature(dtype=tf.float32),
    "Suggestion": tf.FixedLenFeature([], dtype=tf.string),
    "Suggestion Purchased": tf.FixedLenFeature([], dtype=tf.float32),
    "Purchase Price": tf.FixedLenFeature([], dtype=tf.float32),
}


def to_example(customer):
    """Returns the `tf.train.Example` of a customer; the type of a field is that in FEATURES."""
    fields = {}
    for name, value in customer.items():
        values = value if isinstance(value, list) else [value]
        dtype = FEATURES[name].dtype
        if dtype == tf.string:
            strings = [text.encode("utf-8") for text in values]
            fields[name] = tf.train.Feature(bytes_list=tf.train.BytesList(value=strings))
        elif dtype == tf.float32:
            fields[name] = tf.train.Feature(float_list=tf.train.FloatList(value=values))
        else:
            fields[name] = tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    return tf.train.Example(features=tf.train.Features(feature=fields))


def write(customers, path):
    with tf.python_io.TFRecordWriter(path) as writer:
        for customer in customers:
            writer.write(to_example(customer).SerializeToString())


def read(path, **producer):
    """Returns {name: tensor} of one customer."""
    filename_queue = tf.train.string_input_producer([path], **producer)
    _, record = tf.TFRecordReader().read(filename_queue)
    return tf.parse_single_example(serialized=record, features=FEATURES)


def show_customers(customers, path, show):
    """A row for each customer as read: the photographs ordered, each with its mark."""
    plt = pyplot(show)
    columns = max(len(customer["Photo"]) for customer in customers)
    figure, grid = plt.subplots(len(customers), columns, figsize=(9, 7), layout="constrained")
    for row, customer in zip(grid, customers, strict=True):
        for axes in row:
            axes.set_axis_off()
        row[0].text(
            -0.05,
            0.5,
            f"age {customer['Age']}\npaid {customer['Purchase Price']:.2f}",
            transform=row[0].transAxes,
            ha="right",
        )
        if not customer["Photo"]:
            row[0].text(0.02, 0.5, "nothing yet", transform=row[0].transAxes)
        for axes, name, mark in zip(row, customer["Photo"], customer["Photo Marks"], strict=False):
            axes.imshow(getattr(data, name)(), cmap="gray")
            axes.set_title(f"{name}: {mark:g}")
    save(figure, path, show)


def main(argv=None):
    chosen = options(__doc__, argv)

    customer = CUSTOMERS[0]
    print(customer)
    print(to_example(customer))

    # One customer. The session is the default session, so a tensor evaluates itself. Each eval is a
    # run of its own and takes a record of its own: right only because they are all the same one.
    path = str(chosen.out / "002_customer_1.tfrecord")
    write([customer], path)
    with tf.Graph().as_default():
        read_data = read(path)
        with tfqueue.managed_session():
            for name, tensor in read_data.items():
                print(f"{name}: {tensor.eval()}")

    # Three customers: all fields in one run, so that they are those of one customer.
    path = str(chosen.out / "002_customers.tfrecord")
    write(CUSTOMERS, path)
    restored = []
    with tf.Graph().as_default():
        read_data = read(path, num_epochs=1)
        with tfqueue.managed_session() as sess:
            for one in sess.batches(read_data):
                restored.append(
                    {
                        "Age": int(one["Age"]),
                        "Photo": [name.decode() for name in one["Photo"].values],
                        "Photo Marks": one["Photo Marks"].values.tolist(),
                        "Suggestion": one["Suggestion"].decode(),
                        "Suggestion Purchased": float(one["Suggestion Purchased"]),
                        "Purchase Price": float(np.round(one["Purchase Price"], 2)),
                    }
                )
    for one in restored:
        print(f"age {one['Age']}: {len(one['Photo'])} photographs {one['Photo']}")

    # The three in one batch: one sparse matrix, a row for each customer.
    with tf.Graph().as_default():
        batch = tf.train.batch(read(path, num_epochs=1), batch_size=len(CUSTOMERS))
        with tfqueue.managed_session() as sess:
            for together in sess.batches(batch):
                print(f"ages {together['Age']}, photographs {together['Photo'].dense_shape}:")
                print(together["Photo"].indices.tolist())

    show_customers(restored, chosen.out / "002_customer.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
