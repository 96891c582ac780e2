"""What TensorFlow 1 let programs do and today's refuses: imports, flags, scopes, shapes."""

import importlib
import importlib.util
import logging
import pickle
import pkgutil
import sys

import numpy as np
import pytest
from absl import flags as absl_flags

import tfqueue.v1 as tf
from tfqueue import contrib
from tfqueue._tensorflow import patches
from tfqueue.names import gone_contrib as gone
from tfqueue.names import modules
from tfqueue.v1 import _lazy_names, _old_imports
from tfqueue.v1.models.rnn.ptb import reader


@pytest.fixture
def own_flags(monkeypatch):
    """The flags of one program, in a process that has others."""
    values = absl_flags.FlagValues()
    absl_flags.DEFINE_string("log_dir", "", "absl's own", flag_values=values)
    from tfqueue.v1 import _app_flags

    for name in _app_flags.NAMES:
        define = getattr(tf.flags, name)

        def into(*args, _define=define, **kwargs):
            return _define(*args, flag_values=values, **kwargs)

        monkeypatch.setattr(_app_flags, name, into)
    monkeypatch.setattr(_app_flags._absl, "FLAGS", values)
    return _app_flags, _app_flags._Flags(values)


def test_a_flags_default_may_be_of_another_type(own_flags, monkeypatch):
    flags, values = own_flags
    monkeypatch.setattr(sys, "argv", ["old.py", "--size=7"])
    flags.DEFINE_integer("weight", 5e0, "argparse kept what it was given")
    flags.DEFINE_boolean("batch_size", 128, "")
    flags.DEFINE_integer("size", "small", "")
    assert (values.weight, values.batch_size, values.size) == (5.0, 128, 7)


def test_a_flag_may_be_defined_twice_even_where_absl_was_first(own_flags, monkeypatch):
    flags, values = own_flags
    monkeypatch.setattr(sys, "argv", ["old.py"])
    flags.DEFINE_string("log_dir", "logs", "")
    flags.DEFINE_integer("steps", 1, "")
    flags.DEFINE_integer("steps", 2, "")
    assert (values.log_dir, values.steps) == ("logs", 2)


def test_flags_that_nobody_defined_are_left_to_the_program(own_flags, monkeypatch):
    flags, values = own_flags
    monkeypatch.setattr(sys, "argv", ["old.py", "--of_argparse=1", "--steps=3"])
    flags.DEFINE_integer("steps", 2, "")
    assert values.steps == 3
    assert values._parse_flags() == ["--of_argparse=1"]


def test_a_flag_that_only_argparse_took_for_another_is_told(own_flags, monkeypatch, capsys):
    flags, values = own_flags
    words = ["--max_st=7", "--max_s", "--nogat", "--gating", "--s=1", "--steps=2", "--", "--max"]
    monkeypatch.setattr(sys, "argv", ["old.py", *words])
    flags.DEFINE_integer("max_steps", 5, "")
    flags.DEFINE_boolean("gating", False, "")
    flags.DEFINE_string("size", "", "")
    flags.DEFINE_string("steps", "", "")
    assert (values.max_steps, values.gating, values.steps) == (5, True, "2")
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("tfqueue: --max_st is no flag of the program")
    assert second.endswith("it was short for --max_steps: --era 1.4 takes it so")
    monkeypatch.setattr(flags, "FLAGS", values)
    monkeypatch.setattr(flags._tf.app, "run", lambda *given: None)
    flags.run(print)
    assert capsys.readouterr().err == "", "it is told once"


def test_the_inside_of_flags_up_to_1_4(own_flags, monkeypatch):
    flags, values = own_flags
    monkeypatch.setattr(sys, "argv", ["old.py", "--steps=3"])
    flags.DEFINE_integer("steps", 2, "")
    # from 1.5 on, absl's own objects
    assert getattr(values, "__flags")["steps"].value == 2
    values._parse_flags()
    assert getattr(values, "__flags")["steps"] == 3
    assert getattr(values, "__parsed") is True
    values.steps = 9
    assert values.steps == 9
    assert values["steps"].value == 9
    assert "steps" in values


def test_app_flags_are_flags():
    assert tf.app.flags.FLAGS is tf.flags.FLAGS
    assert tf.app.flags.DEFINE_string is tf.flags.DEFINE_string


