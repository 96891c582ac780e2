"""`tf.contrib.slim.learning`: tf_slim's training loop, on supervised queue runners."""

import functools
from typing import Any

from tfqueue import _tensorflow
from tfqueue.session import runner
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Op

_tf = _tensorflow.compat_v1()
_learning = _lazy_names.slim("tf_slim.learning", "tf.contrib.slim.learning")

globals().update(_lazy_names.mirror("tf_slim.learning", "tf.contrib.slim.learning"))


@functools.wraps(_learning.train)
def train(train_op: Op, *args: Any, **kwargs: Any) -> Any:
    """Runs a training loop until it is done (`tf.contrib.slim.learning.train`).

    Arguments and result are those of `tf_slim.learning.train`.
    """
    # `v1` hands on by name what `tf.contrib.slim.learning.train` was given by position.
    runner.adopt_all(kwargs.get("graph") or _tf.get_default_graph())
    return _learning.train(train_op, *args, **kwargs)


__getattr__, __dir__ = _lazy_names.attributes(
    __name__,
    {
        # modules that it imported and that programs took from here
        "supervisor": "tensorflow.python.training.supervisor",
        "tf_saver": "tensorflow.python.training.saver",
    },
)
