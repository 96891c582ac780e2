"""Readers by files by epochs: plain queues, the lift, the written program and a service agree.

The cases are the product of a few lists. What the queues give is taken from `tf.compat.v1` itself,
run in a session. A service of two workers gives the same, or the pipeline is refused by name.
"""

import collections
import contextlib
import itertools

import numpy as np
import pytest
import tensorflow

import tfqueue
from tests.dataset import local_service
from tests.dataset.lifted import written
from tests.suite import samples
from tfqueue import errors

pytestmark = [
    pytest.mark.filterwarnings("ignore::tfqueue.errors.WaitingWarning"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.DroppedElementsWarning"),
]

v1 = tensorflow.compat.v1
LINES = (4, 2, 7, 1, 5)
"""Of each file: they are of unequal length."""


@pytest.fixture(scope="module")
def address():
    with local_service.running_beside() as target:
        yield target


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("files")
    for k, count in enumerate(LINES):
        (made / f"{k}.txt").write_text("".join(f"{k}:{i}\n" for i in range(count)))
    return made


def joined(files, readers, epochs, shuffle, *, mixed=False, unlike=False):
    """Lines out of several readers; `unlike` ones do not do the same, which each line tells."""
    names = v1.train.string_input_producer(files, num_epochs=epochs, shuffle=shuffle)
    lines = [v1.TextLineReader().read(names)[1] for _ in range(readers)]
    if unlike:
        lines = [v1.string_join([line, f" {k}"]) for k, line in enumerate(lines)]
    smaller = {"allow_smaller_final_batch": epochs is not None}
    lines = [[line] for line in lines]
    if mixed:
        return (v1.train.shuffle_batch_join(lines, 4, 20, 8, **smaller),)
    return (v1.train.batch_join(lines, 4, **smaller),)


def mixed_up(*case):
    return joined(*case, mixed=True)


def unlike(*case):
    return joined(*case, unlike=True)


def paired(files, readers, epochs, shuffle, seed=7):
    """Each file by two readers, whose producers keep in step: in order, or by one seed."""
    ways = {"num_epochs": epochs, "shuffle": shuffle, "seed": seed if shuffle else None}
    queues = [v1.train.string_input_producer(files, **ways) for _ in range(2)]
    contents = [v1.WholeFileReader().read(queue)[1] for queue in queues]
    return v1.train.batch(contents, 4, allow_smaller_final_batch=epochs is not None)


MORE = pytest.mark.exhaustive, pytest.mark.slow
CASES = [
    pytest.param(
        *case,
        id="-".join(map(str, [case[0].__name__, *case[1:]])),
        # A part of each kind in the quick suite: the numbers of that are far from each other.
        marks=[] if place % 13 == 4 else MORE[place % 10 == 0],
    )
    for place, case in enumerate(
        (kind, readers, count, epochs, shuffle)
        for kind, readers, count, epochs, shuffle in itertools.product(
            [joined, mixed_up, unlike, paired], [1, 2, 3], [1, 2, 5], [1, 2, None], [False, True]
        )
        if kind is not paired or readers == 1
        if kind is not unlike or readers > 1
    )
]
SOME = 60
"""Elements that are taken of data without end: more than three epochs of all files."""


def queues(build):
    """What TensorFlow's own queues give: a tuple for each element, up to `SOME` elements."""
    found = []
    with tensorflow.Graph().as_default() as graph:
        fetches = build()
        with v1.Session(graph=graph) as sess:
            sess.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
            coord = v1.train.Coordinator()
            threads = v1.train.start_queue_runners(sess, coord)
            with contextlib.suppress(v1.errors.OutOfRangeError):
                while len(found) < SOME:
                    found += elements(sess.run(list(fetches)))
            coord.request_stop()
            coord.join(threads)
    return found


def elements(batch):
    return list(zip(*(np.asarray(part).tolist() for part in batch), strict=True))


def taken(dataset, wanted, kind):
    """The elements of a dataset, of one without end so many that all that are wanted have come."""
    found = []
    for batch in dataset:
        found += elements(batch)
        if len(found) >= SOME and wanted <= said(found, kind).keys():
            break
        assert len(found) < 100 * SOME, "an element does not come"
    return found


def said(found, kind):
    """How often each element is there; which of unlike readers read it is left to chance."""
    if kind is unlike:
        found = [(line.partition(b" ")[0],) for (line,) in found]
    return collections.Counter(found)


@pytest.mark.parametrize(("kind", "readers", "count", "epochs", "shuffle"), samples.some(CASES, 2))
def test_the_same_elements_an_epoch(kind, readers, count, epochs, shuffle, folder, address):
    files = [str(folder / f"{k}.txt") for k in range(count)]

    def build():
        return kind(files, readers, epochs, shuffle)

    expected = said(queues(build), kind)
    if epochs is not None:
        lines = sum(LINES[:count]) if kind is not paired else count
        assert expected.total() == lines * epochs
    with tfqueue.eager():
        ways = [tfqueue.dataset(build), written(tfqueue.dataset.source(build))]
        refusal = None
        try:
            ways.append(tfqueue.dataset(build, service=address))
        except errors.CannotLiftError as error:
            refusal = str(error)
        wanted = all_of(files, kind)
        found = [said(taken(dataset, wanted, kind), kind) for dataset in ways]
    if kind is paired:
        assert all(image == label for counted in [expected, *found] for image, label in counted)
        assert "taken together" in refusal
    elif kind is unlike:
        assert "several consumers" in refusal
    else:
        assert refusal is None
    for counted in found:
        if epochs is not None:
            assert counted == expected
        else:
            assert counted.total() >= SOME
            assert counted.keys() == wanted >= expected.keys()


def all_of(files, kind):
    found = set()
    for path in files:
        with open(path, "rb") as file:
            content = file.read()
        found |= {(content, content)} if kind is paired else {(x,) for x in content.split()}
    return found
