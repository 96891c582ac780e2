"""Small parts of `tf.contrib.seq2seq`, `legacy_seq2seq`, `data` and `framework`, each called by itself.

`python sequence_parts.py > sequence_parts_115.json` with TensorFlow 1.15.5 records what they give.
"""

import importlib
import json

import numpy as np

CASES = {}


def _case(function):
    """Adds what a function of `tf` returns, a dict of functions, to the cases."""
    CASES[function.__name__.strip("_")] = function
    return function


def _run(tf, fetches):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return _plain(sess.run(fetches))


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return np.asarray(value).tolist()


def _all(tf, dataset):
    """All elements of a dataset."""
    element, found = tf.data.make_one_shot_iterator(dataset).get_next(), []
    with tf.Session() as sess:
        while True:
            try:
                found.append(_plain(sess.run(element)))
            except tf.errors.OutOfRangeError:
                return found


@_case
def _data(tf):
    data, numbers = tf.contrib.data, tf.data.Dataset.range

    def all_of(dataset, change):
        return lambda: _all(tf, dataset.apply(change))

    def rows(stop):
        return numbers(1, stop).map(lambda n: tf.fill([n], n))

    def shaped(dataset, shapes):
        def call():
            checked = dataset.apply(data.assert_element_shape(shapes))
            return [str(tf.data.get_output_shapes(checked)), _all(tf, checked)]

        return call

    nine = tf.constant(9, tf.int64)
    pairs = tf.data.Dataset.zip((numbers(4), numbers(4, 8)))
    unknown = numbers(2).map(lambda n: tf.py_func(lambda x: np.array([x, x]), [n], tf.int64))
    two, one, three = (tf.TensorShape(size) for size in ([2], [], [3]))
    window = data.sliding_window_batch
    repeated = data.sloppy_interleave(lambda n: tf.data.Dataset.from_tensors(n).repeat(2), 1)
    blocks = data.sloppy_interleave(lambda n: tf.data.Dataset.from_tensors(n).repeat(2), 2, 2)
    return {
        "drop": all_of(numbers(7), data.batch_and_drop_remainder(3)),
        "padded": all_of(rows(6), data.padded_batch_and_drop_remainder(2, [None])),
        "padded by": all_of(rows(5), data.padded_batch_and_drop_remainder(2, [4], nine)),
        "sloppy": all_of(numbers(3), repeated),
        "sloppy blocks": lambda: sorted(all_of(numbers(4), blocks)()),
        "slide": all_of(numbers(7), window(3)),
        "slide by stride": all_of(numbers(7), window(3, 2)),
        "slide by shift": all_of(numbers(7), window(2, window_shift=3, window_stride=2)),
        "slide pairs": all_of(pairs, window(2, window_shift=2)),
        "slide by both": lambda: window(3, 1, 2),
        "shape": shaped(unknown, two),
        "shapes": shaped(tf.data.Dataset.zip((unknown, numbers(2))), (two, one)),
        "wrong shape": shaped(unknown, three),
    }


