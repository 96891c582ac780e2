"""`BeamSearchDecoder` finds what it found in the program's release, whose rules changed with 1.5 and 1.6."""

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
    ids, parents = [[[1, 2]], [[3, 4]], [[5, 6]]], [[[0, 0]], [[1, 0]], [[1, 1]]]
    walked = tf.contrib.seq2seq.gather_tree(ids, parents, sequence_length=[[3, 2]])
    with tf.Session() as sess:
        assert sess.run(walked).tolist() == [[[1, 1]], [[4, 4]], [[5, -1]]]  # TensorFlow 1.4.1