@pytest.mark.parametrize("row", gone.PACKAGES, ids=lambda row: row.old)
def test_a_package_that_is_gone_says_so_however_it_is_imported(row):
    name = f"tfqueue.v1.contrib.{row.old}"
    said = f"tf.contrib.{row.old} is gone since TensorFlow {row.removed}: {row.use}"
    for module in (name, f"{name}.python.ops"):
        with pytest.raises(ModuleNotFoundError) as raised:
            importlib.import_module(module)
        assert str(raised.value) == said
    with pytest.raises(ImportError) as raised:
        exec(f"try:\n from tfqueue.v1.contrib import {row.old}\nfinally:\n pass")
    assert str(raised.value) == said


@pytest.mark.parametrize(
    "name",
    [module.name for module in pkgutil.iter_modules(contrib.__path__) if module.name[0] != "_"],
)
def test_each_package_has_an_inside(name):
    """`from tensorflow.contrib.crf.python.ops.crf import crf_decode`."""
    package = importlib.import_module(f"tfqueue.v1.contrib.{name}")
    inside = importlib.import_module(f"tfqueue.v1.contrib.{name}.python.ops.{name}_ops")
    public = [known for known in dir(package) if not known.startswith("_")]
    assert public
    assert all(getattr(inside, known) is getattr(package, known) for known in public)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tfqueue.v1.learn", "tf.learn is gone since TensorFlow 1.0"),
        (
            "tfqueue.v1.contrib.learn.python.learn.utils.export",
            "gone since TensorFlow 2.0: export_savedmodel of the estimator",
        ),
        ("tfqueue.v1.contrib.nosuch", "No module named 'tfqueue.v1.contrib.nosuch'"),
        ("tfqueue.v1.contrib.rnn.python.ops.core_rnn_cell._linear2", "No module named"),
    ],
)
def test_other_modules_that_are_not_there(name, says):
    with pytest.raises(ModuleNotFoundError, match=says):
        importlib.import_module(name)


def test_from_v1_import_what_is_gone():
    with pytest.raises(ImportError, match=r"tf\.learn is gone since"):
        exec("try:\n from tfqueue.v1 import learn\nfinally:\n pass")


def test_a_module_inside_a_package_has_the_packages_names():
    inside = importlib.import_module("tfqueue.v1.contrib.rnn.python.ops.core_rnn_cell")
    assert inside.BasicLSTMCell is tf.contrib.rnn.BasicLSTMCell
    assert tf.contrib.rnn.python.ops.core_rnn_cell.GRUCell is tf.contrib.rnn.GRUCell
    with pytest.raises(ImportError, match="cannot import name 'no_such_cell'"):
        exec("from tfqueue.v1.contrib.rnn.python.ops.core_rnn_cell import no_such_cell")
    with pytest.raises(AttributeError):
        inside.no_such_cell  # noqa: B018


def test_a_private_name_of_contrib_is_refused_by_a_sentence():
    why = "tpu.keras_support.KerasTPUModel is gone since TensorFlow 2.0: it was private"
    module = importlib.import_module("tfqueue.v1.contrib.tpu.python.tpu.keras_support")
    with pytest.raises(AttributeError, match=why):
        module.KerasTPUModel  # noqa: B018


@pytest.mark.parametrize(("old", "today"), modules.MODULES.items())
def test_a_module_of_contrib_where_1_15_had_it(old, today):
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    if old.partition(".")[0] in gone.OUTSIDE:
        return  # tests/contrib/test_gan.py imports it below a run
    found = importlib.import_module(f"tfqueue.v1.contrib.{old}")
    module = _lazy_names.resolve(today)
    assert found is module or found._stands_for is module
    inner = tf.contrib
    for part in old.split("."):
        inner = getattr(inner, part)
    function = old.endswith("ops.arg_scope")
    assert inner is (module.arg_scope if function else found)
    assert set(getattr(module, "__all__", ())) <= set(vars(module)) | set(dir(module))


def test_a_checkpoint_is_read_by_the_wrapped_module(tmp_path):
    """`tf.pywrap_tensorflow.NewCheckpointReader(path)`: the shapes are what 1.15.5 printed."""
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("w", [2, 3], initializer=tf.ones_initializer())
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    reader = tf.pywrap_tensorflow.NewCheckpointReader(path)
    assert reader.get_variable_to_shape_map() == {"w": [2, 3]}
    assert reader.get_tensor("w").tolist() == [[1.0, 1.0, 1.0]] * 2


def test_a_namespace_can_be_imported_as_it_can_be_used():
    assert importlib.import_module("tfqueue.v1.gfile") is tf.gfile
    writer = importlib.import_module("tfqueue.v1.python_io").TFRecordWriter
    assert writer is tf.python_io.TFRecordWriter