@_case
def _losses(tf):
    legacy = tf.contrib.legacy_seq2seq
    logits = [[[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], [[0.5, 0.0, 0.0], [2.0, 1.0, 0.0]]]
    given = [
        [tf.constant(each) for each in logits],
        [tf.constant([0, 2]), tf.constant([1, 0])],
        [tf.constant([1.0, 0.5]), tf.constant([0.0, 2.0])],
    ]
    columns = [given[0], [each[:, None] for each in given[1]], given[2]]

    def own(labels, logits):
        return tf.cast(labels, tf.float32) + logits[:, 0]

    def of(function, arguments=given, **more):
        return lambda: _run(tf, function(*arguments, **more))

    def named(function, name):
        return lambda: function(*given, name=name).op.name.split("/")[0]

    each, whole = legacy.sequence_loss_by_example, legacy.sequence_loss
    zero = [*given[:2], [tf.zeros([2])] * 2]
    found = {
        "columns": of(each, columns),
        "no weight": of(each, zero),
        "few weights": of(each, [*given[:2], given[2][:1]]),
        "few logits": of(each, [given[0][:1], *given[1:]]),
        "a sum": of(whole, average_across_batch=False),
    }
    for key, function in (("each", each), ("whole", whole)):
        found[key] = of(function)
        found[key + ", by time"] = of(function, average_across_timesteps=False)
        found[key + ", own"] = of(function, softmax_loss_function=own)
        for name in (None, "mine"):
            found[key + ", name " + str(name)] = named(function, name)
    return found


@_case
def _sound(tf):
    home = tf.__name__ if tf.__name__.startswith("tfqueue") else "tensorflow"
    ops = importlib.import_module(home + ".contrib.framework.python.ops.audio_ops")
    wave = np.sin(np.arange(400) / 7.0)[:, None] * 0.5
    file = ops.encode_wav(tf.constant(wave, tf.float32), 8000, "written")
    picture = ops.audio_spectrogram(tf.constant(wave, tf.float32), 64, 32, True, "seen")
    return {
        "read": lambda: _run(tf, ops.decode_wav(file, 1, 5, "read")._asdict()["audio"]),
        "rate": lambda: _run(tf, ops.decode_wav(file).sample_rate),
        "all": lambda: _run(tf, tf.reduce_sum(ops.decode_wav(contents=file).audio, 0)),
        "spectrogram": lambda: _run(tf, picture[0, :2]),
        "not squared": lambda: _run(tf, ops.audio_spectrogram(tf.ones([70, 1]), 8, 30)),
        "coefficients": lambda: _run(tf, ops.mfcc(picture, 8000)[0, 3:5]),
        "few": lambda: _run(tf, ops.mfcc(picture, 8000, 3000, 100, 10, 4)[0, :2]),
        "names": lambda: [file.op.name, picture.op.name, ops.mfcc(picture, 8000).op.type],
    }


INPUTS = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
WIDE = np.arange(18, dtype=np.float32).reshape(2, 3, 3)
OUTPUTS = np.array([[50.0, 0.0, 100.0], [0.0, 150.0, 50.0]], np.float32)
TABLE = np.array([[10.0, 11], [20, 21], [30, 31]], np.float32)


@_case
def _helpers(tf):
    seq2seq = tf.contrib.seq2seq
    table, outputs = tf.constant(TABLE), tf.constant(OUTPUTS)

    def of(make, ids=None, times=(0, 1, 2)):
        """What a helper gives at first, of a step's outputs, and at some times."""

        def call():
            helper = make()
            found = [
                helper.initialize(),
                helper.sample(time=tf.constant(0), outputs=outputs, state=()),
            ]
            sample = found[1] if ids is None else tf.constant(ids)
            for time in times:
                given = {"outputs": outputs, "state": (tf.constant(5),), "sample_ids": sample}
                found.append(helper.next_inputs(time=tf.constant(time), **given))
            kind = [str(helper.sample_ids_shape), helper.sample_ids_dtype.name]
            return _run(tf, [*found, helper.batch_size]) + kind

        return call

    training, embedded = seq2seq.TrainingHelper, seq2seq.ScheduledEmbeddingTrainingHelper
    mixed, greedy = seq2seq.ScheduledOutputTrainingHelper, seq2seq.GreedyEmbeddingHelper
    sampling, own = seq2seq.SampleEmbeddingHelper, seq2seq.CustomHelper

    def pairs(ids):
        return tf.cast(tf.stack([ids, ids * 2], 1), tf.float32)

    def of_functions(**more):
        return own(
            lambda: (tf.constant([False, True, False]), tf.constant([1.0])),
            lambda time, outputs, state: outputs[:, 0] + tf.cast(time, tf.float32),
            lambda time, outputs, state, sample_ids: (sample_ids > 1.0, outputs, state),
            **more,
        )

    def inference(**more):
        sizes = [3], tf.float32, tf.ones([2, 3])
        return seq2seq.InferenceHelper(
            lambda given: given * 2.0, *sizes, lambda sample: sample[:, 0] > 1.0, **more
        )

    def turned(array):
        return array.transpose([1, 0, 2])

    far = tf.constant([[0.0, 99.0, 0.0], [99.0, 0.0, 0.0]])
    attributes = training(INPUTS, [3, 1])
    return {
        "training": of(lambda: training(INPUTS, [3, 1])),
        "training by time": of(lambda: training(INPUTS, [2, 2, 0], time_major=True), times=(0, 1)),
        "training nothing": of(lambda: training(INPUTS, [0, 0]), times=(0,)),
        "training attributes": lambda: [
            _run(tf, attributes.sequence_length),
            attributes.inputs.shape.as_list(),
        ],
        "training length": lambda: training(INPUTS, 3),
        "embedded": of(lambda: embedded(INPUTS, [3, 2], table, 1.0), [2, -1]),
        "embedded by function": of(lambda: embedded(INPUTS, [3, 2], pairs, 0.0), [2, 0]),
        "embedded by matrix": lambda: embedded(INPUTS, [3, 2], table, [[1.0]]),
        "mixed": of(lambda: mixed(WIDE, [3, 2], 1.0), [1, 0]),
        "mixed none": of(lambda: mixed(WIDE, [3, 2], 0.0), [0, 0]),
        "mixed by function": of(
            lambda: mixed(INPUTS, [3, 2], 0.0, next_inputs_fn=lambda out: out[:, :2] * 2.0), [1, 0]
        ),
        "mixed with more": of(lambda: mixed(WIDE, [3, 3], 1.0, auxiliary_inputs=-INPUTS), [1, 0]),
        "mixed with more by time": of(
            lambda: mixed(
                turned(WIDE), [3, 3], 1.0, time_major=True, auxiliary_inputs=turned(-INPUTS)
            ),
            [1, 0],
        ),
        "mixed by matrix": lambda: mixed(WIDE, [3, 2], [[1.0]]),
        "greedy": of(lambda: greedy(table, [0, 1], 2), times=(0,)),
        "greedy at its end": of(lambda: greedy(table, [0, 1], 2), [2, 2], (0,)),
        "greedy by function": of(
            lambda: greedy(lambda ids: tf.cast(ids, tf.float32), [0, 1], 1), times=(0,)
        ),
        "greedy start": lambda: greedy(table, 1, 2),
        "greedy end": lambda: greedy(table, [1], [2]),
        "greedy outputs": lambda: greedy(table, [0, 1], 2).sample(0, (outputs,), ()),
        "sampling cold": of(lambda: sampling(table, [0, 1], 2, 0.001, seed=1), times=(0,)),
        "sampling far": lambda: _run(tf, sampling(table, [0, 1], 2).sample(0, far, ())),
        "inference": of(inference, times=(0,)),
        "inference by function": of(
            lambda: inference(next_inputs_fn=lambda sample: sample + 1.0), times=(0,)
        ),
        "own": of(of_functions, times=(0,)),
        "own shape": of(
            lambda: of_functions(sample_ids_shape=[4], sample_ids_dtype=tf.float32), times=(0,)
        ),
        "own before": lambda: of_functions().batch_size,
    }


IDS = np.array([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[3, 10, 2]]], np.int32)
PARENTS = np.array([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[1, 0, 2]]], np.int32)


