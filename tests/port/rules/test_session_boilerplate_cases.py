"""Blocks of which one part of the boilerplate is missing are left alone."""

import pytest

from tfqueue.port.rules.session_boilerplate import left_alone, manage

HEAD = "import tfqueue.v1 as tf\n"
OPEN = "with tf.Session() as sess:\n"
INIT = "    sess.run(tf.global_variables_initializer())\n"
STARTS = """\
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
"""
BODY = "    sess.run(x)\n"
END = "    coord.request_stop()\n    coord.join(threads)\n"


def test_the_whole_of_it_is_rewritten():
    assert "managed_session" in manage(HEAD + OPEN + INIT + STARTS + BODY + END)


@pytest.mark.parametrize(
    "text",
    [
        OPEN + STARTS + BODY + END,
        OPEN + INIT + BODY,
        OPEN + INIT.replace("())\n", "(), {y: 1})\n") + STARTS + BODY + END,
        OPEN + INIT.replace("())\n", "(), feed_dict={y: 1})\n") + STARTS + BODY + END,
        OPEN + INIT + STARTS + "    try:\n        sess.run(x)\n    finally:\n        close()\n",
        OPEN + INIT + STARTS + BODY + "    coord.request_stop()\n",
        OPEN + INIT + "    first = tf.train.Coordinator()\n" + STARTS + BODY + END,
        OPEN
        + INIT
        + STARTS.replace("    threads", "    more = tf.train.Coordinator()\n    threads")
        + BODY
        + END,
        OPEN + INIT + STARTS.replace("tor()", "tor([ValueError])") + BODY + END,
        OPEN + INIT + STARTS.replace("tor()", "tor(clean_stop_exception_types=())") + BODY + END,
        OPEN + INIT + STARTS.replace("coord = ", "coord = other = ", 1) + BODY + END,
        OPEN + INIT + STARTS.replace("sess=sess", "sess=other") + BODY + END,
        OPEN + INIT + STARTS.replace("coord=coord", "daemon=False") + BODY + END,
        OPEN + INIT + STARTS.replace("sess=sess, coord=coord", "sess=sess") + BODY + END,
    ],
    ids=[
        *("no initializer", "no runners", "fed by position", "fed by name"),
        *("another finally", "not joined", "a coordinator before", "a coordinator more"),
        *(
            "a coordinator with an argument",
            "a coordinator with a name",
            "a coordinator of two names",
        ),
        *("another session", "another argument", "no coordinator"),
    ],
)
def test_what_lacks_a_part_is_left_alone(text):
    assert manage(HEAD + text) == HEAD + text
    assert len(left_alone(HEAD + text)) == 1


@pytest.mark.parametrize(
    ("later", "managed"),
    [
        ("    coord = other()\n    show(coord)\n", True),
        ("    coord = other(coord)\n", False),
        ("    show(coord)\n    coord = other()\n", False),
    ],
)
def test_a_coordinator_that_a_later_block_reads(later, managed):
    text = HEAD + OPEN + INIT + STARTS + BODY + END + "with open(p) as f:\n" + later
    assert ("managed_session" in manage(text)) == managed