@pytest.mark.parametrize("name", ["nn.rnn_cell", "data.experimental", "train.queue_runner"])
def test_a_namespace_in_a_namespace_can_be_imported(name):
    """1.13 to 1.15 had files for them: `from tensorflow.nn.rnn_cell import GRUCell`."""
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    assert importlib.import_module(f"tfqueue.v1.{name}") is found
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tfqueue.v1.nn.rnn_cells")


@pytest.mark.parametrize(
    ("name", "today"),
    [
        *_old_imports.ALIASES.items(),
        ("tfqueue.v1.contrib.crf", "tfqueue.contrib.crf"),
        ("tfqueue.v1.contrib.learn.datasets.base", "tfqueue.contrib.learn.datasets.base"),
        ("tfqueue.v1.contrib.rnn.python", "tfqueue.contrib.rnn.python"),
    ],
)
def test_a_module_above_v1_is_the_same_below_it(name, today):
    module = importlib.import_module(name)
    assert module is importlib.import_module(today)
    assert module.__name__ == today
    assert importlib.util.find_spec(f"{name}_x") is None


def test_a_pickle_has_its_class_under_the_old_name():
    """One that was written while `tf.contrib` stood below `tfqueue.v1`."""
    params = tf.contrib.training.HParams(rate=0.5)
    written = pickle.dumps(params, 0)
    before = written.replace(b"tfqueue.contrib.", b"tfqueue.v1.contrib.")
    assert before != written
    for pickled in (written, before):
        found = pickle.loads(pickled)
        assert type(found) is tf.contrib.training.HParams
        assert found.values() == {"rate": 0.5}


def test_the_finder_stands_once_and_answers_for_our_names_only():
    finders = [f for f in sys.meta_path if isinstance(f, _old_imports._Finder)]
    _old_imports.install()
    assert [f for f in sys.meta_path if isinstance(f, _old_imports._Finder)] == finders
    assert len(finders) == 1
    assert finders[0].find_spec("tensorflow.contrib.timeseries") is None


def test_slots_can_be_made_where_variables_are_reused():
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("tower"):
            x = tf.get_variable("x", initializer=3.0)
            tf.get_variable_scope().reuse_variables()
            step = tf.train.MomentumOptimizer(0.5, 0.9).minimize(x * x)
            average = tf.train.ExponentialMovingAverage(0.5)
            keep = average.apply([x])
            assert tf.get_variable_scope().reuse is True
            with pytest.raises(ValueError, match="does not exist"):
                tf.get_variable("y", initializer=0.0)
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        sess.run(keep)
        assert sess.run([x, average.average(x)]) == [0.0, 1.5]
        assert sorted(v.op.name for v in tf.global_variables()) == [
            "tower/tower/x/ExponentialMovingAverage",
            "tower/tower/x/Momentum",
            "tower/x",
        ]


def test_a_whole_float_is_a_dimension():
    with tf.Graph().as_default():
        assert tf.get_variable("w", [3, 6 / 2]).shape.as_list() == [3, 3]
    with pytest.raises(TypeError):
        tf.Dimension(2.5)


def test_slices_of_nothing_are_refused_before_they_are_waited_for():
    with tf.Graph().as_default():
        for empty in ([], tf.constant([], tf.string)):
            with pytest.raises(ValueError, match="the lists are empty"):
                tf.train.slice_input_producer([empty, empty])


def test_the_session_of_a_supervisor_raises_the_true_error(tmp_path):
    with tf.Graph().as_default():
        names = tf.train.string_input_producer([str(tmp_path / "missing")])
        _, value = tf.TextLineReader().read(names)
        lines = tf.train.batch([value], 2)
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), summary_op=None)
        session = supervisor.prepare_or_wait_for_session()
        assert isinstance(session, tf.Session)
        with pytest.raises(tf.errors.NotFoundError) as raised:
            session.run(lines)
        assert "there is no file" in "".join(raised.value.__notes__)
        with pytest.raises(tf.errors.NotFoundError):
            supervisor.stop()
        session.close()


def test_the_logger_under_its_old_name():
    assert tf.logging._logger is logging.getLogger("tensorflow")


