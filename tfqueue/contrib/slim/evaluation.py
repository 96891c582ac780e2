"""`tf.contrib.slim.evaluation`: tf_slim's, and `evaluation`, which was a function up to 0.12."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Feeds, Op, Session, Tensor, Writer

_tf = _tensorflow.compat_v1()
globals().update(_lazy_names.mirror("tf_slim.evaluation", "tf.contrib.slim.evaluation"))


def evaluation(
    sess: Session,
    num_evals: int = 1,
    initial_op: Op | None = None,
    initial_op_feed_dict: Feeds | None = None,
    eval_op: Op | None = None,
    eval_op_feed_dict: Feeds | None = None,
    final_op: Op | None = None,
    final_op_feed_dict: Feeds | None = None,
    summary_op: Op | None = None,
    summary_op_feed_dict: Feeds | None = None,
    summary_writer: Writer | None = None,
    global_step: Tensor | None = None,
) -> Any:
    """Runs an evaluation in a session (`tf.contrib.slim.evaluation.evaluation` up to 0.12).

    Args:
        sess: A session whose queue runners are started.
        num_evals: How often `eval_op` is run.
        initial_op: Run once, first; may be None.
        eval_op: Run `num_evals` times: an op, or a list, or a dict's values.
        final_op: Run once, last; what it gives is returned.
        summary_op: Run after `final_op`, and written.
        summary_writer: What it is written to; without it, `summary_op` is not run.
        global_step: Tensor with the step to write the summary at; the graph's own when None, if it has one.

    Returns:
        The value of `final_op`, or None.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     seen = tf.Variable(0)
    ...     print(evaluation(sess, 3, seen.initializer, None, seen.assign_add(2), final_op=seen))
    6
    """

    def fetch(op: Op, feed_dict: dict[Any, Any] | None) -> Any:
        # Python 2's `names.values()` was a list
        return sess.run(list(op) if _is_view(op) else op, feed_dict)

    if initial_op is not None:
        fetch(initial_op, initial_op_feed_dict)
    if eval_op is not None:
        for _ in range(int(num_evals)):
            fetch(eval_op, eval_op_feed_dict)
    result = None if final_op is None else fetch(final_op, final_op_feed_dict)
    if summary_op is not None and summary_writer is not None:
        step = _tf.train.get_global_step() if global_step is None else global_step
        at = None if step is None else sess.run(step)
        summary_writer.add_summary(fetch(summary_op, summary_op_feed_dict), at)
        summary_writer.flush()
    return result


def _is_view(op: Op) -> bool:
    return isinstance(op, type({}.values()) | type({}.keys()))
