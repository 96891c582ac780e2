"""`port --managed` rewrites the boilerplate where it is that and nothing more."""

import textwrap

import pytest

import tfqueue.v1 as tf
from tfqueue.port.rules.session_boilerplate import left_alone, manage

HEAD = "import tfqueue.v1 as tf\n"
START = """\
with tf.Session(config=c) as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
"""
END = "    coord.request_stop()\n    coord.join(threads)\n"
FINALLY = """\
    try:
        while not coord.should_stop():
            sess.run(x)  # kept

    finally:
        coord.request_stop()
        coord.join(threads)
"""

REWRITTEN = {
    "plain": (
        HEAD + START + "    sess.run(x)\n" + END,
        "import tfqueue\n" + HEAD + "with tfqueue.managed_session(config=c) as sess:\n"
        "    sess.run(x)\n",
    ),
    "finally": (
        HEAD + START + FINALLY,
        "import tfqueue\n" + HEAD + "with tfqueue.managed_session(config=c) as sess:\n"
        "    while not sess.should_stop():\n        sess.run(x)  # kept\n\n",
    ),
    "except": (
        HEAD
        + START
        + FINALLY.replace(
            "    finally",
            "    except tf.errors.OutOfRangeError:\n        print('end')\n    finally",
        ),
        "import tfqueue\n" + HEAD + "with tfqueue.managed_session(config=c) as sess:\n"
        "    try:\n        while not sess.should_stop():\n            sess.run(x)  # kept\n\n"
        "    except tf.errors.OutOfRangeError:\n        print('end')\n",
    ),
}

LEFT = {
    "the coordinator is handed on": START + "    feed(coord)\n" + END,
    "the threads are used": START + "    print(len(threads))\n" + END,
    "used behind the block": START + "    sess.run(x)\n" + END + "print(threads)\n",
    "something happens before the start": START.replace(
        "    coord =", "    saver.restore(sess, p)\n    coord ="
    )
    + "    sess.run(x)\n"
    + END,
    "no initialiser": START.replace("sess.run([", "sess.run(y, [") + "    sess.run(x)\n" + END,
    "never joined": START + "    sess.run(x)\n    coord.request_stop()\n",
    "a limit for the join": START + "    sess.run(x)\n    coord.request_stop()\n"
    "    coord.join(threads, stop_grace_period_secs=3)\n",
    "more in the finally": START + FINALLY + "        close()\n",
    "only some runners": START.replace("coord=coord)", "coord=coord, collection='k')")
    + "    sess.run(x)\n"
    + END,
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_rewritten(name):
    before, after = REWRITTEN[name]
    assert manage(before) == after
    assert manage(after) == after


@pytest.mark.parametrize("name", LEFT)
def test_left_alone(name):
    text = HEAD + LEFT[name]
    compile(text, name, "exec")
    assert manage(text) == text
    assert len(left_alone(text)) == text.count("tf.Session(")


def test_nothing_is_said_of_a_session_that_is_managed():
    text = HEAD + START + "    sess.run(x)\n" + END
    assert left_alone(manage(text)) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sess = tf.Session()\n", "not the only item"),
        (START.replace("coord)", "coord)\n    other()", 1) + "    sess.run(x)\n", "not end with"),
        ("with tf.Session() as sess:\n    sess.run(x)\n", "line 3 is something else"),
        (START + "    print(coord.joined)\n" + END, "more than should_stop()"),
    ],
)
def test_it_says_why_a_session_is_left_alone(text, why):
    ((_, said),) = left_alone(HEAD + text)
    assert why in said


def test_each_function_has_its_own():
    one = "def f{}():\n" + textwrap.indent(START + "    sess.run(x)\n" + END, "    ")
    new = manage(HEAD + one.format(1) + one.format(2))
    assert new.count("tfqueue.managed_session(config=c)") == 2
    assert "coord" not in new


def test_it_gives_the_same(capsys):
    program = HEAD + (
        "x = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()\n"
        + START.replace("config=c", "")
        + "    try:\n        while not coord.should_stop():\n            print(sess.run(x))\n"
        "    except tf.errors.OutOfRangeError:\n        print('end')\n"
        "    finally:\n        coord.request_stop()\n    coord.join(threads)\n"
    )
    managed = manage(program)
    assert managed != program
    for text in (program, managed):
        with tf.Graph().as_default():
            exec(compile(text, "program", "exec"), {})
        assert capsys.readouterr().out == "0\n1\n2\nend\n"
