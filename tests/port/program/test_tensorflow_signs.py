"""What names and calls tell of the TensorFlow that a program was written for."""

import pytest

from tfqueue.names.keras import OPTIMIZERS
from tfqueue.port.program import tensorflow_signs as signs
from tfqueue.port.program.era import FIRST, LAST
from tfqueue.port.program.module import Module

TF = "import tensorflow as tf\n"
OLD, NEW, UNTIL_0_11, UNTIL_1_4 = (
    (FIRST, (0, 12)),
    ((1, 0), LAST),
    (FIRST, (0, 11)),
    (FIRST, (1, 4)),
)
SIZES = "tf.image.resize_images(images, height, width)"


@pytest.mark.parametrize(
    ("name", "releases"), [row for row in signs.ROWS.items() if row[0] != "compat.v1"], ids=str
)
def test_a_name_tells_its_releases(name, releases):
    text = f"{TF}\nx = tf.{name}\ny = tf.{name}\nz = tf.{name}.more\n"
    found = signs.evidence(Module(text))
    assert [row for row in found if row[0] == f"tf.{name}"] == [(f"tf.{name}", 3, *releases)]
    assert {row[2:] for row in found} == {releases}
    assert signs.evidence(Module(f"import other as tf\nx = tf.{name}\n")) == []


@pytest.mark.parametrize(
    ("call", "said", "releases"),
    [
        ("tf.concat(1, [a, b])", "tf.concat(axis, values)", OLD),
        ("tf.concat(-1, x)", "tf.concat(axis, values)", OLD),
        ("tf.concat([a, b], 1)", "tf.concat(values, axis)", NEW),
        ("tf.concat((a, b), 1)", "tf.concat(values, axis)", NEW),
        ("tf.concat(concat_dim=1, values=x)", "concat(concat_dim=)", OLD),
        ("tf.split(1, 2, x)", "tf.split(axis, num, value)", OLD),
        ("tf.split(split_dim=1, num_split=2, value=x)", "split(split_dim=)", OLD),
        ("tf.split(x, num_or_size_splits=2)", "split(num_or_size_splits=)", NEW),
        ("tf.reverse(x, dims=[True])", "reverse(dims=)", OLD),
        ("tf.SparseTensor(i, v, shape=s)", "SparseTensor(shape=)", OLD),
        ("tf.SparseTensorValue(i, v, dense_shape=s)", "SparseTensorValue(dense_shape=)", NEW),
        (
            "tf.nn.sparse_softmax_cross_entropy_with_logits(x, y)",
            "sparse_softmax_cross_entropy_with_logits by position",
            OLD,
        ),
        ("tf.image.resize_images(x, 20, 30)", SIZES, UNTIL_0_11),
        ("tf.image.resize_images(x, 20, w)", SIZES, UNTIL_0_11),
        ("tf.image.resize_images(x, h, 30)", SIZES, UNTIL_0_11),
        ("tf.image.resize_images(x, SIZE, SIZE)", SIZES, UNTIL_0_11),
        ("tf.image.resize_images(x, f.height, b)", SIZES, UNTIL_0_11),
        ("tf.image.resize_images(x, a, f.width)", SIZES, UNTIL_0_11),
        ("tf.image.resize_images(x, rows, cols, 1)", SIZES, UNTIL_0_11),
    ],
)
def test_a_call_tells_its_releases(call, said, releases):
    assert signs.evidence(Module(f"{TF}{call}\nother(1, [2])\n")) == [(said, 2, *releases)]
    with_compat = signs.evidence(Module(f"import tensorflow.compat.v1 as tf\n{call}\n"))
    assert with_compat == [("tf.compat.v1", 1, (1, 5), LAST)]


@pytest.mark.parametrize(
    "call",
    [
        "tf.concat(x, y)",
        "tf.concat(1.0, x)",
        "tf.concat()",
        "tf.split(1, 2)",
        "tf.split(x, 2, 1)",
        "tf.reverse(x, [1])",
        "tf.reverse(x, axis=[1])",
        "tf.nn.softmax_cross_entropy_with_logits(x)",
        "tf.nn.weighted_cross_entropy_with_logits(x, y, 3.0)",
        "my_softmax_cross_entropy_with_logits(x, y)",
        "from ops import softmax_cross_entropy_with_logits as f\nf(x, y)",
        "tf.nn.softmax_cross_entropy_with_logits(logits=x, labels=y)",
        "tf.image.resize_images(x, [20, 30], 1)",
        "tf.image.resize_images(x, (20, 30), 1)",
        "tf.image.resize_images(x, size)",
        "tf.image.resize_images(x, 20, 3)",
        "tf.image.resize_images(x, 20., 30)",
        "tf.image.resize_images(x, 20, tf.image.ResizeMethod.AREA)",
        "tf.image.resize_images(x, '20', y)",
        "tf.image.resize_images(x, size, 1)",
        "tf.image.resize_images(x, size, method)",
        "tf.image.resize_images(x, size, True)",
        "tf.image.resize_images(x, size, kind)",
        "resize_images(x, 20, 30)",
    ],
)
def test_a_call_that_tells_nothing(call):
    assert signs.evidence(Module(f"{TF}{call}\n")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = FLAGS.__flags\ny = FLAGS.__flags\n", [("FLAGS.__flags", 2, *UNTIL_1_4)]),
        ("FLAGS._parse_flags()\n", [("FLAGS._parse_flags", 2, *UNTIL_1_4)]),
        ("x = FLAGS.__flags[k].value\n", []),
        ("FLAGS._parse_flags().value\n", [("FLAGS._parse_flags", 2, *UNTIL_1_4)]),
    ],
)
def test_the_flags_of_1_4(text, said):
    assert signs.evidence(Module(TF + text)) == said
    assert signs.evidence(Module(f"import flags\n{text}")) == []


