"""The lift against TensorFlow 1.15.5: what its queues gave, the dataset gives.

The scenarios of tests/golden are built as ever; where they would run a session, the tensors they
fetch are lifted, and the dataset's elements stand for what the runs returned.
"""

import importlib.util
import json
import pathlib

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.dataset.lifted import written
from tests.suite import samples
from tfqueue.dataset import conversion, old_inputs, program

pytestmark = pytest.mark.slow

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"


def _load(name):
    spec = importlib.util.spec_from_file_location(
        "golden_for_lift_" + name, GOLDEN / (name + ".py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kit = _load("kit")
RECORDED = {
    subject: json.loads((GOLDEN / "115" / f"{subject}.json").read_text("ascii"))
    for subject in ("batching", "producers", "readers")
}
SCENARIOS = {
    subject: dict(functions)
    for subject, functions in kit.discover("scenarios_115").items()
    if subject in RECORDED
}


def by_lift(built):
    """The dataset that `tfqueue.dataset` gives."""
    return program.run(conversion.planned(built)[1])


def by_program(built):
    """The dataset of the program that `tfqueue.dataset.source` gives."""
    return written(conversion.planned(built)[1])


HOW = {"lifted": by_lift, "written out": by_program}
how = "lifted"


def elements(tensors, limit=100):
    """The elements of the lifted dataset, as runs of a session would have given them, and its end."""
    structure = old_inputs._tupled(tensors, "scenario")
    flat = tf.nest.flatten(structure, expand_composites=True)
    built = old_inputs.InputGraph(tf.get_default_graph(), structure, flat, "scenario")
    with tfqueue.eager():
        found = []
        try:
            dataset = HOW[how](built)
            for one in dataset.take(limit):
                found.append(tf.nest.map_structure(_fetched, one))
        except tf.errors.OpError as error:
            return found, type(error).__name__
        return found, "OutOfRangeError" if len(found) < limit else None


def _fetched(value):
    if isinstance(value, tf.SparseTensor):
        parts = value.indices.numpy(), value.values.numpy(), value.dense_shape.numpy()
        return tf.SparseTensorValue(*parts)
    return value.numpy()


class Kit(kit.Kit):
    """Lifts where the original ran."""

    def steps(self, fetches, limit=100, **how):
        values, end = elements(fetches, limit)
        if isinstance(fetches, list):
            values = [list(value) for value in values]
        return values, {"end": end}


def lifted(subject, name):
    with tfqueue.eager(), old_inputs.building():
        result = SCENARIOS[subject][name](tf, Kit(tf, np, str(GOLDEN / "files_115")))
    return json.loads(json.dumps(result))


def read(tf, kit, reader, names, epochs=1, limit=100):
    """What the scenarios' own `_read` does in a session; the counters are the session's."""
    files = [kit.file(name) for name in names]
    pairs, end = elements(
        reader.read(tf.train.string_input_producer(files, epochs, shuffle=False)), limit
    )
    return {
        "keys": [kit.relative(key) for key, _ in pairs],
        "values": [kit.value(value) for _, value in pairs],
        "end": end,
    }


NOT_LIFTED = {
    "batching/without_epochs_initialiser": "a dataset has nothing to initialise",
    "producers/epochs_without_local_initialiser": "a dataset has nothing to initialise",
}
KEYS = (
    *("values", "pairs", "sizes", "lines", "numbers", "epochs", "keys"),
    *("each once", "of the source"),
)
COMPARED = [
    f"{subject}/{name}"
    for subject in SCENARIOS
    for name, recorded in RECORDED[subject].items()
    if any(key in recorded for key in KEYS) and f"{subject}/{name}" not in NOT_LIFTED
]


@pytest.mark.parametrize("way", HOW)
@pytest.mark.parametrize("scenario", samples.some(COMPARED, 2))
def test_gives_what_the_queues_gave(scenario, way, monkeypatch):
    monkeypatch.setitem(globals(), "how", way)
    subject, name = scenario.split("/")
    if subject == "readers":
        monkeypatch.setitem(SCENARIOS[subject][name].__globals__, "_read", read)
    expected, actual = RECORDED[subject][name], lifted(subject, name)
    if "end" in expected:
        # TensorFlow 1 spoke of the end of the data and gave the cause to who joined: it is raised.
        assert actual["end"] == (expected.get("joined") or expected["end"])
    found = {key: actual.get(key) for key in KEYS if key in expected}
    assert found == {key: expected[key] for key in found}
