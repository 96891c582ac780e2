"""What the hooks that end a training early make of what was measured, as in 1.15.5."""

import types

import pytest

import tfqueue.v1 as tf

early = tf.estimator.experimental

UP_AND_DOWN = [(10, 5.0), (20, 3.0), (30, 4.0), (40, 3.0), (55, 6.0)]


def made(folder):
    """Stands for an estimator, which is asked for its folder and whether it is the chief's."""
    return types.SimpleNamespace(
        eval_dir=lambda: str(folder), config=types.SimpleNamespace(is_chief=True)
    )


def write(folder, rows, tag="m", suffix=""):
    with tf.summary.FileWriter(str(folder), filename_suffix=suffix) as writer:
        for step, value in rows:
            values = [tf.Summary.Value(tag=tag, simple_value=value)]
            values.append(tf.Summary.Value(tag="histogram", histo=tf.HistogramProto()))
            writer.add_summary(tf.Summary(value=values), step)


def stops(folder, name, bound, **given):
    return getattr(early, name)(made(folder), "m", bound, **given)._should_stop()


@pytest.mark.parametrize(
    ("name", "bound", "given", "expected"),
    [
        ("stop_if_higher_hook", 5.5, {}, True),
        ("stop_if_higher_hook", 6.0, {}, False),
        ("stop_if_higher_hook", 4.5, {"min_steps": 55}, True),
        ("stop_if_higher_hook", 4.5, {"min_steps": 56}, False),
        ("stop_if_lower_hook", 3.5, {}, True),
        ("stop_if_lower_hook", 3.0, {}, False),
        ("stop_if_lower_hook", 3.5, {"min_steps": 40}, True),
        ("stop_if_lower_hook", 3.5, {"min_steps": 41}, False),
        ("stop_if_no_increase_hook", 30, {}, True),
        ("stop_if_no_increase_hook", 31, {}, False),
        ("stop_if_no_increase_hook", 10, {"min_steps": 30}, True),
        ("stop_if_no_increase_hook", 26, {"min_steps": 30}, False),
        ("stop_if_no_decrease_hook", 10, {}, True),
        ("stop_if_no_decrease_hook", 35, {}, True),
        ("stop_if_no_decrease_hook", 36, {}, False),
        ("stop_if_no_decrease_hook", 15, {"min_steps": 40}, True),
        ("stop_if_no_decrease_hook", 16, {"min_steps": 40}, False),
    ],
)
def test_what_was_measured_ends_a_training(tmp_path, name, bound, given, expected):
    write(tmp_path, UP_AND_DOWN)
    assert stops(tmp_path, name, bound, **given) is expected
    assert stops(tmp_path / "none", name, bound, **given) is False
    elsewhere = {**given, "eval_dir": str(tmp_path)}
    assert stops(tmp_path / "none", name, bound, **elsewhere) is expected


def test_measurements_of_several_files_are_one_list(tmp_path):
    write(tmp_path, UP_AND_DOWN[3:], suffix=".b")
    write(tmp_path, UP_AND_DOWN[:3], suffix=".a")
    write(tmp_path, [(10, 1.0)], tag="other", suffix=".c")
    (tmp_path / "events.txt").write_text("no summary")
    found = tf.contrib.estimator.read_eval_metrics(str(tmp_path))
    expected = {step: {"m": value} for step, value in UP_AND_DOWN}
    expected[10]["other"] = 1.0
    assert (list(found), found) == ([10, 20, 30, 40, 55], expected)


@pytest.mark.parametrize(
    ("given", "every"),
    [
        ({}, (60, None)),
        ({"run_every_secs": 5}, (5, None)),
        ({"run_every_secs": None, "run_every_steps": 7}, (None, 7)),
    ],
)
def test_how_often_a_chief_asks(tmp_path, given, every):
    hooks = [early.make_early_stopping_hook(made(tmp_path), lambda: True, **given)]
    names = ("if_higher", "if_lower", "if_no_increase", "if_no_decrease")
    hooks += [
        getattr(early, f"stop_{name}_hook")(made(tmp_path), "m", 1, **given) for name in names
    ]
    for hook in hooks:
        assert (hook._timer._every_secs, hook._timer._every_steps) == every
    with pytest.raises(ValueError, match=r"^Only one of .* and `run_every_steps` must be set\.$"):
        early.stop_if_lower_hook(made(tmp_path), "m", 1, run_every_steps=3)
    with pytest.raises(TypeError, match=r"^`should_stop_fn` must be callable\.$"):
        early.make_early_stopping_hook(made(tmp_path), 3)
    with pytest.raises(
        TypeError, match=r"must have type `tf.estimator.Estimator`\. Got: <.*int'>$"
    ):
        early.make_early_stopping_hook(3, lambda: True)
