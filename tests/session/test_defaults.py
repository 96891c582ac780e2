"""The defaults of our sessions, coordinators and runners are those of the classes they stand for."""

import inspect

import pytest

import tfqueue.v1 as tf

CLASSES = [
    tf.Session,
    tf.InteractiveSession,
    tf.train.Coordinator,
    tf.train.QueueRunner,
    tf.train.Server,
    tf.train.SessionManager,
]


def defaults(function):
    return {
        name: each.default
        for name, each in inspect.signature(function).parameters.items()
        if each.default is not inspect.Parameter.empty
    }


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_defaults_are_the_originals(cls):
    compared = 0
    for name in dir(cls):
        ours, theirs = getattr(cls, name), getattr(cls.__original__, name, None)
        if theirs is None or ours is theirs or not inspect.isfunction(ours):
            continue
        if name == "__init__" or not name.startswith("_"):
            known = defaults(theirs)
            assert {k: v for k, v in defaults(ours).items() if k in known} == known, name
            compared += 1
    assert compared
