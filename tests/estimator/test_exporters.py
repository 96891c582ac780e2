"""When an exporter writes a model, with which arguments, and how many of its exports stay."""

import itertools

import pytest

import tfqueue.v1 as tf

estimator = tf.estimator


class Model:
    """Writes an export as a folder, and notes how it was asked to."""

    def __init__(self, folder):
        self.model_dir, self.numbers, self.asked = str(folder), itertools.count(1600000000), []

    def export_saved_model(self, path, receiver_fn, **given):
        self.asked.append((path, receiver_fn, given))
        folder = f"{path}/{next(self.numbers)}"
        tf.gfile.MakeDirs(folder)
        tf.gfile.GFile(f"{folder}/saved_model.pb", "w").close()
        return folder


def receive():
    """Stands for a function that receives examples."""


def exported(exporter, model, results, final=False):
    """Whether each evaluation was exported; its folder is what the exporter returns."""
    out = f"{model.model_dir}/export/{exporter.name}"
    found = []
    for result in results:
        before = len(model.asked)
        folder = exporter.export(model, out, "model.ckpt-3", result, final)
        found.append(len(model.asked) > before)
        assert (folder is not None) == found[-1]
        assert folder is None or tf.gfile.IsDirectory(folder)
    return found


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        ("FinalExporter", {}, 7),
        ("LatestExporter", {}, 5),
        ("LatestExporter", {"exports_to_keep": None}, 7),
        ("LatestExporter", {"exports_to_keep": 1}, 1),
        ("BestExporter", {}, 5),
        ("BestExporter", {"exports_to_keep": None}, 7),
        ("BestExporter", {"exports_to_keep": 2}, 2),
    ],
)
def test_how_many_exports_stay(tmp_path, kind, given, kept):
    """The defaults are those of 1.15.5."""
    model = Model(tmp_path)
    exporter = getattr(estimator, kind)("out", receive, **given)
    results = [{"loss": 9.0 - number} for number in range(7)]
    assert exported(exporter, model, results, final=True) == [True] * 7
    names = [path.name for path in (tmp_path / "export" / "out").iterdir()]
    assert sorted(names) == [str(number) for number in range(1600000007 - kept, 1600000007)]


@pytest.mark.parametrize("kind", ["FinalExporter", "LatestExporter", "BestExporter"])
def test_how_a_model_is_written(tmp_path, kind):
    model = Model(tmp_path)
    plain = getattr(estimator, kind)("out", receive)
    full = getattr(estimator, kind)("o", receive, assets_extra={"a": "b"}, as_text=True)
    for exporter in (plain, full):
        exporter.export(model, str(tmp_path / "x"), "model.ckpt-3", {"loss": 1.0}, True)
    given = {"assets_extra": None, "as_text": False, "checkpoint_path": "model.ckpt-3"}
    assert model.asked == [
        (str(tmp_path / "x"), receive, given),
        (str(tmp_path / "x"), receive, {**given, "assets_extra": {"a": "b"}, "as_text": True}),
    ]


def test_when_a_model_is_written(tmp_path):
    results = [{"loss": loss} for loss in (3.0, 4.0, 3.0, 2.0, 1.0, 5.0)]
    final = estimator.FinalExporter("final", receive)
    assert exported(final, Model(tmp_path), results) == [False] * 6
    assert exported(final, Model(tmp_path), results[:1], final=True) == [True]
    latest = estimator.LatestExporter("latest", receive)
    assert exported(latest, Model(tmp_path), results) == [True] * 6
    best = estimator.BestExporter("best", receive)
    assert exported(best, Model(tmp_path), results) == [True, False, False, True, True, False]


def more(best_eval_result, current_eval_result):
    return current_eval_result["accuracy"] > best_eval_result["accuracy"]


def summary(folder, values):
    with tf.summary.FileWriter(str(folder)) as writer:
        rows = [tf.Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        writer.add_summary(tf.Summary(value=rows), 1)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="h", histo={})]), 2)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [False, True]),
        ({"event_file_pattern": None}, [True, True]),
        ({"event_file_pattern": "eval_x/*.tfevents.*"}, [True, True]),
        ({"event_file_pattern": "*/*.tfevents.*", "compare_fn": more}, [False, True]),
    ],
)
def test_earlier_evaluations_count(tmp_path, given, expected):
    summary(tmp_path / "eval", {"loss": 3.0, "accuracy": 0.5})
    summary(tmp_path / "eval" / "deeper", {"loss": 0.0, "accuracy": 1.0})
    summary(tmp_path / "eval_more", {"loss": 0.0, "accuracy": 0.25})
    results = [{"loss": 4.0, "accuracy": 0.5}, {"loss": 2.0, "accuracy": 0.75}]
    best = estimator.BestExporter("best", receive, **given)
    assert exported(best, Model(tmp_path), results) == expected


def test_the_files_are_read_once_for_each_model(tmp_path):
    one, two = Model(tmp_path / "one"), Model(tmp_path / "two")
    best = estimator.BestExporter("best", receive)
    assert exported(best, one, [{"loss": 3.0}]) == [True]
    summary(tmp_path / "one" / "eval", {"loss": 0.0})
    assert exported(best, one, [{"loss": 2.0}]) == [True]
    assert exported(best, two, [{"loss": 9.0}]) == [True], "has no evaluation yet"
    assert exported(best, one, [{"loss": 1.0}]) == [False], "is read anew"


@pytest.mark.parametrize("results", [[{"loss": 1.0}, {}], [{"loss": 1.0}, {"a": 2}]])
def test_an_evaluation_without_a_loss(tmp_path, results):
    best = estimator.BestExporter("best", receive)
    with pytest.raises(
        ValueError, match=r"^current_eval_result cannot be empty or no loss is found in it\.$"
    ):
        exported(best, Model(tmp_path), results)
    best = estimator.BestExporter("best", receive)
    with pytest.raises(
        ValueError, match=r"^best_eval_result cannot be empty or no loss is found in it\.$"
    ):
        exported(best, Model(tmp_path), results[::-1])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: estimator.BestExporter(compare_fn=lambda a, best_eval_result: True),
            r"must take best_eval_result and current_eval_result, not \['a', 'best_eval_result'\]\.$",
        ),
        (lambda: estimator.BestExporter(compare_fn=None), r"^`compare_fn` must not be None\.$"),
        (
            lambda: estimator.LatestExporter("a", receive, exports_to_keep=-1),
            "^`exports_to_keep` must be a positive number: -1$",
        ),
    ],
)
def test_an_exporter_that_cannot_be(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_an_exporter_has_a_name():
    assert estimator.BestExporter().name == "best_exporter"
    assert (estimator.FinalExporter("f", receive).name, estimator.Exporter.name) == ("f", None)
    for kind in ("FinalExporter", "LatestExporter", "BestExporter"):
        assert issubclass(getattr(estimator, kind), estimator.Exporter)