@_case
def _beams(tf):
    seq2seq = tf.contrib.seq2seq
    tile = seq2seq.tile_batch
    table = np.ones([5, 2], np.float32) * np.arange(5, dtype=np.float32)[:, None]

    def decoder(embedding=table, start=(1, 2), end=0, **more):
        cell = tf.nn.rnn_cell.GRUCell(3)
        state = cell.zero_state(4, tf.float32)
        return seq2seq.BeamSearchDecoder(cell, embedding, list(start), end, state, 2, **more)

    def first():
        finished, inputs, state = decoder().initialize()
        return _run(tf, [finished, inputs, state.log_probs, state.lengths, state.finished])

    def tree(length):
        return lambda: _run(tf, seq2seq.gather_tree(IDS, PARENTS, [length], end_token=10))

    def shape(*given):
        return lambda: tile(tf.placeholder(tf.float32, *given), 2).shape.as_list()

    found = {
        "tiles": lambda: _run(tf, tile((tf.constant([[1, 2], [3, 4]]), tf.constant([5, 6])), 2)),
        "tiles of two": shape([2, 3]),
        "tiles of any": shape([None, 3]),
        "tiles of any width": shape([2, None]),
        "tiles of any rank": shape(),
        "tile of a scalar": lambda: tile(tf.constant(1.0), 2),
        "decoder": lambda: [
            str(decoder().output_size),
            str(decoder().output_dtype),
            _run(tf, decoder().batch_size),
            decoder().tracks_own_finished,
        ],
        "decoder with a layer": lambda: str(decoder(output_layer=tf.layers.Dense(7)).output_size),
        "first": first,
        "first of a function": lambda: _run(
            tf, decoder(lambda ids: tf.cast(ids, tf.float32)[..., None]).initialize()[1]
        ),
        "no cell": lambda: seq2seq.BeamSearchDecoder(3, table, [1], 0, tf.zeros([2, 3]), 2),
        "no layer": lambda: decoder(output_layer=3),
        "start": lambda: decoder(start=[[1]]),
        "end": lambda: decoder(end=[1]),
    }
    found.update(("tree of " + str(length), tree(length)) for length in (4, 3, 2, 9, 0))
    return found


