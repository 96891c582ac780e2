"""What is kept of a value, whether two are the same, and how what differs is told."""

import collections
import json
import random
import struct

import numpy as np
import pytest
import tensorflow as tf2

from tfqueue.recording import again, record_tf1, tolerances
from tfqueue.recording.outcome import Difference, Largest, Outcome
from tfqueue.recording.recording import Recording, RecordingError, Value, _value
from tfqueue.records import encode, encode_sequence


def kept(numbers, dtype="float32"):
    """What a recording keeps of an array."""
    return _value(record_tf1.described(np.array(numbers, dtype)))


# -- what is kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "name", "is_float"),
    [
        (np.zeros(1, np.float16), "float16", True),
        (np.zeros(1, np.complex64), "complex64", True),
        (np.zeros(1, tf2.bfloat16.as_numpy_dtype), "bfloat16", True),
        (np.zeros(1, np.int64), "int64", False),
        (np.zeros(1, bool), "bool", False),
        (np.array([b"a"], object), "string", False),
    ],
)
def test_kinds_of_arrays(array, name, is_float):
    assert record_tf1.dtype_name(array) == name
    assert record_tf1.is_float(array) is is_float


def test_text_is_bytes_and_an_array_of_text_has_objects():
    assert record_tf1.as_bytes("ä") == record_tf1.as_bytes(b"\xc3\xa4") == b"\xc3\xa4"
    assert record_tf1.text_of(b"a\xff") == "a\ufffd"
    assert record_tf1.text_of(7) == "7"
    for value, shape in ((b"a\0", ()), ("a", ()), (["a", "bc"], (2,)), ([b"a"], (1,))):
        array = record_tf1.as_array(value)
        assert (array.dtype, array.shape) == (np.dtype(object), shape)
    assert record_tf1.as_array(b"a\0")[()] == b"a\0"
    assert record_tf1.as_array([1, 2]).dtype.kind == "i"


def test_bytes_of_an_array_are_little_endian():
    assert record_tf1.data_of(np.array([1], ">i2")) == b"\1\0"
    assert record_tf1.data_of(np.array([1], "<i2")) == b"\1\0"
    one, two = record_tf1.data_of(np.array([b"ab", "c"], object)), b"ab"
    assert one == struct.pack("<Q", 2) + two + struct.pack("<Q", 1) + b"c"
    assert record_tf1.digest(b"abc") == "a9993e364706816aba3e"


def test_an_example_is_the_same_in_any_order():
    part = {key: encode({key: [1, 2]})[2:] for key in "ab"}
    ordered, other = part["a"] + part["b"], part["b"] + part["a"]
    examples = [b"\x0a" + bytes([len(ordered)]) + body for body in (ordered, other)]
    found = {record_tf1.canonical(each) for each in examples}
    assert len(found) == 1
    assert found != {examples[0]}
    assert record_tf1.canonical(encode({"a": [1, 2], "b": [1, 3]})) not in found
    sequence = encode_sequence({"a": 1}, {"b": [[1], [2]]})
    assert record_tf1.canonical(sequence) != record_tf1.canonical(encode({"a": 1}))
    for plain in (b"", b"text", b"\x0a", b"\x0a\x05ab", b"\x0b\x01a", b"\x0a" + b"\xff" * 6):
        assert record_tf1.canonical(plain) == plain


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"", []),
        (b"\x0a\x02ab\x12\x01c", [(b"\x0a", b"ab"), (b"\x12", b"c")]),
        (b"\x0a\x80\x01" + b"x" * 128, [(b"\x0a", b"x" * 128)]),
        (b"\x0a\x80\x81\x00" + b"x" * 128, [(b"\x0a", b"x" * 128)]),
        (b"\x0a\x03ab", None),
        (b"\x1a\x01a", None),
        (b"\x0a", None),
        (b"\x0a\x81\x80\x80\x80\x80\x00a", None),
    ],
)
def test_fields_of_a_message(data, fields):
    assert record_tf1.fields_of(data) == fields


