"""What a program is given by a step that a dry run passes over."""

from tfqueue import cli

PROGRAM = """\
import tensorflow as tf

queue = tf.FIFOQueue(9, tf.int32, [[]])
puts = queue.enqueue(1), queue.enqueue(2)
with tf.Session() as sess:
    one, other = sess.run(puts)
    assert one is None and other is None
    assert sess.run(puts[0]) is None
    both = sess.make_callable(list(puts))
    one, other = both()
    print(sess.run(queue.dequeue()))
"""


def test_it_has_the_form_of_what_is_fetched(tmp_path, capsys):
    (tmp_path / "old.py").write_text(PROGRAM)
    picture = tmp_path / "old.svg"
    assert cli.main(["draw", str(tmp_path / "old.py"), "-o", str(picture)]) == 0
    assert "FIFOQueue" in picture.read_text()
    capsys.readouterr()