@_case
def _attention(tf):
    seq2seq = tf.contrib.seq2seq

    def made(count=1):
        found = [seq2seq.LuongAttention(4, tf.ones([2, 3, 5])) for _ in range(count)]
        return found if count > 1 else found[0]

    def wrapper(mechanism=None, **more):
        mechanism = made() if mechanism is None else mechanism
        return seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), mechanism, **more)

    def with_state(**more):
        state = wrapper().zero_state(2, tf.float32)._replace(**more)
        return lambda: _run(tf, wrapper()(tf.ones([3, 3]), state)[0])

    dense = tf.layers.Dense
    other = tf.zeros([4, 4])
    return {
        "sizes": lambda: [
            wrapper().output_size,
            wrapper(output_attention=False).output_size,
            wrapper(attention_layer_size=7).output_size,
            wrapper(made(2), attention_layer_size=[3, 2]).output_size,
            wrapper(attention_layer=dense(9)).output_size,
        ],
        "state": lambda: str(wrapper().state_size),
        "states": lambda: str(wrapper(made(2), alignment_history=True).state_size),
        "batch": lambda: _run(tf, wrapper().zero_state(3, tf.float32).cell_state),
        "batch at first": lambda: _run(
            tf, wrapper(initial_cell_state=other).zero_state(2, tf.float32).cell_state
        ),
        "another state": lambda: wrapper()(tf.ones([2, 3]), tf.ones([2, 4])),
        "another batch": lambda: with_state(
            cell_state=tf.ones([3, 4]), attention=tf.zeros([3, 5])
        )(),
        "both": lambda: wrapper(attention_layer_size=3, attention_layer=dense(2)),
        "no mechanism": lambda: wrapper(3),
        "one is none": lambda: wrapper([made(), 3]),
        "no function": lambda: wrapper(cell_input_fn=3),
        "few layers": lambda: wrapper(made(2), attention_layer=[dense(2)]),
        "few sizes": lambda: wrapper(made(2), attention_layer_size=[2]),
    }


def names(tf):
    """The names of all cases: the group's, and its own."""
    with tf.Graph().as_default():
        return [(group, name) for group in CASES for name in CASES[group](tf)]


def result(tf, group, name):
    """What a case gives, or the class of what it raises."""
    with tf.Graph().as_default():
        call = CASES[group](tf)[name]
        try:
            return call()
        except Exception as raised:  # noqa: BLE001  (whatever it is, it is what is recorded)
            return {"raised": type(raised).__name__}


if __name__ == "__main__":
    import tensorflow

    tensorflow.logging.set_verbosity("ERROR")
    recorded = {}
    for group, name in names(tensorflow):
        recorded.setdefault(group, {})[name] = result(tensorflow, group, name)
    print(json.dumps(recorded, indent=1, sort_keys=True))