def test_what_is_kept_of_floats():
    found = record_tf1.described(np.array([[1.0, -2.0], [np.inf, np.nan]]))
    assert (found["t"], found["s"]) == ("float64", [2, 2])
    assert found["v"][:3] == [1.0, -2.0, np.inf]
    assert found["m"][:6] == [-2.0, 1.0, -1.0, 5.0, 17.0, 2.0]
    assert found["m"][6] == pytest.approx(record_tf1.sum_by_place(np.array([1.0, -2.0]), 0))
    assert "m" not in record_tf1.described(np.float32(3.0))
    assert record_tf1.described(np.array([np.nan, np.inf]))["m"][:6] == [0.0] * 5 + [2.0]
    assert record_tf1.described(np.array([1 + 2j, 3], np.complex64))["v"] == [1.0, 2.0, 3.0, 0.0]
    assert sorted(record_tf1.described([1, 2])) == ["h", "s", "t"]
    assert record_tf1.described([[1], [2, 3]]) == {"t": "list", "s": [], "h": ""}


def test_a_sample_of_a_large_array_is_kept():
    count = record_tf1.WHOLE + 1
    array = np.arange(count, dtype=np.float32)
    sample = record_tf1.described(array)["v"]
    assert (len(sample), sample[0], sample[-1]) == (record_tf1.SAMPLE, 0.0, float(count - 1))
    assert len(record_tf1.described(array[1:])["v"]) == record_tf1.WHOLE


def test_moments_of_several_blocks_add_up():
    array = np.sin(np.arange(record_tf1.BLOCK + 5, dtype=np.float32))
    array[3], array[-1] = np.nan, -np.inf
    found, finite = record_tf1.moments(array), array[np.isfinite(array)].astype(np.float64)
    assert found[:2] == [finite.min(), finite.max()]
    assert found[2:5] == pytest.approx([(finite**power).sum() for power in (1, 2, 4)])
    assert found[5] == 2.0
    moved = array.copy()
    moved[[10, 11]] = moved[[11, 10]]
    assert record_tf1.moments(moved)[2] == pytest.approx(found[2])
    assert record_tf1.moments(moved)[6] != pytest.approx(found[6], abs=1e-9)


def test_a_value_that_is_kept_whole_comes_back():
    for array in (np.array([[1, 2]], ">i4"), np.array(2.5), np.array([b"\xff", b""], object)):
        back = record_tf1.unpacked(json.loads(json.dumps(record_tf1.packed(array))))
        assert back.tolist() == array.tolist()
        assert back.shape == array.shape


def test_generators_are_set_to_what_they_were():
    before = json.loads(json.dumps(record_tf1.generators()))
    drawn = np.random.rand(3).tolist(), random.random()
    record_tf1.set_generators(before)
    assert (np.random.rand(3).tolist(), random.random()) == drawn
    for part, place in (("numpy", 2), ("python", 1)):
        for wrong in (-1, 625):
            broken = json.loads(json.dumps(before))
            if part == "numpy":
                broken[part][place] = wrong
            else:
                broken[part][place][-1] = wrong
            with pytest.raises(ValueError, match="no state of a generator"):
                record_tf1.set_generators(broken)
    record_tf1.set_generators(before)


# -- whether two are the same ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (kept([1.0]), kept([1.0], "float64"), ("float32", "float64")),
        (kept([1.0]), kept([[1.0]]), ("of shape (1)", "of shape (1, 1)")),
        (kept([1], "int32"), kept([2], "int32"), None),
        (kept([1.0, 2.0]), kept([1.0, 2.00001]), "same"),
        (kept([1.0, 2.0]), kept([1.0, 2.0001]), ("2", "2.0000999")),
        (kept([0.0, 2.0]), kept([1e-5, 2.0]), "same"),
        (kept([0.0, 2.0]), kept([3e-5, 2.0]), ("0", "2.99999992e-05")),
        (kept([0.0]), kept([5e-8]), "same"),
        (kept([0.0], "float64"), kept([5e-8], "float64"), ("0", "5e-08")),
        (kept([0.0, 0.0], "float64"), kept([-0.0, 0.0], "float64"), "same"),
        (kept([np.nan, 1.0]), kept([np.nan, 1.00001]), "same"),
        (kept([np.nan, 1.0]), kept([1.0, 1.0]), ("nan", "1")),
    ],
)
def test_whether_two_values_are_the_same(old, new, told):
    found = tolerances.difference(old, new, 1e-5)
    if told == "same":
        assert found is None
    elif told is None:
        assert found == (f"digest {old.digest}", f"digest {new.digest}")
    else:
        assert (found[0], found[1][: len(told[1])]) == told


