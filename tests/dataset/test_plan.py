"""What the nodes of a plan give, once it is written as a program and run."""

import itertools
import linecache

import numpy as np
import pytest

import tfqueue
from tfqueue.dataset import plan, program

pytestmark = pytest.mark.usefixtures("eager")


def plainly(value):
    if isinstance(value, tuple):
        return tuple(map(plainly, value))
    return value.tolist() if hasattr(value, "tolist") else value


def iterations(node, number=1, most=1000):
    """What so many iterations over the dataset of a plan give; no more than `most` elements of each."""
    with tfqueue.eager():
        dataset = program.run(program.write(node, "inputs"))
        return [
            [plainly(each) for each in itertools.islice(dataset.as_numpy_iterator(), most)]
            for _ in range(number)
        ]


def given(node, most=1000):
    return iterations(node, 1, most)[0]


def rows(*columns, epochs=1, shuffled=False, **more):
    return plan.Rows([np.asarray(column) for column in columns], epochs, shuffled, **more)


FIVE = [5, 6, 7, 8, 9]
ABC = np.array([b"a", b"b", b"c"], object)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (rows(FIVE), FIVE),
        (rows(FIVE, epochs=2), FIVE * 2),
        (rows(FIVE, shard=(2, 1)), [6, 8]),
        (rows(FIVE, shard=(2, 0), epochs=2), [5, 7, 9] * 2),
        (rows(range(4)), [0, 1, 2, 3]),
        (rows(range(4), shard=(3, 1)), [1]),
        (rows([0, 1]), [0, 1]),
        (rows(ABC, [1, 2, 3]), [(b"a", 1), (b"b", 2), (b"c", 3)]),
        (rows(range(3), [7, 8, 9]), [(0, 7), (1, 8), (2, 9)]),
        (rows([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (
            rows(FIVE, in_order=[np.array([9, 5, 9])], epochs=3, shuffled=True, shard=(2, 1)),
            [9, 5, 9],
        ),
        (rows([5], shuffled=True, seed=1, epochs=2), [5, 5]),
        (rows(np.arange(300) + 1), [*range(1, 301)]),
        (rows(FIVE, served=True), FIVE),
        (rows(FIVE, served=True, epochs=2), FIVE * 2),
        (rows(FIVE, served=True, epochs=2, shard=(2, 1)), [6, 8] * 2),
        (rows(ABC, [1, 2, 3], served=True), [(b"a", 1), (b"b", 2), (b"c", 3)]),
        (
            rows(FIVE, served=True, in_order=[np.array([9, 5, 9])], epochs=3, shuffled=True),
            [9, 5, 9],
        ),
        (rows(np.zeros([0], np.int64), served=True, epochs=3), []),
        (rows([5], served=True, shuffled=True, seed=1, epochs=3), [5] * 3),
        (plan.Batch(plan.Unbatch(rows([[1, 2], [3, 4]])), 3, True), [[1, 2, 3], [4]]),
        (plan.Batch(rows(FIVE), 2, True), [[5, 6], [7, 8], [9]]),
        (plan.Batch(rows(FIVE), 2, False), [[5, 6], [7, 8]]),
        (plan.Rebatch(plan.Batch(rows(FIVE), 2, True), 3, True), [[5, 6, 7], [8, 9]]),
        (plan.Rebatch(plan.Batch(rows(FIVE), 2, True), 3, False), [[5, 6, 7]]),
        (plan.Filter(rows([True, False, True], ABC)), [b"a", b"c"]),
        (plan.Filter(rows([True, False, True], ABC, [1, 2, 3])), [(b"a", 1), (b"c", 3)]),
        (plan.Split(plan.Batch(rows(FIVE), 3, False), [2, None], 1), [([5, 6], 7)]),
        (
            plan.Split(plan.Batch(rows(FIVE, range(5)), 4, False), [None, 2, None], 2),
            [(5, 0, [6, 7], [1, 2], 8, 3)],
        ),
        (plan.Share(rows(FIVE), 2, 0), [5, 7, 9]),
        (plan.Share(rows(FIVE), 2, 1), [6, 8]),
        (plan.Share(rows(range(9)), 3, 0, [1, 2, 1]), [0, 4, 8]),
        (plan.Share(rows(range(9)), 3, 1, [1, 2, 1]), [1, 2, 5, 6]),
        (plan.Share(rows(range(9)), 3, 2, [1, 2, 1]), [3, 7]),
        (plan.Zip([rows(FIVE), rows(ABC, [1, 2, 3])]), [(5, b"a", 1), (6, b"b", 2), (7, b"c", 3)]),
        (plan.Merge([rows([1, 2, 3]), rows([7])]), [1, 7, 2, 3]),
        (plan.Sort(rows([3, 1, 3, 0], [0, 1, 2, 3]), 2), [(0, 3), (1, 1), (3, 0), (3, 2)]),
        (
            plan.Bucket(rows([0, 1, 0, 1, 1], FIVE), [2, 2], True, None),
            [(0, [5, 7]), (1, [6, 8]), (1, [9])],
        ),
        (plan.Bucket(rows([0, 1, 0, 1, 1], FIVE), [2, 2], False, None), [(0, [5, 7]), (1, [6, 8])]),
        (
            plan.Bucket(rows([0, 1, 0, 1, 1, 2, -1], range(7)), [1, 3], True, None),
            [(0, [0]), (0, [2]), (1, [1, 3, 4])],
        ),
    ],
)
def test_what_a_node_gives(node, expected):
    assert given(node) == expected


@pytest.mark.parametrize("more", [{}, {"served": True}])
def test_rows_without_an_end(more):
    endless = rows(FIVE, epochs=None, **more)
    assert given(endless, most=12) == (FIVE * 3)[:12]
    assert plan.endless(endless)


@pytest.mark.parametrize("name", ["int32", "int64", "uint8"])
def test_numbers_keep_their_dtype(name):
    with tfqueue.eager():
        dataset = program.run(program.write(rows(np.arange(4).astype(name)), "inputs"))
        assert dataset.element_spec.dtype.name == name


@pytest.mark.parametrize(
    "more", [{"seed": 3}, {"seed": None}, {"served": True, "seed": 3}, {"drawn": (3, 7)}]
)
def test_each_epoch_has_all_rows_in_an_order_of_its_own(more):
    many = [*range(10, 40)]
    found = given(rows(many, epochs=2, shuffled=True, **more))
    first, second = found[:30], found[30:]
    assert sorted(first) == sorted(second) == many
    assert many != first != second


@pytest.mark.parametrize("count", [2, 3])
def test_a_steady_order_is_a_new_one_in_each_epoch(count):
    node = rows(range(7, 7 + count), epochs=12, shuffled=True, steady=True, seed=1)
    first, second = iterations(node, 2)
    epochs = {tuple(first[at : at + count]) for at in range(0, len(first), count)}
    assert first == second
    assert len(epochs) > 1


def test_one_row_is_not_shuffled():
    for more in ({}, {"steady": True}, {"served": True}):
        source = program.write(rows([5], shuffled=True, seed=1, **more), "inputs")
        assert "shuffle" not in source
        assert "map(" in source if more == {"served": True} else "map(" not in source


def test_numbers_of_rows_that_are_served_once_are_taken_as_they_are():
    assert "lambda i: i)" not in program.write(rows(FIVE, served=True), "inputs")
    assert "lambda i: i %" in program.write(rows(FIVE, served=True, epochs=2), "inputs")


@pytest.mark.parametrize(
    ("more", "same"),
    [
        ({"seed": 3}, False),
        ({"seed": 3, "steady": True}, True),
        ({"seed": 3, "served": True}, True),
        ({"drawn": (3, 7)}, True),
        ({"seed": 3, "steady": True, "values": range(30)}, True),
    ],
)
def test_whether_every_iteration_has_the_same_order(more, same):
    values = more.pop("values", range(10, 40))
    first, second = iterations(rows(values, epochs=2, shuffled=True, **more), 2)
    assert sorted(first) == sorted(second) == sorted([*values] * 2)
    assert (first == second) is same


@pytest.mark.parametrize(("steady", "same"), [(True, True), (False, False)])
def test_a_shuffling_queue(steady, same):
    first, second = iterations(plan.Shuffle(rows(range(30)), 10, 3, steady), 2)
    assert sorted(first) == sorted(second) == [*range(30)]
    assert (first == second) is same
    assert all(number < place + 10 for place, number in enumerate(first)), "10 are waited for"
    assert first != sorted(first)
    unseeded = given(plan.Shuffle(rows(range(30)), 10, None))
    assert sorted(unseeded) == [*range(30)]


# -- the program ------------------------------------------------------------------------------------


def test_the_lines_of_a_program_are_known_to_tracebacks():
    source = program.write(rows(FIVE), "inputs")
    program.run(source)
    place = f"<tfqueue.dataset {hash(source):x}>"
    assert "".join(linecache.getlines(place)) == source
    assert linecache.cache[place][0] == len(source)


def test_the_name_of_a_function_is_cut_off():
    for name, told in (("a" * 40, "a" * 40), ("a" * 41, "a" * 37 + "...")):
        assert f'of {told}, as a tf.data program."""' in program.write(rows(FIVE), name)


@pytest.mark.parametrize(("of", "is_text"), [(200, True), (201, False)])
def test_an_array_of_many_values_is_a_parameter_once(of, is_text):
    array = np.arange(of) * 2
    node = plan.Zip([rows(array), rows(array)])
    source = program.write(node, "inputs")
    assert [*source.arrays] == ([] if is_text else ["rows"])
    assert given(node) == [(k, k) for k in array.tolist()]
    other = program.write(plan.Zip([rows(array), rows(array.copy())]), "inputs")
    assert len(other.arrays) == (0 if is_text else 2)


@pytest.mark.parametrize("first", ["made", "tf.made()"])
def test_a_long_chain_of_calls_is_written_in_several_lines(first):
    writer = program._Writer()
    assert writer.let("x", first, "a()", "b()") == "x"
    calls = [f"{name}({'1' * 40})" for name in "abc"]
    assert writer.let("x", first, *calls) == "x_2"
    *begin, second, third = writer.lines[1:]
    assert writer.lines[0] == f"x = {first}.a().b()"
    if first == "made":
        assert begin == [f"x_2 = made.{calls[0]}"]
    else:
        assert begin == ["x_2 = tf.made()", f"x_2 = x_2.{calls[0]}"]
    assert [second, third] == [f"x_2 = x_2.{call}" for call in calls[1:]]


# -- what is asked of a plan ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([np.arange(3)], True),
        ([np.arange(3, dtype=np.int32)], True),
        ([np.arange(2)], False),
        ([np.arange(3.0)], False),
        ([np.arange(1, 4)], False),
        ([np.arange(3)[:, None]], False),
        ([np.arange(3)] * 2, False),
        ([ABC], False),
    ],
)
def test_whether_rows_are_a_range(columns, expected):
    assert plan.is_range(columns) == expected


