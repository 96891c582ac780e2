"""`tfqueue port --to-tf-data`: an old program's pipeline as a tf.data program."""

import importlib.util

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import cli
from tfqueue._tensorflow import mode

PROGRAM = """
import tensorflow as tf

def inputs(path, batch_size=4, num_epochs=2):
    names = tf.train.string_input_producer([path], num_epochs=num_epochs)
    _, line = tf.TextLineReader(skip_header_lines=1).read(names)
    number, word = tf.decode_csv(line, [[0], [""]])
    sign = tf.cond(tf.equal(word, "minus"), lambda: -1, lambda: 1)
    return tf.train.batch([number * sign, word], batch_size)

if __name__ == "__main__":
    numbers, words = inputs({path!r})
    total = tf.Variable(0)
    train = tf.assign_add(total, tf.reduce_sum(numbers))
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        tf.train.start_queue_runners(sess)
        print sess.run(train)
"""


@pytest.fixture
def program(tmp_path):
    """An old program, and what it reads."""
    lines = tmp_path / "lines.csv"
    lines.write_text(
        "number,word\n" + "".join(f"{k},{'minus' if k % 2 else ''}\n" for k in range(6))
    )
    path = tmp_path / "old.py"
    path.write_text(PROGRAM.format(path=str(lines)))
    return path, lines


def numbers(path):
    """The numbers of the dataset that a written program defines."""
    spec = importlib.util.spec_from_file_location("written", path)
    module = importlib.util.module_from_spec(spec)
    with tfqueue.eager():
        spec.loader.exec_module(module)
        return np.concatenate([batch[0].numpy() for batch in module.dataset()]).tolist()


def test_what_the_first_step_takes(program, tmp_path, capsys):
    path, _ = program
    before = mode.now()
    written = tmp_path / "new.py"
    assert cli.main(["port", "--to-tf-data", "--output", str(written), str(path)]) == 0
    assert mode.now() == before
    assert capsys.readouterr().out == ""
    assert "tfqueue.v1" not in written.read_text()
    assert '"""\n\nimport tensorflow as tf\n\n\ndef ' in written.read_text()
    assert numbers(written) == [0, -1, 2, -3, 4, -5] * 2


def test_what_a_function_returns(program, tmp_path, capsys):
    path, lines = program
    call = ["--function", "inputs", "--args", f"{str(lines)!r}, batch_size=3, num_epochs=1"]
    assert cli.main(["port", "--to-tf-data", *call, str(path)]) == 0
    written = tmp_path / "new.py"
    written.write_text(capsys.readouterr().out)
    assert numbers(written) == [0, -1, 2, -3, 4, -5]


def test_what_the_old_program_prints_is_no_part_of_the_new_one(tmp_path, capsys):
    path = tmp_path / "old.py"
    path.write_text(
        "import tensorflow as tf\n"
        "print 'loaded'\n"
        "def inputs():\n"
        "    print 'called'\n"
        "    return tf.train.range_input_producer(3).dequeue()\n"
    )
    assert cli.main(["port", "--to-tf-data", "--function", "inputs", str(path)]) == 0
    printed = capsys.readouterr()
    compile(printed.out, "new.py", "exec")
    assert "loaded\n" in printed.err
    assert "called\n" in printed.err


def test_what_cannot_be_written(tmp_path, capsys):
    path = tmp_path / "old.py"
    path.write_text(
        "import tensorflow as tf\n"
        "def inputs():\n"
        "    number = tf.train.range_input_producer(3).dequeue()\n"
        "    return tf.py_func(lambda n: n, [number], tf.int32)\n"
    )
    assert cli.main(["port", "--to-tf-data", "--function", "inputs", str(path)]) == 2
    assert "PyFunc 'PyFunc' calls Python (built at" in capsys.readouterr().err
    assert cli.main(["port", "--to-tf-data", str(path)]) == 2
    assert "PyFunc 'PyFunc' calls Python (built at" in capsys.readouterr().err
    assert cli.main(["port", "--to-tf-data", "--in-place", str(path)]) == 2
    assert "writes another program" in capsys.readouterr().err
    assert cli.main(["port", "--to-tf-data", "--managed", str(path)]) == 2
    assert "no session to be --managed" in capsys.readouterr().err
    arguments = ["--function", "inputs", "--args", "open('x')"]
    assert cli.main(["port", "--to-tf-data", *arguments, str(path)]) == 2
    assert "numbers, strings and lists" in capsys.readouterr().err
    assert tf.get_default_graph().get_operations() == []