def test_each_update_adds_its_rounding():
    old, new = kept([1.0]), kept([1.00005])
    assert tolerances.difference(old, new, 1e-5)
    assert tolerances.difference(old, new, 1e-5, updates=5) is None
    zero, tiny = kept([0.0]), kept([4e-7])
    assert tolerances.difference(zero, tiny, 0.0)
    assert tolerances.difference(zero, tiny, 0.0, updates=1) is None


def with_moments(*moments, size=100, sample=(1.0,)):
    return Value("float32", (size,), f"{moments}{sample}", sample=sample, moments=moments)


SAME = (-1.0, 1.0, 5.0, 50.0, 40.0, 0.0, 3.0)


@pytest.mark.parametrize(
    ("place", "by", "told"),
    [
        (0, 2e-5, "of minimum -1"),
        (0, 9e-6, None),
        (1, -2e-5, "of maximum 1"),
        (1, 9e-6, None),
        (2, 1e-3, "of sum 5"),
        (2, 7e-4, None),
        (5, 1.0, "with 0 not finite"),
        (6, 1e-3, "of sum by place 3"),
        (6, 7e-4, None),
    ],
)
def test_moments_tell_apart_what_a_sample_does_not(place, by, told):
    other = list(SAME)
    other[place] += by
    found = tolerances.difference(with_moments(*SAME), with_moments(*other), 1e-5)
    assert (found and found[0]) == told


def test_values_of_other_tags_and_samples():
    one, other = (Value("s", (), tags, tags=(tags, "x")) for tags in "ab")
    assert tolerances.difference(one, other, 1.0) == ("of tags a, x", "of tags b, x")
    fewer = with_moments(*SAME, sample=(1.0, 2.0))
    assert tolerances.difference(with_moments(*SAME), fewer, 1.0)[0].startswith("digest")
    bare = Value("float32", (100,), "d", sample=(1.0,))
    assert tolerances.difference(with_moments(*SAME), bare, 1e-5) is None


@pytest.mark.parametrize(
    ("old", "new", "scale", "place"),
    [
        ([1.0, 2.0], [1.0, 2.0], None, None),
        ([1.0, 2.0, 3.0], [1.0, 2.1, 3.1], None, 1),
        ([0.0, 100.0], [0.0005, 100.0], None, None),
        ([0.0, 100.0], [0.0005, 100.0], 1.0, 0),
        ([np.nan, np.inf], [np.nan, np.inf], None, None),
        ([1, 2], [1, 3], None, 1),
        ([1 + 1j], [1 + 1.1j], None, 0),
        ([1 + 1j], [1 + 1j], None, None),
    ],
)
def test_the_first_place_that_differs(old, new, scale, place):
    assert tolerances.first_apart(np.array(old), np.array(new), 1e-5, scale) == place


def test_the_largest_of_what_is_finite():
    assert tolerances.largest(np.array([1.0, -3.0, np.inf, np.nan])) == 3.0
    assert tolerances.largest(np.array([np.nan])) == 0.0
    assert tolerances.largest(np.array([3 + 4j])) == 5.0


@pytest.mark.parametrize(
    ("old", "new", "dtype", "count"),
    [
        ([1.0], [1.0], "float32", 0.0),
        ([1.0, 2.0], [1.0, np.nextafter(np.float32(2), np.float32(3))], "float32", 1.0),
        ([1.0], [np.nextafter(np.float32(1), np.float32(0))], "float32", 0.5),
        ([1.0, np.nan], [1.0 + 3 * 2**-52, np.nan], "float64", 3.0),
        ([np.inf], [1.0], "float32", 0.0),
        ([1.0, np.nan], [1.0, 2.0], "float16", 0.0),
    ],
)
def test_units_in_the_last_place(old, new, dtype, count):
    assert tolerances.ulps(kept(old, dtype), kept(new, dtype)) == pytest.approx(count)