def test_the_penn_treebank_as_it_was_read(tmp_path):
    for name in reader.FILES:
        (tmp_path / name).write_text(" b a b \n c b \n")
    train, valid, _, size = reader.ptb_raw_data(str(tmp_path))
    assert (train, size) == ([0, 2, 0, 1, 3, 0, 1], 4)
    (tmp_path / "ptb.valid.txt").write_text(" b unknown c \n")
    assert reader.ptb_raw_data(str(tmp_path))[1] == [0, 3, 1]
    assert valid == train
    with tf.Graph().as_default():
        batch = reader.ptb_producer(list(range(12)), 2, 2)
        with tf.Session() as sess:
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            got = [[part.tolist() for part in sess.run(batch)] for _ in range(3)]
            coord.request_stop()
            coord.join(threads)
    by_hand = [[x.tolist(), y.tolist()] for x, y in reader.ptb_iterator(list(range(12)), 2, 2)]
    assert by_hand == [[[[0, 1], [6, 7]], [[1, 2], [7, 8]]], [[[2, 3], [8, 9]], [[3, 4], [9, 10]]]]
    assert got == [*by_hand, by_hand[0]]


def test_a_treebank_that_is_not_there_says_what_to_put_where(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"put ptb\.train\.txt, ptb\.valid\.txt"):
        reader.ptb_raw_data(str(tmp_path))
    with pytest.raises(ValueError, match="decrease batch_size or num_steps"):
        reader.ptb_producer([1, 2, 3], 2, 2)


def test_a_reader_in_a_tower_stands_beside_its_queue(tmp_path):
    path = tmp_path / "two.txt"
    path.write_text("a\nb\n")
    with tf.Graph().as_default():
        with tf.device("/gpu:0"):
            names = tf.train.string_input_producer([str(path)], num_epochs=1)
            _, value = tf.TextLineReader().read(names)
            batch = tf.train.batch([value], 2)
            elsewhere = tf.constant(1) + 1
        _, plain = tf.WholeFileReader().read(names)
        assert value.op.device == "/device:CPU:0"
        assert (elsewhere.device, plain.device) == ("/device:GPU:0", "")
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            assert sess.run(batch).tolist() == [b"a", b"b"]
            coord.request_stop()
            coord.join(threads)


def test_flags_by_the_dict_of_the_object(own_flags, monkeypatch):
    flags, values = own_flags
    monkeypatch.setattr(sys, "argv", ["old.py", "--steps=3"])
    flags.DEFINE_integer("steps", 2, "")
    assert values.steps == 3
    assert dict(values.__dict__["__flags"])["steps"] == 3
    assert "log_dir" in values


def test_what_is_let_through_is_in_place_once():
    before = [getattr(owner, name) for owner, name, _ in patches._WRAPPED]
    patches.install(tf)
    assert [getattr(owner, name) for owner, name, _ in patches._WRAPPED] == before
    assert all(hasattr(getattr(each, "fget", each), "__wrapped__") for each in before)


def test_what_a_program_puts_on_a_gpu_runs_where_there_is_none():
    with tf.Graph().as_default():
        with tf.device("/gpu:0"):
            x = tf.get_variable("x", initializer=2.0)
        with tf.Session() as sess:
            sess.run(x.initializer)
            assert sess.run(x + 1.0) == 3.0
    # another machine's op is no business of this
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.device("/job:ps/task:0"):
            y = tf.constant(1.0) + 1.0
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(y)


def test_slots_of_a_second_optimizer_where_a_scope_was_entered_again():
    with tf.Graph().as_default(), tf.Session() as sess:
        first = tf.get_variable("scope/x", initializer=[3.0])
        steps = []
        for _ in range(2):
            with tf.variable_scope("scope", reuse=True):
                x = tf.get_variable("x")
            steps.append(tf.train.MomentumOptimizer(0.5, 0.9).minimize(x * x, var_list=[first]))
        slots = sorted(v.op.name for v in tf.global_variables())
        assert slots == ["scope/x", "scope/x/Momentum", "scope/x/Momentum_1"]
        sess.run(tf.global_variables_initializer())
        sess.run(steps[0])
        assert sess.run(["scope/x/Momentum:0", "scope/x/Momentum_1:0"]) == [[6.0], [0.0]]


