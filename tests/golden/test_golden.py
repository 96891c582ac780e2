"""tfqueue.v1 against the originals: each scenario's result equals what the old release gave.

The scenarios and what TensorFlow 1.15.5 and 0.12.1 made of them stand in tests/golden/ (`make golden`
makes them anew). Here the same source runs under `tfqueue.v1`.
"""

from __future__ import annotations

import fnmatch
import importlib.util
import json
import math
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf

# The originals dropped the last batch and read cut files in silence; that we tell is no difference.
pytestmark = pytest.mark.filterwarnings("ignore::tfqueue.errors.TFQueueWarning")

GOLDEN = pathlib.Path(__file__).parent


def _load(name):
    spec = importlib.util.spec_from_file_location("golden_" + name, GOLDEN / (name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kit = _load("kit")
writers = _load("writers")

# What differs for a reason: scenario (era/subject/name), place in its result, reason. Patterns as of
# a shell. Every other place is still compared, and a row that no longer differs fails its test.
KNOWN_DIFFERENCES = [
    (
        "115/parsing/single_*",
        "static/*name",
        "2.21 parses one Example by the op ParseExampleV2, which has another name",
    ),
    ("115/parsing/batch_*", "static/*name", "the op is ParseExampleV2 now and named so"),
    (
        "115/parsing/sequence_*",
        "static/*name",
        "the op is ParseSequenceExampleV2 now and named so",
    ),
    ("115/decoding/raw_types_refused", "bfloat16", "2.21 can decode it"),
    ("115/decoding/png_there_and_back", "static/1/name", "decode_image is one op in 2.21"),
    (
        "012/early/collections_of_a_producer",
        "*",
        "match_filenames_once is a local variable since 1.0; where the eras disagree 1.15 counts",
    ),
    (
        "012/early/only_the_global_initialiser",
        "*",
        "match_filenames_once is a local variable since 1.0; where the eras disagree 1.15 counts",
    ),
    ("012/early/names_of_pack_and_unpack", "plain/*", "they are stack and unstack, and named so"),
    (
        "012/early/*_loss_by_position",
        "*",
        "logits came first up to 0.12; where the eras disagree 1.15 counts, and `tfqueue run` ports it",
    ),
]

SCENARIOS = {
    f"{era}/{subject}/{name}": (era, subject, name, function)
    for era in ("115", "012")
    for subject, functions in kit.discover("scenarios_" + era).items()
    for name, function in functions
}
RECORDED = {
    f"{path.parent.name}/{path.stem}/{name}": result
    for era in ("115", "012")
    for path in sorted((GOLDEN / era).glob("*.json"))
    for name, result in json.loads(path.read_text("ascii")).items()
}


def performed(scenario):
    """What `tfqueue.v1` makes of a scenario, as JSON gives it back."""
    era, _, _, function = SCENARIOS[scenario]
    with tf.Graph().as_default():
        try:
            result = function(tf, kit.Kit(tf, np, str(GOLDEN / ("files_" + era))))
        except Exception as raised:
            if not rows_of(scenario):
                raise
            result = {"raised": type(raised).__name__}
    return json.loads(json.dumps(result))


def told_earlier(expected, actual):
    """Whether a failure's true cause came out at the run instead of at `join` only.

    TensorFlow 1 ended the data with OutOfRangeError and gave the cause to whoever joined the
    threads; that the cause is raised at once is what tfqueue promises.
    """
    if not (isinstance(expected, dict) and expected.get("joined") and "end" in expected):
        return False
    cause = expected["joined"]
    return actual.get("end") == cause and actual.get("joined") in (cause, None)


# Subjects whose numbers are sums of products, which two releases add up in another order.
COMPUTED = ("columns", "crf", "exports", "heads", "images", "learn", "seq2seq")


def _close(expected, actual):
    numbers = isinstance(expected, float) and isinstance(actual, float)
    return numbers and math.isclose(expected, actual, rel_tol=1e-4, abs_tol=5e-6)


def differences(expected, actual, place="", close=False):
    """Yields `(place, expected, actual)` wherever two results differ, floats included.

    Args:
      expected: What the original gave.
      actual: What is to be compared with it.
      place: Where in the results this is.
      close: Whether floats may differ by rounding.
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        skipped = {"end", "joined"} if told_earlier(expected, actual) else set()
        for key in sorted((expected.keys() | actual.keys()) - skipped):
            there = f"{place}/{key}".lstrip("/")
            one, other = expected.get(key, "(none)"), actual.get(key, "(none)")
            yield from differences(one, other, there, close)
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            yield from differences(*pair, f"{place}/{index}".lstrip("/"), close)
    elif close and _close(expected, actual):
        return
    elif expected != actual or type(expected) is not type(actual):
        yield place, expected, actual


def rows_of(scenario):
    return [row for row in KNOWN_DIFFERENCES if fnmatch.fnmatch(scenario, row[0])]


# Subjects that train models.
SLOW = ("columns", "exports", "heads", "seq2seq")
# What takes longest, and is of the kind of another scenario.
EXHAUSTIVE = (
    "115/columns/estimator_combined",
    "115/columns/estimator_linear",
    "115/columns/learn_combined",
    "115/columns/learn_linear",
    "115/exports/contrib_canned",
    "115/heads/many_labels_reduced",
    "115/seq2seq/legacy_attention_fed_by_a_tensor",
    "115/seq2seq/training_two_attentions",
)


def _marks(scenario, subject):
    slow = [pytest.mark.slow] if subject in SLOW else []
    return [*slow, pytest.mark.exhaustive] if scenario in EXHAUSTIVE else slow


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(name, marks=_marks(name, subject))
        for name, (_, subject, _, _) in SCENARIOS.items()
    ],
)
def test_like_the_original(scenario):
    excused = [pattern for _, pattern, _ in rows_of(scenario)]
    found = [
        f"{place}: {expected!r} in the original, {actual!r} here"
        for place, expected, actual in differences(
            RECORDED[scenario], performed(scenario), close=SCENARIOS[scenario][1] in COMPUTED
        )
        if not any(fnmatch.fnmatch(place, pattern) for pattern in excused)
    ]
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("row", KNOWN_DIFFERENCES, ids=lambda row: f"{row[0]} {row[1]}")
def test_a_known_difference_is_still_one(row):
    scenario_pattern, place_pattern, _ = row
    assert any(
        fnmatch.fnmatch(place, place_pattern)
        for scenario in fnmatch.filter(SCENARIOS, scenario_pattern)
        for place, _, _ in differences(RECORDED[scenario], performed(scenario))
    ), "no longer differs: take the row out"


def test_every_scenario_is_recorded_and_nothing_else():
    assert sorted(SCENARIOS) == sorted(RECORDED)


@pytest.mark.parametrize("era", ["115", "012"])
def test_our_writer_writes_the_same_bytes(era, tmp_path):
    for name in writers.write_all(tf, str(tmp_path)):
        old = (GOLDEN / ("files_" + era) / name).read_bytes()
        assert (tmp_path / name).read_bytes() == old, name


@pytest.mark.parametrize("era", ["115", "012"])
@pytest.mark.parametrize("suffix", writers.COMPRESSIONS)
@pytest.mark.parametrize("kind", writers.RECORDS)
def test_files_of_old_releases_read_back(era, suffix, kind):
    compression = getattr(tf.python_io.TFRecordCompressionType, writers.COMPRESSIONS[suffix])
    path = GOLDEN / ("files_" + era) / f"{kind}.tfrecord{suffix}"
    options = tf.python_io.TFRecordOptions(compression)
    read = list(tf.python_io.tf_record_iterator(str(path), options))
    assert read == writers.RECORDS[kind](tf)


@pytest.mark.parametrize("era", ["115", "012"])
def test_the_plain_inputs_are_what_writers_py_says(era, tmp_path):
    writers.write_all(tf, str(tmp_path))
    writers.write_inputs(str(tmp_path))
    committed = {path.name: path.read_bytes() for path in (GOLDEN / ("files_" + era)).iterdir()}
    assert committed == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
