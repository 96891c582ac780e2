"""What `tfqueue.port.libraries.scipy_values` gives: values are those of scipy 1.1.0."""

import numpy as np
import pytest
import scipy.sparse

from tfqueue.port.libraries import scipy_values

FIRST = np.array([1.0, 2, 3, 4, 5.5, 6, 7, 8.5, 9, 1.5, 2.5, 3.5])
SECOND = np.array([2, 1.5, 3.5, 3, 5, 7.5, 6, 8, 9.5, 9, 8, 7])
IMAGE = np.array([[0.1, 0.9, 0.4, 0.7], [0.6, 0.2, 0.8, 0.3], [0.5, 1.0, 0.0, 0.55]])
MATRIX = scipy.sparse.csr_matrix(np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]))


def test_tests_go_by_the_normal_distribution():
    assert scipy_values.mannwhitneyu(FIRST, SECOND) == pytest.approx((51.5, 0.123695), abs=1e-6)
    both = scipy_values.mannwhitneyu(FIRST, SECOND, alternative="two-sided")
    assert both.pvalue == pytest.approx(0.247389, abs=1e-6)
    less, greater = (
        scipy_values.mannwhitneyu(FIRST, SECOND, alternative=one).pvalue
        for one in ("less", "greater")
    )
    assert less < 0.5 < greater
    with pytest.raises(ValueError, match="identical"):
        scipy_values.mannwhitneyu([1, 1], [1, 1])
    with pytest.raises(ValueError, match="alternative"):
        scipy_values.mannwhitneyu(FIRST, SECOND, alternative="both")
    assert tuple(scipy_values.wilcoxon(FIRST, SECOND)) == pytest.approx((23.0, 0.205194), abs=1e-6)
    assert scipy_values.ks_2samp(FIRST, SECOND) == pytest.approx((0.25, 0.786417), abs=1e-6)
    assert scipy_values.binom_test([7, 3]) == pytest.approx(0.34375)


def test_an_even_number_of_points():
    assert scipy_values.simps([1, 4, 9, 16]) == pytest.approx(21.166667)
    assert scipy_values.simps(FIRST, SECOND) == pytest.approx(33.5958, abs=1e-4)
    assert scipy_values.simps([1, 4]) == 2.5
    assert scipy_values.simps([1, 4, 9]) == pytest.approx(26 / 3)
    assert scipy_values.simps(IMAGE, axis=1).shape == (3,)
    with pytest.raises(ValueError, match="even"):
        scipy_values.simps([1, 4], even="none")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_splines_of_two_axes():
    places = scipy_values.interp2d([0, 1, 0, 1, 0.5], [0, 0, 1, 1, 0.5], [1, 2, 3, 4, 2.5])
    assert places(0.3, 0.7) == pytest.approx([2.7])
    grid = scipy_values.interp2d(range(4), range(3), IMAGE, fill_value=-1)
    assert grid([0.5, 7], [0, 1]).tolist() == pytest.approx(np.array([[0.5, -1], [0.4, -1]]))
    flat = scipy_values.interp2d([3, 2, 1, 0], range(3), IMAGE[:, ::-1].T.ravel())
    assert flat(0.5, 1) == pytest.approx([0.4])
    with pytest.raises(ValueError, match="range"):
        scipy_values.interp2d(range(4), range(3), IMAGE, bounds_error=True)(9, 1)
    for arguments in (
        (range(4), range(3), IMAGE.T),
        (range(4), range(3), [1, 2]),
        (range(4), range(3), IMAGE, "other"),
    ):
        with pytest.raises(ValueError, match=r"shape|lengths|Unsupported"):
            scipy_values.interp2d(*arguments)
    with pytest.raises(ValueError, match="1-D"):
        grid(IMAGE, 1)


def test_wavelets_and_filters():
    assert scipy_values.ricker(9, 2)[3:5] == pytest.approx([0.405921, 0.613291], abs=1e-6)
    assert scipy_values.cwt(FIRST, scipy_values.ricker, [1, 2]).shape == (2, 12)
    assert scipy_values.morlet(8)[3] == pytest.approx(-0.111722 + 0.489478j, abs=1e-6)
    assert scipy_values.firwin(5, 4.0, nyq=16.0)[:2] == pytest.approx(
        [0.0245538, 0.234389], abs=1e-6
    )
    assert scipy_values.firwin(5, 0.3, None, "hamming")[0] == pytest.approx(0.0201037, abs=1e-7)


def test_functions_whose_arguments_changed():
    assert scipy_values.sph_harm(1, 2, 0.3, 0.4) == pytest.approx(-0.26472 - 0.0818875j, abs=1e-5)
    assert scipy_values.comb(5, 2, True) == 10
    assert scipy_values.find(MATRIX)[0].tolist() == [0, 1, 0, 1, 2, 1, 2]
    right = [1.0, 2, 3]
    expected = pytest.approx([0.222222, 0.111111, 1.44444], abs=1e-3)
    for solver in (scipy_values.cg, scipy_values.cgs, scipy_values.bicg, scipy_values.bicgstab):
        assert solver(MATRIX, right, None, 1e-6)[0] == expected
    assert scipy_values.gmres(MATRIX, right, tol=1e-6)[0] == expected
    assert scipy_values.lsqr(MATRIX, right)[0] == expected


@pytest.mark.parametrize(
    ("name", "arguments", "words", "begin", "total"),
    [
        ("zoom", (1.5,), {"mode": "nearest"}, [0.1, 0.57808, 0.89088], 12.17834),
        ("shift", ((0.5, 0.0),), {"mode": "nearest"}, [0.1, 0.9, 0.4], 6.075),
        (
            "rotate",
            (30,),
            {"mode": "reflect", "reshape": False},
            [0.531152, 0.590124, 0.54843],
            5.76722,
        ),
        ("rotate", (30,), {"mode": "nearest"}, [0.75244, 0.608071, 0.5225], 12.6419),
        ("zoom", (1.5,), {}, [0.1, 0.57808, 0.89088], 12.17834),
        ("shift", (1,), {"order": 1, "mode": "nearest"}, [0.1, 0.1, 0.9], 5.2),
        ("rotate", (30,), {}, [0.0, 0.0, 0.0], 3.74986),
    ],
)
def test_values_beside_the_edge_are_mirrored(name, arguments, words, begin, total):
    found = getattr(scipy_values, name)(IMAGE, *arguments, **words)
    assert found.ravel()[:3] == pytest.approx(begin, abs=1e-5)
    assert found.sum() == pytest.approx(total, abs=1e-4)
