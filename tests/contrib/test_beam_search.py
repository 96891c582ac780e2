"""`BeamSearchDecoder` finds what it found in the program's release, whose rules changed with 1.5 and 1.6."""

import functools
import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import beam_search
from tfqueue import release

RECORDED = json.loads(pathlib.Path(__file__).with_name("beam_search.json").read_text())


@pytest.fixture(params=RECORDED)
def of(request):
    former = release.assume(request.param.rpartition(".")[0])
    yield request.param
    release.assume(former)


@pytest.mark.parametrize("number", range(len(beam_search.CASES)))
def test_a_search_finds_what_it_found(of, number):
    found = beam_search.found(tf, tf.layers.Dense, *beam_search.CASES[number])
    for one, other in zip(found, RECORDED[of][number], strict=True):
        np.testing.assert_allclose(one, other, atol=2e-4)


def test_the_walk_of_up_to_1_4_begins_at_each_sequences_end():
    walk = functools.partial(
        tf.contrib.seq2seq.gather_tree,
        [[[1, 2]], [[3, 4]], [[5, 6]]],
        [[[0, 0]], [[1, 0]], [[1, 1]]],
    )
    walked = [walk(sequence_length=[[3, 2]]), walk([[3, 2]])]
    former = release.assume("1.4")
    walked.append(walk([[3, 2]], "walk"))
    release.assume(former)
    with tf.Session() as sess:
        for found in sess.run(walked):
            assert found.tolist() == [[[1, 1]], [[4, 4]], [[5, -1]]]  # TensorFlow 1.4.1
