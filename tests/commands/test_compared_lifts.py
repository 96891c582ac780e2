"""How `tfqueue compare --lift` reads what a lift gives beside what was recorded."""

import numpy as np
import pytest

from tfqueue.commands import compare
from tfqueue.recording import record_tf1, recording


def rows(values, by_row):
    return recording.rows_of(record_tf1.rows_of([np.array(one) for one in values], by_row))


def step(**taken):
    return recording.Step(
        **{
            **{name: None for name in recording.Step.__dataclass_fields__},
            "taken": taken,
            "values": (),
        }
    )


@pytest.mark.parametrize(
    ("recorded", "arrays", "by_row"),
    [
        (None, [1], True),
        (rows([[1, 2]], True), [[5]], True),
        (rows([[1]], True), [[5]], True),
        (rows([[1]], True), [[5, 6]], True),
        (rows([1], False), [5], False),
        (rows([[1]], False), [[5]], False),
        (rows([[1]], True), [[0.5]], False),
    ],
)
def test_whether_a_lift_holds_an_element_a_row(recorded, arrays, by_row):
    assert compare._is_by_row(recorded, [np.array(one) for one in arrays]) is by_row


@pytest.mark.parametrize(
    ("recorded", "arrays", "places"),
    [
        ([[1, 2]], [[1]], [0]),
        ([[1, 2], [0.5, 1.5]], [[0.5], [1]], [1, 0]),
        ([[1, 2], [3, 4]], [[1], [2]], [0, 1]),
        ([[1, 2], [0.5, 1.5], [3, 4]], [[1], [2], [0.5]], [0, 2, 1]),
    ],
)
def test_each_recorded_component_has_its_place_in_the_lift(recorded, arrays, places):
    steps = [step(other=rows([["a"]], True)), step(queue=rows(recorded, True))]
    arrays = [np.array(one) for one in arrays]
    assert compare._component_places(steps, arrays, "f") == ("queue", places)


def test_a_lift_of_other_types_is_refused():
    with pytest.raises(ValueError, match="f: no recorded op took elements of the types"):
        compare._component_places([step(queue=rows([[1]], True))], [np.array([0.5])], "f")