@pytest.mark.parametrize(
    ("told", "shape"),
    [
        ([4, 2, 2, 2], [4, 2, 2, 2]),
        (np.array([4, 2, 2, 2]), [4, 2, 2, 2]),
        (lambda x: tf.stack([tf.shape(x)[0], 2, 2, 2]), [None, 2, 2, 2]),
        (lambda x: [tf.shape(x)[0], 2, 2, 2], [None, 2, 2, 2]),
        (lambda x: tf.constant([4, 2, 2, 2]), [4, 2, 2, 2]),
    ],
)
def test_a_transposed_convolution_has_the_shape_it_is_told(told, shape):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 1, 1, 3])
        told = told(x) if callable(told) else told
        weight = tf.zeros([5, 5, 2, 3])
        result = tf.nn.conv2d_transpose(x, weight, told, [1, 2, 2, 1])
        assert result.shape.as_list() == shape
        back = tf.nn.conv2d_backprop_input(told, weight, x, [1, 2, 2, 1], "SAME")
        assert back.shape.as_list() == shape
        wide = tf.nn.atrous_conv2d_transpose(x, weight, [4, 1, 1, 2], 2, "SAME")
        assert wide.shape.as_list() == [4, 1, 1, 2]


# what 1.15.5 gave
@pytest.mark.parametrize(
    ("name", "words", "unique", "sampled", "counts"),
    [
        ("fixed_unigram", {"unigrams": [1.0] * 4}, False, [3, 2, 2], [0.75, 0.0]),
        ("fixed_unigram", {"unigrams": [1.0] * 4}, True, [3, 2, 1], [0.68359375, 0.0]),
        ("uniform", {}, False, [3, 1, 1], [0.75, 0.75]),
        ("uniform", {}, True, [3, 1, 2], [0.68359375, 0.68359375]),
    ],
)
def test_a_true_class_may_be_outside_of_a_samplers_range(name, words, unique, sampled, counts):
    for home in (tf.nn, tf.random):
        with tf.Graph().as_default(), tf.Session() as sess:
            sampler = getattr(home, f"{name}_candidate_sampler")
            classes = tf.constant([[0], [7]], tf.int64)
            found = sess.run(sampler(classes, 1, 3, unique, 4, seed=1, **words))
        assert found.sampled_candidates.tolist() == sampled
        assert found.true_expected_count.ravel().tolist() == counts


def test_samplers_draw_what_1_12_drew_by_the_seed_of_the_graph():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(3)
        classes = tf.placeholder(tf.int64, [None, 1])
        weights = [float(one) for one in range(1, 10)]
        drawn = [
            tf.nn.fixed_unigram_candidate_sampler(classes, 1, 3, True, 9, unigrams=weights)[0],
            tf.nn.uniform_candidate_sampler([[1], [2]], 1, 3, True, 9)[0],  # a list counts as an op
            tf.random_uniform([2]),
        ]
        found = [one.tolist() for one in sess.run(drawn, {classes: [[1], [2]]})]
    assert found[:2] == [[4, 2, 7], [2, 6, 1]]
    np.testing.assert_allclose(found[2], [0.7300214767456055, 0.5961577892303467])


def test_the_last_class_of_a_samplers_range_counts():
    with tf.Graph().as_default(), tf.Session() as sess:
        classes = tf.constant([[3], [2], [0]], tf.int64)
        weights = [1.0, 2.0, 3.0, 10.0]
        found = tf.nn.fixed_unigram_candidate_sampler(classes, 1, 2, False, 4, unigrams=weights)
        counts = sess.run(found.true_expected_count)
    # of the weights' sum, 16, twice
    np.testing.assert_allclose(counts, [[1.25], [0.375], [0.125]])


@pytest.mark.parametrize("name", ["training", "nn", "crf", "image", "learn.monitors"])
def test_what_a_package_lists_is_for_programs(name):
    package = importlib.import_module(f"tfqueue.contrib.{name}")
    listed = dir(package)
    assert listed == sorted(set(listed))
    assert listed
    assert not [known for known in listed if known.startswith("_")]
    assert all(hasattr(package, known) for known in listed)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x.python", (True, True)),
        ("x.python.ops", (True, True)),
        ("x.python.ops.things", (True, False)),
        ("x.python.ops.things.more", (False, False)),
        ("learn.python.learn.estimators", (True, True)),
        ("learn.python.learn.estimators.x", (True, False)),
        ("x", (False, False)),
        ("x.ops.things", (False, False)),
        ("x.python.Ops.things", (False, False)),
        ("x.python.ops.Thing", (False, False)),
        ("x.python._ops.things", (False, False)),
        ("keras.python.things", (False, False)),
    ],
)
def test_which_names_can_be_modules_inside_a_package_of_contrib(name, expected):
    assert _old_imports._inside(f"tfqueue.contrib.{name}") == expected
    assert _old_imports._inside(f"tfqueue.{name}") == (False, False)