@pytest.mark.parametrize(
    ("shard", "count"), [(None, 5), ((1, 0), 5), ((2, 0), 3), ((2, 1), 2), ((9, 7), 0)]
)
def test_how_many_rows_an_epoch_has(shard, count):
    assert rows(FIVE, shard=shard).count == count


def read(up_to=None):
    return plan.Read(rows(ABC), "TextLineReader", {"skip_header_lines": 0}, False, up_to)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (rows(FIVE), False),
        (plan.Batch(rows(FIVE), 2, True), True),
        (plan.Bucket(rows(FIVE), [2], True, None), True),
        (plan.Unbatch(plan.Batch(rows(FIVE), 2, True)), False),
        (plan.Shuffle(plan.Batch(rows(FIVE), 2, True), 2, None), True),
        (plan.Zip([rows(FIVE), plan.Batch(rows(FIVE), 2, True)]), True),
        (read(), False),
        (read(8), True),
        (plan.Shuffle(read(8), 2, None), True),
        (plan.Shuffle(read(), 2, None), False),
    ],
)
def test_whether_elements_are_batches(node, expected):
    assert plan.of_batches(node) is expected


def test_what_a_node_takes_from():
    one, other = rows(FIVE), plan.Count(None)
    both = plan.Zip([one, other])
    assert both.inputs == [one, other]
    assert plan.Shuffle(one, 3, None).inputs == [one]
    assert one.inputs == other.inputs == []
    assert [*plan.walk(plan.Unbatch(both))][1:] == [both, one, other]
    assert not plan.endless(both)
    assert plan.endless(plan.Zip([other, plan.Count(None)]))
    assert not plan.endless(plan.Count(3))


def test_a_node_is_built_again_with_other_inputs():
    one, other = rows(FIVE), rows(ABC)
    swap = {one: other, other: one}.get
    both = plan.rebuilt(plan.Zip([one, other]), swap)
    assert both.inputs == [other, one]
    mixed = plan.rebuilt(plan.Shuffle(one, 3, 4), swap)
    assert (mixed.source, mixed.buffer, mixed.seed) == (other, 3, 4)
    assert plan.rebuilt(one, swap).values is one.values
