"""Elements of floats whose order is free: the same but for rounding is the same, other places are not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.recording import kit
from tfqueue.recording import elements, record_tf1, recording, tolerances

RTOL = tolerances.RTOL


def _picture(seed=0, shape=(28, 24, 3)):
    """A smooth picture with some noise, float32 from 0 to 1."""
    down, across = np.mgrid[: shape[0], : shape[1]] / 32.0
    channels = np.stack([across * 0.5 + 0.2 * down, down, 0.3 * across], -1)
    return (channels + 0.05 * np.random.RandomState(seed).rand(*shape)).astype(np.float32)


def _centred(seed=0):
    """A picture as `tf.image.per_image_standardization` leaves it."""
    picture = _picture(seed)
    return ((picture - picture.mean()) / picture.std()).astype(np.float32)


def _rows(*elements, without_places=False):
    """Elements as a recording has them; early recordings lack the sums by place."""
    found = record_tf1.rows_of([np.stack(elements)], True)
    if without_places:
        del found["places"]
    return recording.rows_of(found)


def _are_same(old, new, **kwargs):
    return elements.same_row(_rows(old, **kwargs), 0, _rows(new), 0, RTOL)


def _pair_swapped(picture):
    picture = picture.copy()
    picture[3, 4], picture[20, 9] = picture[20, 9], picture[3, 4].copy()
    return picture


MOVED = {
    "flipped to the side": lambda picture: picture[:, ::-1],
    "upside down": lambda picture: picture[::-1],
    "turned": lambda picture: picture[::-1, ::-1],
    "channels in another order": lambda picture: picture[..., ::-1],
    "channels first": lambda picture: picture.transpose(2, 0, 1).reshape(picture.shape),
    "columns first": lambda picture: picture.transpose(1, 0, 2).reshape(picture.shape),
    "shifted by one": lambda picture: np.roll(picture, 1, 1),
    "two pixels exchanged": _pair_swapped,
    "half of it exchanged": lambda picture: np.roll(picture, picture.shape[0] // 2, 0),
}


@pytest.mark.parametrize("made", [_picture, _centred])
@pytest.mark.parametrize("how", MOVED)
def test_the_same_numbers_in_other_places_are_found(made, how):
    old = made()
    new = np.ascontiguousarray(MOVED[how](old))
    assert sorted(new.ravel()) == sorted(old.ravel())
    assert not _are_same(old, new)
    found = tolerances.difference(*_values(old, new), RTOL)
    assert found is not None


def _values(*arrays):
    return [recording._value(record_tf1.described(each)) for each in arrays]


@pytest.mark.parametrize("size", [70, 3 * record_tf1.BLOCK])
def test_a_fetched_value_whose_sample_agrees_is_found(size):
    old = np.random.RandomState(1).rand(size).astype(np.float32)
    kept = np.linspace(0, size - 1, record_tf1.SAMPLE).astype(np.int64)
    others = np.setdiff1d(np.arange(size), kept)
    new = old.copy()
    new[others] = old[others][::-1]
    told = tolerances.difference(*_values(old, new), RTOL)
    assert told is not None
    assert told[0].startswith("of sum by place ")


def _rounded(numbers, seed=2):
    """The numbers, each in one of the float32s beside it."""
    noise = np.random.RandomState(seed).choice([-1, 0, 1], numbers.shape)
    changed = np.where(np.isfinite(numbers), numbers + noise * np.spacing(numbers), numbers)
    return changed.astype(np.float32)


@pytest.mark.parametrize("without_places", [False, True])
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("made", [_picture, _centred])
def test_rounding_is_not_accused(made, seed, without_places):
    old = made(seed)
    new = _rounded(old, seed)
    assert not np.array_equal(old, new)
    assert _are_same(old, new, without_places=without_places)
    assert tolerances.difference(*_values(old, new), RTOL) is None


def test_centred_numbers_are_not_measured_by_their_sum():
    # All of them move to one side, as where a mean is rounded in another way.
    old = np.random.RandomState(0).randn(150_000).astype(np.float32)
    old -= old.mean()
    new = (old.astype(np.float64) + 2e-6).astype(np.float32)
    assert abs(float(new.sum() - old.sum())) > RTOL * np.abs(old).max()
    assert _are_same(old, new)
    assert _are_same(old, new, without_places=True)
    assert not _are_same(old, old + np.float32(1e-3))


def test_what_a_constant_picture_leaves_is_rounding():
    old, new = np.zeros([8, 8], np.float32), np.full([8, 8], 3e-9, np.float32)
    assert _are_same(old, new)
    assert not _are_same(old, np.full([8, 8], 3e-3, np.float32))
    assert not _are_same(old.astype(np.float64), new.astype(np.float64))
    left, right = elements.matched([(_rows(old), 0)], [(_rows(new), 0)], RTOL)
    assert not left
    assert not right


def test_what_is_not_finite_stays_in_its_place():
    old = _picture()
    old[2, 3, 0] = np.nan
    old[5, 6, 1] = np.inf
    assert _are_same(old, _rounded(old))
    assert not _are_same(old, old[:, ::-1])
    moved = old.copy()
    moved[8:, ::2], moved[8:, 1::2] = old[8:, 1::2], old[8:, ::2]
    assert not _are_same(old, moved)


def test_shuffled_elements_of_which_one_is_flipped():
    pictures = [_picture(seed) for seed in range(40)]
    old = [(_rows(*pictures), place) for place in range(40)]
    order = np.random.RandomState(3).permutation(40)
    right = [_rounded(pictures[k]) for k in order]
    found = elements.matched(old, [(_rows(*right), place) for place in range(40)], RTOL)
    assert [len(each) for each in found] == [0, 0]
    right[7] = right[7][:, ::-1]
    found = elements.matched(old, [(_rows(*right), place) for place in range(40)], RTOL)
    assert [each.total() for each in found] == [1, 1]


def test_every_numpy_has_the_same_weights():
    # The digest is that of NumPy 1.16.6 on Python 2.7 and 3.6, and of 1.18.5 on 3.7.
    assert record_tf1.digest(record_tf1.data_of(record_tf1.WEIGHTS)) == "8059de9acae472d9d2e4"


def test_originals_without_sums_by_place_are_read():
    old = recording.read(kit.ORIGINALS / "115_py37.recording")
    rows = [rows for step in old.steps for rows in step.taken.values() if rows.floats]
    assert rows
    assert not any(each.places for each in rows)
    assert all(len(v.moments) in (0, 6) for step in old.steps for v in step.values)


@pytest.mark.parametrize("places", [{"0": [[1.0, 2.0]]}, {"0": [[1.0]] * 2}, {"0": [1.0, 2.0]}, 3])
def test_sums_by_place_that_do_not_fit_are_refused(places):
    found = record_tf1.rows_of([np.ones([2, 3], np.float32)], True)
    assert len(recording.rows_of(found).places[0]) == 2
    with pytest.raises((ValueError, AttributeError, TypeError)):
        recording.rows_of({**found, "places": places})


@pytest.mark.parametrize("size", [1, 16, 1000])
def test_what_many_updates_left_of_rounding_accuses_nobody(size):
    """As of a bias before a batch normalisation, whose gradient is zero but for rounding."""
    rng = np.random.default_rng(size)
    noise = [rng.uniform(-1e-6, 1e-6, size).astype(np.float32) for _ in range(2)]
    old, new = _values(*noise)
    assert tolerances.difference(old, new, RTOL, 20) is None
    assert tolerances.difference(old, new, RTOL) is not None
    assert tolerances.difference(*_values(noise[0], noise[1] + 1e-4), RTOL, 20) is not None


def test_elements_that_are_there_twice_are_over_once_each():
    """Each of the old ones takes one of the new ones with it, and no more."""
    old = [(_rows(np.array([1.0, 2.0], "float32")), 0)] * 2
    near = np.array([1.0, np.nextafter(np.float32(2), np.float32(3))], "float32")
    new = [(_rows(near), 0)] * 2
    assert elements.matched(old, new, RTOL) == ({}, {})
    left, right = elements.matched(old, new[:1], RTOL)
    assert (sum(left.values()), right) == (1, {})
