"""Wrong calls of `tf.contrib` and `tf.estimator` are refused as TensorFlow 1.15.5 refuses them."""

import re

import pytest

import tfqueue.v1 as tf
from tests.contrib.refused_calls import CALLS


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_refused_as_by_tensorflow_1(name):
    function, error, words = CALLS[name]
    with pytest.raises(Exception, match=re.escape(words) or None) as caught:
        function(tf)
    classes = [each.__name__ for each in type(caught.value).__mro__]
    assert error in classes, repr(caught.value)