def drawn(scale=1.0, shift=0.0, count=4000, seed=0):
    return kept(np.random.RandomState(seed).randn(count) * scale + shift)


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (drawn(seed=1), None),
        (drawn(1.05, seed=1), None),
        # six times what is usual for so many normal numbers is a quotient of exp(0.0949), or 1.0995
        (drawn(1.09), None),
        (drawn(1.11), "of deviation 0.982"),
        (drawn(1.25, seed=1), "of deviation 0.982"),
        (drawn(0.8, seed=1), "of deviation 0.982"),
        (drawn(shift=0.05, seed=1), None),
        (drawn(shift=0.3, seed=1), "of mean -0.0255"),
        (drawn(0.0, -0.0255), "of deviation 0.982"),
        (drawn(count=3999), "of shape (4000)"),
    ],
)
def test_draws_of_another_distribution(new, told):
    found = tolerances.other_distribution(drawn(), new)
    assert (found and found[0]) == told


def test_few_draws_tell_nothing():
    for count, told in ((7, False), (8, True)):
        old, new = drawn(count=count), drawn(shift=99.0, count=count)
        assert bool(tolerances.other_distribution(old, new)) is told
    assert tolerances.other_distribution(kept([1], "int32"), kept([2], "int32")) is None
    same = kept([2.0] * 9)
    assert tolerances.other_distribution(same, same) is None
    # Heavy tails: the deviation of so few draws says little.
    heavy = kept([0.0] * 999 + [30.0])
    assert tolerances.other_distribution(heavy, kept([0.0] * 999 + [60.0])) is None


def test_values_that_are_the_same_but_for_their_last_digits():
    assert tolerances.rounded(kept([1.0001])) == tolerances.rounded(kept([1.0002]))
    assert tolerances.rounded(kept([1.01])) != tolerances.rounded(kept([1.02]))
    assert tolerances.rounded(kept([1], "int32")) != tolerances.rounded(kept([2], "int32"))


# -- how it is told --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "x is 2, was 1"),
        ({"step": 0}, "step 0: x is 2, was 1"),
        ({"step": 3, "line": "a.py:7"}, "step 3: x (a.py:7) is 2, was 1"),
    ],
)
def test_a_difference(given, told):
    assert str(Difference("x", "1", "2", **given)) == told


def test_an_outcome_that_all_is_the_same():
    assert str(Outcome()) == "the same: nothing was compared"
    counts = collections.Counter({"fetches": 3, "variables": 1})
    found = Outcome(compared=counts, largest=Largest("loss:0", 2.4, 0))
    assert found
    assert str(found) == (
        "the same: 3 fetches, 1 variables\n  largest difference: 2 ulp, loss:0 at step 0"
    )
    found.largest.step = None
    found.not_compared.update({"rare": 1, "often": 5})
    assert str(found).splitlines()[1:] == [
        "  largest difference: 2 ulp, loss:0",
        "  not compared: 5 often",
        "  not compared: 1 rare",
    ]


@pytest.mark.parametrize(("count", "more"), [(8, []), (9, ["  and 1 more"]), (1, [])])
def test_an_outcome_that_something_differs(count, more):
    differences = [Difference(f"x{number}", "1", "2") for number in range(count)]
    found = Outcome(differences, differences[0], collections.Counter({"fetches": 3}))
    assert not found
    assert str(found).splitlines() == [
        "different: x0 is 2, was 1",
        "  first op that differs: x0 is 2, was 1",
        *(f"  x{number} is 2, was 1" for number in range(1, min(count, 8))),
        *more,
        "  the same: 3 fetches",
    ]
    assert "the same" not in str(Outcome(differences))


def test_which_program_was_recorded(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for path in (tmp_path / "p.py", tmp_path / "here" / "p.py"):
        path.touch()

    def program(name, is_module=False):
        return again.recorded_program(Recording(name, is_module, (), {}, False, False))

    assert program("p.py") == ["p.py"]
    for name, says in (
        ("../p.py", "is not below this folder"),
        (str(tmp_path / "here" / "p.py"), "is not below this folder"),
        ("q.py", "is not here"),
        (".", "is not below this folder"),
    ):
        with pytest.raises(RecordingError, match=says):
            program(name)
    with pytest.raises(RecordingError, match=r"is a module, 'a\.b': give its file"):
        program("a.b", True)
    with pytest.raises(RecordingError, match="without --with-data, so nothing can be replayed"):
        again.run(Recording("p.py", False, (), {}, False, False), None, None, replay="old")