MODULE = """
import tensorflow as tf

def record(queue):
    return tf.TextLineReader(skip_header_lines=1).read(queue)[1]

def text():
    return open("x").read()

def inputs(path{default}):
    def number():
        names = tf.train.string_input_producer([path], num_epochs=1)
        return tf.decode_csv(record(names), [[0], [""]])[0]
    return [tf.train.batch([number()], 3)]

def train():
    print "never", inputs("a")
"""


def test_a_module_of_functions_is_searched(program, tmp_path, capsys):
    _, lines = program
    path, written = tmp_path / "module.py", tmp_path / "new.py"
    text = MODULE.format(default=f"={str(lines)!r}")
    command = ["port", "--to-tf-data", str(path)]
    path.write_text(text)
    assert cli.main([*command, "-o", str(written)]) == 0
    assert capsys.readouterr().err == ""
    assert numbers(written) == [0, 1, 2, 3, 4, 5]
    path.write_text(text.replace("record(names)", "tf.TextLineReader().read(names)[1]"))
    assert cli.main(command) == 2
    assert "record, inputs build pipelines; name one with --function" in capsys.readouterr().err


def test_a_function_that_is_found_is_called_with_the_arguments(program, tmp_path, capsys):
    _, lines = program
    path, written = tmp_path / "module.py", tmp_path / "new.py"
    path.write_text(MODULE.format(default=", *, size=3"))
    command = ["port", "--to-tf-data", str(path)]
    assert cli.main(command) == 2
    assert "inputs(path) builds the pipeline; give what it is called with: --args" in (
        capsys.readouterr().err
    )
    assert cli.main([*command, "--args", repr(str(lines)), "-o", str(written)]) == 0
    assert numbers(written) == [0, 1, 2, 3, 4, 5]


def test_a_file_without_a_pipeline(tmp_path, capsys):
    path = tmp_path / "none.py"
    path.write_text("import tensorflow as tf\n\ndef model(x):\n    return tf.matmul(x, x)\n")
    assert cli.main(["port", "--to-tf-data", str(path)]) == 2
    assert "no step takes from a queue; name the --function" in capsys.readouterr().err


def test_where_it_cannot_be_written(program, tmp_path, capsys):
    path, lines = program
    call = ["--function", "inputs", "--args", f"{str(lines)!r}, batch_size=3, num_epochs=1"]
    assert cli.main(["port", "--to-tf-data", *call, "-o", f"{path}/new.py", str(path)]) == 2
    assert capsys.readouterr().err.endswith("new.py: can't be written: not a directory\n")
    assert cli.main(["port", "--to-tf-data", *call, "--era", "0.12", str(path)]) == 2
    assert "no --era here" in capsys.readouterr().err


def test_the_era_that_is_set_reaches_the_program(tmp_path, capsys, monkeypatch):
    def first_step(path, *, given_era):
        raise ValueError(str(given_era))

    monkeypatch.setattr("tfqueue.port.run.first_step.first_step", first_step)
    path = tmp_path / "old.py"
    path.write_text("import tensorflow as tf\n")
    assert cli.main(["port", "--to-tf-data", "--era", "0.12", str(path)]) == 2
    assert capsys.readouterr().err == "tfqueue: TensorFlow 0.12: set by --era\n"


def test_large_arrays_are_parameters(tmp_path, capsys):
    path = tmp_path / "old.py"
    path.write_text(
        "import numpy as np\n"
        "import tensorflow as tf\n"
        "rows = np.arange(600.0).reshape(300, 2)\n"
        "def inputs():\n"
        "    row, = tf.train.slice_input_producer([rows], num_epochs=1, shuffle=False)\n"
        "    return tf.train.batch([row], 100)\n"
    )
    assert cli.main(["port", "--to-tf-data", "--function", "inputs", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "dataset() takes values: float64 [300, 2]" in err
    assert "def dataset(values):" in out


def test_more_than_the_arguments_of_one_call(program, capsys):
    path, _ = program
    command = ["port", "--to-tf-data", "--function", "inputs", "--args", "1) + f(2", str(path)]
    assert cli.main(command) == 2
    assert "numbers, strings and lists of them only" in capsys.readouterr().err