@pytest.mark.parametrize(
    ("text", "two", "one"),
    [
        ("", False, False),
        ("tf.constant(1)\n", False, False),
        ("tf.GradientTape()\n", True, False),
        ("tf.function(f)\n", True, False),
        ("tf.keras.Model()\n", True, False),
        ("tf.keras.Model()\ntf.nn.relu(x)\n", False, False),
        ("tf.keras.backend.get_session()\n", True, True),
        ("m.compile(metrics=['accuracy'])\nx = m.fit(y).history['val_acc']\n", False, True),
        ("m.compile(metrics=['accuracy'])\nEarlyStopping(monitor='val_acc')\n", False, True),
        ("m.compile(metrics=['acc', 'accuracy'])\nx = h.history['acc']\n", False, False),
        ("m.compile(metrics=['accuracy'])\nx = h.history['accuracy'], log['acc']\n", False, False),
        ("x = h.history['acc']\n", False, False),
        (
            "m.compile(metrics=['accuracy'])\nEarlyStopping(monitor='val_acc')\nx = h.history['val_accuracy']\n",
            False,
            False,
        ),
        ("tf.Session()\n", False, True),
        ("tf.train.batch([x], 2)\n", False, True),
        ("tf.nn.rnn(x)\n", False, True),
        ("tf.layers.dense(x)\n", False, True),
        ("tf.stack(x)\n", False, False),
        ("tf.function(f)\ntf.placeholder(tf.int32)\n", True, True),
        ("import tensorflow.compat.v1 as v1\n", False, True),
        ("import other as o\no.Session()\n", False, False),
    ],
)
def test_names_of_two_and_names_of_one(text, two, one):
    assert signs.sides(Module(TF + text)) == (two, one)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("optimizers.Adam(lr=1)\n", [("Adam(lr=)", 2)]),
        ("optimizers.Adam(learning_rate=1, decay=0.1)\n", []),
        ("optimizers.schedule(lr=1)\nother.Adam(lr=1)\n", []),
        ("layers.Dense(3, init='one')\n", [("Dense(init=)", 2)]),
        ("m.fit(x, nb_epoch=1)\n", [("fit(nb_epoch=)", 2)]),
        ("m.fit_generator(x)\n", [("fit_generator", 2)]),
        ("backend.get_session()\n", [("keras.backend.get_session", 2)]),
        ("m.compile(metrics=['accuracy'])\nx = h.history['acc']\n", [("the metric acc", 3)]),
        ("optimizers.Adam(lr=1)\nfrom keras import ops\n", []),
        ("layers.LSTM(3, consume_less='gpu')\n", [("LSTM(consume_less=)", 2)]),
        ("from keras.layers import *\nx = Dense(output_dim=3)\n", [("Dense(output_dim=)", 3)]),
        ("from keras.layers import *\ndef Dense(output_dim): pass\nx = Dense(output_dim=3)\n", []),
        ("from keras.layers import *\nfrom .own import *\nx = Dense(output_dim=3)\n", []),
        ("m.fit(x, epochs=1)\n", []),
        ("class Own(optimizers.Optimizer):\n    pass\n", []),
        (
            "class Own(optimizers.Optimizer):\n    def get_updates(self): pass\n",
            [("Optimizer.get_updates", 3)],
        ),
        ("class Own:\n    def get_updates(self): pass\n", []),
    ],
)
def test_what_only_keras_1_and_2_took(text, said):
    imports = "from keras import backend, layers, optimizers\n"
    assert list(signs.of_keras_2(Module(imports + text))) == said
    theirs = (imports + text).replace("from keras", "from tensorflow.keras")
    assert list(signs.of_keras_2(Module(theirs))) == []


@pytest.mark.parametrize(
    ("imported", "said"),
    [
        ("from tensorflow.models.rnn import ptb, rnn_cell", "tensorflow.models.rnn.rnn_cell"),
        ("from tensorflow.models.rnn.seq2seq import f", "tensorflow.models.rnn.seq2seq"),
        ("import tensorflow.models.rnn.linear as x", "tensorflow.models.rnn.linear"),
    ],
)
def test_an_import_of_what_0_8_had_not_tells_its_releases(imported, said):
    assert signs.evidence(Module(f"{TF}{imported}\n")) == [(said, 2, FIRST, (0, 7))]
    guarded = f"{TF}try:\n    {imported}\nexcept ImportError:\n    pass\n"
    assert signs.evidence(Module(guarded)) == []


def test_the_texts_beside_the_old_modules_tell_nothing():
    assert signs.evidence(Module(f"{TF}from tensorflow.models.rnn.ptb import reader\n")) == []


@pytest.mark.parametrize("dotted", sorted(signs._OF_KERAS_2))
def test_keras_3_has_none_of_what_only_keras_1_and_2_had(dotted):
    found = pytest.importorskip("keras")
    with pytest.raises(AttributeError):
        for part in dotted.split("."):
            found = getattr(found, part)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_keras_3_refuses_the_rate_by_its_old_name(name):
    optimizers = pytest.importorskip("keras").optimizers
    with pytest.raises(ValueError, match="lr"):
        getattr(optimizers, name)(lr=0.1)
