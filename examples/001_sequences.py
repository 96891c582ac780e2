"""Document 001, sequences of different length: to a TFRecord file, back, and in padded batches.

A coin's outline in a photograph is a sequence: walk around it, pixel by pixel, and write down the
direction of every step (0 is east, 2 south, 4 west, 6 north), with a label of 1 where the walk turns.
No two coins need the same number of steps. Each outline becomes a `tf.train.SequenceExample`: its
length and where it starts are the context, tokens and labels the feature lists.

What to look at: context and sequence come from one run, so that they belong to one record; a batch
of sequences is as wide as the longest in it, the others are padded with zeros, and only the length
tells a padding zero from a step to the east. The picture draws the outlines from what was read.
"""

import sys

import numpy as np
from _common import coin_regions, options, pyplot, save
from skimage import data

import tfqueue

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

BATCH = 8
# East, south-east, south, ...: the step in rows and columns for each token.
STEPS = np.array([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)])


def outline(region):
    """Walks around a region, clockwise, from its topmost, leftmost pixel back to it.

    Args:
      region: bool array [height, width].

    Returns:
      The start (row, column) and the tokens, a list of int.
    """
    ground = np.pad(region, 1)  # so that a step across the edge is a step into nothing
    start = tuple(int(place) for place in np.argwhere(region)[0])
    place, direction, tokens = start, 0, []
    while not tokens or place != start:
        # Look left of where we came from first, then turn right until there is ground.
        for turn in range(6, 14):
            token = (direction + turn) % 8
            ahead = tuple(int(x) for x in place + STEPS[token])
            if ground[ahead[0] + 1, ahead[1] + 1]:
                break
        place, direction = ahead, token
        tokens.append(token)
    return start, tokens


def turns(tokens):
    """A label for each step: 1 where its direction is not that of the step before."""
    return [
        int(now != before) for before, now in zip(tokens[-1:] + tokens[:-1], tokens, strict=True)
    ]


def whole(*numbers):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=numbers))


def to_example(start, tokens, labels):
    context = {"length": whole(len(tokens)), "start": whole(*start)}
    lists = {
        "tokens": tf.train.FeatureList(feature=[whole(token) for token in tokens]),
        "labels": tf.train.FeatureList(feature=[whole(label) for label in labels]),
    }
    return tf.train.SequenceExample(
        context=tf.train.Features(feature=context),
        feature_lists=tf.train.FeatureLists(feature_list=lists),
    )


def parse(serialized):
    """Returns {name: tensor} of the context and {name: tensor [steps]} of the sequences."""
    return tf.parse_single_sequence_example(
        serialized=serialized,
        context_features={
            "length": tf.FixedLenFeature([], dtype=tf.int64),
            "start": tf.FixedLenFeature([2], dtype=tf.int64),
        },
        sequence_features={
            "tokens": tf.FixedLenSequenceFeature([], dtype=tf.int64),
            "labels": tf.FixedLenSequenceFeature([], dtype=tf.int64),
        },
    )


def read(path):
    """One epoch of the file, in its order; the same as `parse`."""
    filename_queue = tf.train.string_input_producer([path], num_epochs=1)
    _, serialized = tf.TFRecordReader().read(filename_queue)
    return parse(serialized)


def main(argv=None):
    chosen = options(__doc__, argv)

    # A single example, out of memory: the corner of a square, three steps.
    single = to_example((0, 0), [0, 2, 4], turns([0, 2, 4])).SerializeToString()
    with tf.Graph().as_default():
        _, sequence_parsed = parse(single)
        with tfqueue.managed_session() as sess:
            print(sess.run(sequence_parsed))

    # All coins into a file. It is read after this, so it must not be a temporary one.
    regions = coin_regions()
    path = str(chosen.out / "001_sequences.tfrecord")
    written = []
    with tf.python_io.TFRecordWriter(path) as writer:
        for number in range(1, regions.max() + 1):
            start, tokens = outline(regions == number)
            written.append((start, tokens))
            writer.write(to_example(start, tokens, turns(tokens)).SerializeToString())
    print(f"Wrote to {path}")

    # One by one: every sequence has its own length.
    restored = []
    with tf.Graph().as_default():
        context_parsed, sequence_parsed = read(path)
        with tfqueue.managed_session() as sess:
            for context, sequence in sess.batches([context_parsed, sequence_parsed]):
                start, tokens = tuple(context["start"].tolist()), sequence["tokens"].tolist()
                assert context["length"] == len(tokens) == len(sequence["labels"])
                restored.append((start, tokens))
    lengths = [len(tokens) for _, tokens in restored]
    print(f"{len(restored)} sequences of {min(lengths)} to {max(lengths)} steps")
    print(f"as they were written: {restored == written}")

    # In batches: as wide as the longest of the batch.
    batches = []
    with tf.Graph().as_default():
        context_parsed, sequence_parsed = read(path)
        batch = tf.train.batch(
            [context_parsed["length"], sequence_parsed["tokens"], sequence_parsed["labels"]],
            batch_size=BATCH,
            dynamic_pad=True,
            allow_smaller_final_batch=True,
        )
        with tfqueue.managed_session() as sess:
            for length, tokens, labels in sess.batches(batch):
                padding = tokens.size - length.sum()
                print(f"batch {tokens.shape}, lengths {length.tolist()}, padding {padding}")
                assert labels.shape == tokens.shape
                assert not any(row[n:].any() for row, n in zip(tokens, length, strict=True))
                batches.append((length, tokens))

    plt = pyplot(chosen.show)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(12, 4.8), layout="constrained", gridspec_kw={"width_ratios": [1, 1.1]}
    )
    left.imshow(data.coins(), cmap="gray")
    for start, tokens in restored:
        path_walked = np.vstack([start, start + np.cumsum(STEPS[tokens], axis=0)])
        left.plot(path_walked[:, 1], path_walked[:, 0], lw=2)
    left.set_title("the outlines, drawn from the sequences read")
    left.set_axis_off()
    widest = max(tokens.shape[1] for _, tokens in batches)
    page = np.full((sum(len(tokens) + 1 for _, tokens in batches) - 1, widest), np.nan)
    row = 0
    for length, tokens in batches:
        page[row : row + len(tokens), : tokens.shape[1]] = -1
        for k, n in enumerate(length):
            page[row + k, :n] = tokens[k, :n]
        row += len(tokens) + 1
    colours = plt.matplotlib.colors.ListedColormap(
        ["lightgray", *plt.colormaps["hsv"](np.arange(8) / 8)]
    )
    right.imshow(page, cmap=colours, vmin=-1.5, vmax=7.5, aspect="auto", interpolation="nearest")
    right.set_title("the batches: a colour for each direction, gray is padding")
    right.set_xlabel("step")
    right.set_yticks([])
    save(figure, chosen.out / "001_sequences.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
