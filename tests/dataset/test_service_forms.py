"""Which forms of a tf.data program give each element once under dynamic sharding, as it was seen.

`tfqueue.dataset(service=)` may write only forms that stand here with "once": each is run on a
dispatcher with two workers. Those with "more" say why others are not written.
"""

import collections
import itertools

import numpy as np
import pytest
import tensorflow

import tfqueue.v1 as tf
from tests.dataset import local_service
from tests.suite import samples
from tfqueue.dataset import conversion, old_inputs

pytestmark = [
    pytest.mark.usefixtures("eager"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.WaitingWarning"),
]

FILES, LINES = 5, 7
Dataset = tensorflow.data.Dataset


@pytest.fixture(scope="module")
def address():
    with local_service.running() as target:
        yield target


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, paths = tmp_path_factory.mktemp("files"), []
    for k in range(FILES):
        path = folder / f"{k}.txt"
        path.write_text("".join(f"{k}:{i}\n" for i in range(LINES)))
        paths.append(str(path))
    return paths


def applied(form, files, epochs):
    """The dataset of a form: method after method, each as the emitter calls it."""
    first, *methods = form.split()
    made = {
        "slices": lambda: Dataset.from_tensor_slices(files),
        "numbers": lambda: Dataset.range(len(files) * epochs),
    }[first]()
    lines = tensorflow.data.TextLineDataset
    names = tensorflow.constant(files)
    calls = {
        "row": lambda d: d.map(lambda i: tensorflow.gather(names, i % len(files))),
        "shuffle": lambda d: d.shuffle(len(files)),
        "repeat": lambda d: d.repeat(epochs),
        "flat_map": lambda d: d.flat_map(lines),
        "interleave": lambda d: d.interleave(lines, cycle_length=3),
        "parallel_interleave": lambda d: d.interleave(lines, cycle_length=3, num_parallel_calls=1),
        "mix": lambda d: d.shuffle(10),
        "batch": lambda d: d.batch(4),
        "padded_batch": lambda d: d.padded_batch(4, [None]),
        "listed": lambda d: d.map(lambda line: line[tensorflow.newaxis]),
        "map": lambda d: d.map(lambda *parts: parts, num_parallel_calls=-1),
        "unbatch": lambda d: d.unbatch(),
        "filter": lambda d: d.filter(lambda line: tensorflow.strings.length(line) > 0),
        "choose_from_datasets": lambda d: Dataset.choose_from_datasets(
            [d.filter(of_group(k)) for k in range(2)], Dataset.range(2).repeat(), False
        ),
    }
    for method in methods:
        made = calls[method](made)
    return made


def of_group(k):
    """Whether a line is of the even or of the odd files; both parts of a merge have all names."""
    return lambda line: (
        tensorflow.strings.to_number(tensorflow.strings.substr(line, 0, 1), tensorflow.int32) % 2
        == k
    )


ONCE = [
    "slices flat_map",
    "slices interleave",
    "numbers row",
    "numbers row map",
    "numbers row flat_map",
    "numbers row interleave",
    "numbers row flat_map filter",
    "numbers row flat_map map batch",
    "numbers row interleave map batch",
    "numbers row flat_map mix batch map",
    "numbers row interleave mix batch map",
    "numbers row interleave listed padded_batch",
    "numbers row flat_map batch unbatch",
    "numbers row flat_map choose_from_datasets batch",
    "numbers row interleave choose_from_datasets",
    "slices shuffle parallel_interleave",
]
MORE = ["slices repeat interleave", "slices shuffle interleave", "slices shuffle repeat interleave"]


def came(dataset, address):
    served = dataset.apply(
        local_service.SERVICE.distribute(local_service.SERVICE.ShardingPolicy.DYNAMIC, address)
    )
    elements = itertools.chain.from_iterable(tensorflow.nest.flatten(e) for e in served)
    return collections.Counter(x for e in elements for x in np.ravel(e.numpy()).tolist())


def all_lines(epochs):
    found = [f"{k}:{i}".encode() for k in range(FILES) for i in range(LINES)]
    return collections.Counter(found * epochs)


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize("form", samples.some(ONCE, 2))
def test_gives_each_element_once(form, epochs, files, address):
    if form.startswith("slices") and epochs > 1:
        form = f"{form} repeat"
    found = came(applied(form, files, epochs), address)
    expected = all_lines(epochs)
    if form.endswith(("row", "row map")):
        expected = collections.Counter([name.encode() for name in files] * epochs)
    assert found == expected


@pytest.mark.parametrize("form", MORE)
def test_gives_elements_more_than_once_and_is_not_written(form, files, address):
    found = came(applied(form, files, 2), address)
    assert found.keys() == all_lines(1).keys()
    assert found.total() > all_lines(2 if "repeat" in form else 1).total()


def inputs(files, epochs, shuffle, readers, batched):
    names = tf.train.string_input_producer(files, num_epochs=epochs, shuffle=shuffle)
    lines = [[tf.TextLineReader().read(names)[1]] for _ in range(readers)]
    if batched is None:
        return lines[0][0]
    smaller = {"allow_smaller_final_batch": epochs is not None}
    if batched == "mixed":
        return tf.train.shuffle_batch_join(lines, 4, 20, 8, **smaller)
    return tf.train.batch_join(lines, 4, **smaller)


@pytest.mark.parametrize("batched", [None, "in order", "mixed"])
@pytest.mark.parametrize("readers", [1, 3])
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("epochs", [1, 2, None])
def test_what_is_written_is_of_those_forms(epochs, shuffle, readers, batched, files):
    if batched is None and readers > 1:
        readers = 1
    built = old_inputs.call(inputs, (files, epochs, shuffle, readers, batched), {})
    text = conversion.planned(built, service="grpc://nowhere:1")[1]
    body = text[text.index("\ndef dataset(") : text.index(".distribute(")]
    form = []
    for word, call in (
        ("numbers", "Dataset.range("),
        ("row", "tf.gather("),
        ("flat_map", ".flat_map("),
        ("interleave", ".interleave("),
        ("mix", ".shuffle("),
        ("batch", ".batch("),
    ):
        if call in body:
            assert body.count(call) == 1
            form.append((body.index(call), word))
    form = " ".join(word for _, word in sorted(form))
    assert form in {row.replace(" map", "") for row in ONCE}
    for never in (".repeat(", ".shard(", "from_tensor_slices"):
        assert never not in body
