"""Pictures of pipelines, read back: what is on them, and that nothing lies where it must not."""

import io
import os
import pathlib
import random
import re
import sys
import threading
import xml.etree.ElementTree as ET

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.draw.picture_reading import (
    SVG,
    check_all,
    check_png,
    check_text,
    read_back,
    rectangle,
)
from tests.suite import samples
from tfqueue import cli, draw, errors
from tfqueue.commands import draw as command
from tfqueue.draw import folded_ops, layout, metrics, notebook, scene
from tfqueue.explain import uncaught_errors
from tfqueue.port.run import first_step

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PICTURES = EXAMPLES.parent / "docs" / "pictures"
# How many graphs with a pipeline an example goes through, and what its pictures must say.
DRAWN = {
    "000_fifo_queue": [["1000 elements", "4 threads", "FIFOQueue", "capacity 50", "one element"]],
    "000_image_roundtrip": [["1 file", "TFRecordReader", "DecodeRaw"]],
    "000_own_reader": [["WholeFileReader", "DecodeGif"]],
    "000_readers": [["2 files", "TextLineReader", "skip_header_lines 1", "DecodeCSV"]],
    "001_labelled_image": [["TFRecordReader", "ParseSingleExample"]],
    "001_sequences": [
        ["TFRecordReader", "ParseSingle", "1 epoch"],
        ["PaddingFIFOQueue", "batch of up to 8"],
    ],
    "002_customer": [["TFRecordReader", "ParseSingleExample"]],
    "003_digits": [
        ["TFRecordReader"],
        ["RandomShuffleQueue", "capacity 2000", "min_after_dequeue 1000", "training step"],
    ],
    "004_segmentation_pairs": [["10 epochs, shuffled", "2 threads", "for each example"]],
}
WITHOUT = ["000_byte_string", "000_plain_threads"]
# Not drawn here, and why.
NOT_DRAWN = {
    "003_cluster": "its graphs are built in processes that it starts",
    "003_data_service": "lifts the inputs of `_old_digits`, which are drawn below",
    "003_keras": "lifts them too",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nth"), [(name, nth) for name, graphs in DRAWN.items() for nth in range(len(graphs))]
)
def test_every_example_is_drawn(name, nth, tmp_path):
    argv = ["--out", str(tmp_path)]
    if name == "003_digits":
        argv += ["--examples", "300", "--steps", "5"]
    reached = first_step.first_step(str(EXAMPLES / f"{name}.py"), argv, nth=nth + 1)
    pipeline = tfqueue.pipeline(reached.graph)
    words, arrows = check_all(pipeline, step=reached.step)
    for said in DRAWN[name][nth]:
        assert any(line.startswith(said) for line in words), said
    if (name, nth) == ("003_digits", 1):
        kept, _ = read_back((PICTURES / f"{name}.svg").read_text("utf-8"))
        assert kept == words, "the README's picture is out of date: make pictures"
    queues = [key for key in {end for pair in arrows for end in pair} if key.startswith("queue ")]
    assert len(queues) == len(pipeline.queues)
    for queue in queues:
        assert any(target == queue for _, target in arrows), f"nothing fills {queue}"
        assert any(source == queue for source, _ in arrows), f"nothing takes from {queue}"


def test_every_example_is_on_the_list():
    names = {path.stem for path in EXAMPLES.glob("[0-9][0-9][0-9]_*.py")}
    unknown = names ^ {*DRAWN, *WITHOUT, *NOT_DRAWN}
    assert not unknown, "an example is drawn (DRAWN), or the reason why not stands in NOT_DRAWN"


def test_the_old_inputs_of_the_lifted_examples(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(
        f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
        "import tensorflow as tf, _old_digits\n"
        "batch = _old_digits.train_inputs(['train.tfrecord'])\n"
        "tf.Session().run(batch)\n"
    )
    reached = first_step.first_step(str(program), root=str(EXAMPLES))
    words, _ = check_all(tfqueue.pipeline(reached.graph), step=reached.step)
    assert {"train.tfrecord", "min_after_dequeue 1000", "train.py:4"} <= set(words)


@pytest.mark.parametrize("name", WITHOUT)
def test_an_example_without_a_pipeline_says_so(name, tmp_path, capsys):
    assert cli.main(["draw", str(EXAMPLES / f"{name}.py"), "--", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(f"{name}.py has built no input pipeline\n")


# -- pipelines of all kinds -----------------------------------------------------------------------


def random_pipeline(seed):
    """Builds a pipeline by chance: producers, readers, joins, hand-made queues, steps."""
    rng = random.Random(seed)
    name = lambda: "".join(rng.choices("abc_Wm", k=rng.choice([3, 12, 60])))  # noqa: E731
    heads = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(["files", "slices", "range", "hand", "placeholder"])
        if kind == "files":
            files = [f"/data/{name()}.tfrecord" for _ in range(rng.randint(1, 9))]
            queue = tf.train.string_input_producer(
                files, num_epochs=rng.choice([None, 1, 3]), shuffle=rng.random() < 0.5
            )
            kinds = [tf.TextLineReader, tf.TFRecordReader, tf.WholeFileReader]
            readers = [rng.choice(kinds)() for _ in range(rng.randint(1, 3))]
            heads.append([reader.read(queue)[1] for reader in readers])
        elif kind == "slices":
            heads.append([tf.train.slice_input_producer([tf.zeros([10, 3]), tf.zeros([10])])[0]])
        elif kind == "range":
            heads.append([tf.cast(tf.train.range_input_producer(7).dequeue(), tf.float32)])
        else:
            queue = tf.FIFOQueue(rng.choice([2, 50]), tf.float32, shapes=[[]], name=f"q{name()}")
            value = tf.placeholder(tf.float32, []) if kind == "placeholder" else 1.5
            enqueue = queue.enqueue(value)
            if rng.random() < 0.5:
                tf.train.add_queue_runner(tf.train.QueueRunner(queue, [enqueue] * 3))
            heads.append([queue.dequeue()])
    ends = []
    for head in heads:
        made = []
        for value in head:
            for _ in range(rng.randint(0, 5)):
                step = rng.choice([tf.identity, tf.square, lambda x: x + 1.0])
                value = step(value) if value.dtype == tf.float32 else tf.strings.lower(value)
            made.append([value])
        sizes = {"batch_size": 4, "capacity": 20}
        shapes = [[3] if made[0][0].shape.rank == 1 else []]
        if rng.random() < 0.5:
            ends.append(tf.train.batch_join(made, shapes=shapes, **sizes))
        else:
            ends.append(
                tf.train.shuffle_batch(
                    made[0], min_after_dequeue=5, shapes=shapes, num_threads=3, **sizes
                )
            )
        if rng.random() < 0.3:
            ends[-1] = tf.train.batch([ends[-1]], 2, enqueue_many=True)
    if len(ends) > 1 and rng.random() < 0.5:
        ends = [tf.group(*ends)]
    if rng.random() < 0.3:
        # a hand-made queue between two others, and one that feeds itself
        queue = tf.FIFOQueue(5, tf.float32, shapes=[[]], name="circle")
        queue.enqueue(queue.dequeue() * 2.0)
    return ends


@pytest.mark.parametrize("seed", samples.some(range(40), 2))
def test_random_pipelines(seed, own_graph):
    random_pipeline(seed)
    pipeline = tfqueue.pipeline(own_graph)
    _, arrows = check_all(pipeline, notes=dict.fromkeys(pipeline.queues, "17 of 20 there"))
    assert len(arrows) >= len(pipeline.queues)


def test_an_arrow_back_goes_around_what_else_is_taken(tmp_path):
    program = tmp_path / "old.py"
    program.write_text(
        "import tensorflow as tf\n"
        "queue = tf.FIFOQueue(2, tf.int32, name='counter')\n"
        "first = queue.enqueue_many(([0, 10],))\n"
        "x = queue.dequeue()\n"
        "y = x + 1\n"
        "again = queue.enqueue([y])\n"
        "with tf.Session() as sess:\n"
        "    first.run()\n"
        "    print(sess.run([x, again]))\n"
    )
    reached = first_step.first_step(str(program))
    pipeline = tfqueue.pipeline(reached.graph)
    _, arrows = check_all(pipeline, step=reached.step)
    assert len(arrows) == 4
    drawn = draw.as_text(pipeline, step=reached.step)
    assert "│───│" not in drawn  # behind another box
    assert "┘   └" in drawn  # both arrows begin at the queue


def test_letters_that_take_two_columns(own_graph):
    tf.train.string_input_producer(["队列/一.csv", "two.csv"], name="names")
    drawn = draw.as_text(tfqueue.pipeline(own_graph)).splitlines()
    [line] = [line for line in drawn if "一.csv" in line]
    width = sum(map(metrics.cells, line))
    assert width == len(line) + len(re.findall(r"[\u4e00-\u9fff]", line))
    [next_line] = [other for other in drawn if "two.csv" in other]
    assert len(next_line) == width


def test_a_small_png_is_a_large_one_made_smaller(own_graph):
    from PIL import Image, ImageChops, ImageStat

    random_pipeline(3)
    small, large = (
        Image.open(io.BytesIO(draw.as_png(tfqueue.pipeline(own_graph), scale=scale)))
        for scale in (1, 2)
    )
    large = large.convert("L").resize(small.size, Image.Resampling.LANCZOS)
    assert ImageStat.Stat(ImageChops.difference(small.convert("L"), large)).mean[0] < 2


def test_a_png_has_the_size_of_the_page(own_graph):
    random_pipeline(3)
    pipeline = tfqueue.pipeline(own_graph)
    page = layout.lay_out(scene.build(pipeline), metrics.PIXELS)
    for scale in (1, 2, 3):
        check_png(draw.as_png(pipeline, scale=scale), (page.width, page.height), scale)


def test_long_names_are_shortened_and_kept_in_the_tooltip(own_graph):
    name = "a_long_name_" * 9
    tf.FIFOQueue(5, tf.float32, name=name).dequeue()
    tf.train.string_input_producer([f"/data/{name}.tfrecord"])
    pipeline = tfqueue.pipeline(own_graph)
    svg = draw.as_svg(pipeline)
    words, _ = read_back(svg)
    assert name not in words
    assert any(re.fullmatch(r"a_long_.*\u2026.*\.tfrecord", line) for line in words)
    root = ET.fromstring(svg)
    titles = {element.text for element in root.iter(f"{SVG}title")}
    assert {name, f"{name}.tfrecord"} <= titles
    for card in root.iter(f"{SVG}g"):
        if card.get("class") == "tfq-card":
            assert rectangle(card.find(f"{SVG}rect"))[2] <= metrics.PIXELS.widest


def test_three_queues_side_by_side_fit_a_terminal(own_graph):
    parts = [tf.FIFOQueue(5, tf.float32, [[]], name=f"{'long' * 9}_{n}").dequeue() for n in "abc"]
    tf.add_n(parts, name="sum")
    drawn = draw.as_text(tfqueue.pipeline(own_graph))
    check_text(drawn)
    assert drawn.count("╔") == 3
    assert "- " not in drawn
    outlined = draw.as_text(tfqueue.pipeline(own_graph), columns=40)
    check_text(outlined, 40)
    assert outlined.startswith("- FIFOQueue")


def test_calls_of_one_name_that_follow_each_other_are_one_line():
    text = tf.constant("x")
    made = [tf.decode_raw(text, tf.uint8).op, tf.decode_raw(text, tf.uint8).op]
    made.append(tf.string_to_number(text).op)
    assert [str(part) for part in folded_ops.parts_of(made)] == [
        "DecodeRaw \N{MULTIPLICATION SIGN}2",
        "StringToNumber",
    ]


def test_a_scope_with_the_name_of_an_op_is_one_line_with_it():
    scaled = tf.multiply(tf.constant(2.0), 3.0, name="scale")
    with tf.name_scope("scale/"):
        made = [scaled.op, tf.exp(scaled, name="exp").op]
    assert [op.name for op in made] == ["scale", "scale/exp"]
    assert [str(part) for part in folded_ops.parts_of(made)] == ["scale"]


def test_readers_that_are_alike_are_one_box(own_graph):
    names = tf.train.string_input_producer(["a", "b"])
    values = [[tf.TextLineReader().read(names)[1]] for _ in range(5)]
    tf.train.batch_join(values, 4)
    words, arrows = check_all(tfqueue.pipeline(own_graph))
    assert words.count("TextLineReader \N{MULTIPLICATION SIGN}5") == 1
    assert {"5 threads", "several that are alike"} <= set(words)
    assert len(arrows) == 4


def test_four_threads_are_not_four_readers(own_graph):
    names = tf.train.string_input_producer(["a", "b"])
    tf.train.batch([tf.TextLineReader().read(names)[1]], 4, num_threads=4)
    words, _ = check_all(tfqueue.pipeline(own_graph))
    assert {"TextLineReader", "4 threads"} <= set(words)
    assert "several that are alike" not in words


def test_conditional_enqueues_are_one_runner_s(own_graph):
    names = tf.train.string_input_producer(["a", "b"])
    length = tf.strings.length(tf.TextLineReader().read(names)[1])
    bucket = tf.contrib.training.bucket_by_sequence_length
    bucket(length, [length], 8, [10, 20, 40])
    words, arrows = check_all(tfqueue.pipeline(own_graph))
    assert words.count("TextLineReader") == 1
    assert words.count("1 thread, conditional") == 1
    assert "by hand" not in words
    [work] = {source for source, _ in arrows if source.startswith("work") and "cond" in source} or {
        source for source, target in arrows if target.endswith("bucket_queue_1")
    }
    assert sorted(target for source, target in arrows if source == work) == [
        f"queue bucket_by_sequence_length/bucket/bucket_queue_{n}" for n in range(4)
    ]


def test_each_of_several_batches_is_a_box(own_graph):
    parts = []
    for file in ("one", "two", "three"):
        names = tf.train.string_input_producer([file], name=f"{file}_names")
        parts.append(tf.train.batch([tf.TextLineReader().read(names)[1]], 4, name=file))
    tf.concat(parts, 0, name="all")
    _, arrows = check_all(tfqueue.pipeline(own_graph))
    batches = [target for source, target in arrows if source.endswith("/fifo_queue")]
    assert len(set(batches)) == 3
    assert all(key.startswith("batch ") for key in batches)


@pytest.mark.parametrize("stages", [3, 6])
def test_long_pipelines_are_wrapped(own_graph, stages):
    value = tf.TextLineReader().read(tf.train.string_input_producer(["a.csv"]))[1]
    for stage in range(stages):
        value = tf.train.batch([value], 1, enqueue_many=stage > 0, name=f"stage_{stage}")
    pipeline = tfqueue.pipeline(own_graph)
    _, arrows = check_all(pipeline)
    assert len(arrows) == 2 + 2 * stages
    svg = draw.as_svg(pipeline)
    assert float(ET.fromstring(svg).get("width")) <= layout.WIDE
    sizes = {float(size) for size in re.findall(r"font-size:([\d.]+)px", svg)}
    assert min(sizes) >= 11


NAMES = ["a<script>\"'&.csv", "b\x01\x1b[31m.csv", "c\nd.csv", "]]>.csv", "\u202eevil.csv"]


def test_no_name_breaks_a_picture(own_graph):
    for name in NAMES:
        names = tf.train.string_input_producer([name])
        tf.train.batch([tf.TextLineReader().read(names)[1]], 4)
    record = tf.TFRecordReader().read(tf.train.string_input_producer(["x"]))[1]
    tf.parse_single_example(record, {"<b>\x02\x1b]0;": tf.FixedLenFeature([], tf.string)})
    pipeline = tfqueue.pipeline(own_graph)
    words, _ = check_all(pipeline)
    assert {r"b\x01\x1b[31m.csv", r"c\nd.csv", r"\u202eevil.csv", "]]>.csv"} <= set(words)
    for drawn in (draw.as_svg(pipeline, opened=True), draw.as_html(pipeline)):
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]|<script|<b>", drawn)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", draw.as_text(pipeline))


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_what_a_notebook_shows_of_an_error(name):
    """The picture, and the lines in front of it: a name is text, whatever characters it has."""
    names = tf.train.string_input_producer([name], shuffle=False)
    batch = tf.train.batch([tf.TextLineReader().read(names)[1]], 2)
    with pytest.raises(tf.errors.NotFoundError) as caught, tfqueue.managed_session() as sess:
        sess.run(batch)
    drawn = notebook.picture_of(caught.value)._repr_svg_()
    read_back(drawn)  # it is XML
    lines = uncaught_errors.lines_of(caught.value)
    for text in (drawn, *lines):
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", text)
    assert "<script" not in drawn
    assert any("evil" in line or ".csv" in line for line in lines)


def test_readers_that_differ_are_boxes_of_their_own(own_graph):
    names = tf.train.string_input_producer(["a", "b"])
    readers = [tf.TextLineReader(skip_header_lines=n) for n in (0, 1, 1)]
    tf.train.batch_join([[reader.read(names)[1]] for reader in readers], 4)
    words, arrows = check_all(tfqueue.pipeline(own_graph))
    assert {"TextLineReader", "TextLineReader \N{MULTIPLICATION SIGN}2"} <= set(words)
    assert {"1 thread", "2 threads", "skip_header_lines 1"} <= set(words)
    assert len(arrows) == 6


def test_batches_that_are_queued_again_say_so(own_graph):
    batch = tf.train.batch([tf.random_uniform([3])], 32)
    ahead = tf.FIFOQueue(4, tf.float32, name="ahead")
    tf.train.add_queue_runner(tf.train.QueueRunner(ahead, [ahead.enqueue(batch)] * 2))
    ahead.dequeue()
    words, _ = check_all(tfqueue.pipeline(own_graph))
    assert {"batch of 32", "32 \N{MULTIPLICATION SIGN} 3 float32", "one element"} <= set(words)


def test_train_and_test_are_two_lines(own_graph):
    for file in ("train", "test"):
        names = tf.train.string_input_producer([f"{file}.csv"])
        tf.train.batch([tf.TextLineReader().read(names)[1]], 4)
    words, arrows = check_all(tfqueue.pipeline(own_graph))
    assert {"train.csv", "test.csv"} <= set(words)
    assert len(arrows) == 8
    files = {key for pair in arrows for key in pair if key.startswith("source")}
    assert len(files) == 2


def test_a_training_step_is_called_so(own_graph):
    number = tf.train.batch([tf.random_uniform([])], 4)
    weight = tf.get_variable("weight", [])
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(number * weight))
    words, _ = check_all(tfqueue.pipeline(own_graph))
    assert "training step" in words
    assert "made in the graph" in words


def test_a_graph_without_a_queue(own_graph):
    svg = draw.as_svg(tfqueue.pipeline(own_graph))
    assert "This graph has no queue." in svg
    assert "no queue in this graph" in draw.as_text(tfqueue.pipeline(own_graph))
    assert draw.as_png(tfqueue.pipeline(own_graph))[:4] == b"\x89PNG"


# -- what is broken -------------------------------------------------------------------------------


def bad_sections(svg):
    root = ET.fromstring(svg)
    found = []
    for card in root.iter(f"{SVG}g"):
        if card.get("class") == "tfq-card":
            marked = [
                "".join(e.itertext())
                for e in card.iter(f"{SVG}text")
                if e.get("class").startswith("tfq-title ")
            ]
            found += [(card.get("data-key").split()[0], words) for words in marked]
    return found


def test_the_op_that_failed_is_marked(own_graph, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("1,2\n3\n")
    names = tf.train.string_input_producer([str(path)], shuffle=False)
    columns = tf.decode_csv(tf.TextLineReader().read(names)[1], [[0], [0]])
    batch = tf.train.batch(columns, 2)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught, tfqueue.managed_session() as sess:
        sess.run(batch)
    svg = draw.as_svg(tfqueue.pipeline(own_graph), error=caught.value)
    assert caught.value.tfqueue_queues == ("batch/fifo_queue",)
    assert bad_sections(svg) == [("work", "for each example")]
    words, _ = check_all(tfqueue.pipeline(own_graph), error=caught.value)
    assert any(line.startswith("InvalidArgumentError: Expect 2 fields") for line in words)
    drawn = draw.as_text(tfqueue.pipeline(own_graph), error=caught.value)
    assert "✗ for each example" in drawn
    assert "Expect 2 fields" in " ".join(drawn.split())


def test_a_file_that_is_missing_is_the_readers(own_graph):
    names = tf.train.string_input_producer(["no_such_file"], shuffle=False)
    batch = tf.train.batch([tf.TextLineReader().read(names)[1]], 2)
    with pytest.raises(tf.errors.NotFoundError) as caught, tfqueue.managed_session() as sess:
        sess.run(batch)
    svg = draw.as_svg(tfqueue.pipeline(own_graph), error=caught.value)
    assert bad_sections(svg) == [("work", "TextLineReader")]


def test_epochs_that_were_not_initialised_are_the_files(own_graph):
    names = tf.train.string_input_producer(["a"], num_epochs=1)
    batch = tf.train.batch([tf.TextLineReader().read(names)[1]], 2)
    with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError) as caught:
        coord = tf.train.Coordinator()
        tf.train.start_queue_runners(sess, coord)
        sess.run(batch)
    svg = draw.as_svg(tfqueue.pipeline(own_graph), error=caught.value)
    assert bad_sections(svg) == [("source", "1 file")]


def test_where_the_op_is_not_known_the_queue_is_marked(own_graph):
    tf.train.batch([tf.train.range_input_producer(5, name="numbers").dequeue()], 2)
    elsewhere = tf.constant(1).op
    for op in (None, elsewhere):
        error = tf.errors.DataLossError(None, op, "lost")
        error.tfqueue_queues = ("numbers",)
        svg = draw.as_svg(tfqueue.pipeline(own_graph), error=error)
        assert bad_sections(svg) == [("queue", "FIFOQueue")]


def test_a_wait_without_end_is_marked_at_its_queues(own_graph):
    batch = tf.train.batch([tf.train.range_input_producer(5).dequeue()], 2)
    with tf.Session() as sess, pytest.raises(errors.StarvationError) as caught:
        sess.run(batch)
    pipeline = tfqueue.pipeline(own_graph)
    assert bad_sections(draw.as_svg(pipeline, error=caught.value)) == [
        ("queue", "FIFOQueue"),
        ("queue", "FIFOQueue"),
    ]
    words, _ = check_all(pipeline, error=caught.value)
    assert words.count("not started") == 2


# -- files, notebooks, the command ----------------------------------------------------------------


def test_the_suffix_says_what_it_becomes(own_graph, tmp_path):
    number = tf.train.range_input_producer(5).dequeue()
    tf.train.batch([tf.square(number) + 1], 2)
    pipeline = tfqueue.pipeline(own_graph)
    begins = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>", "txt": b" "}
    for suffix, start in begins.items():
        pipeline.draw(tmp_path / f"p.{suffix}")
        assert (tmp_path / f"p.{suffix}").read_bytes().startswith(start)
    for suffix, drawn in (("svg", draw.as_svg), ("html", draw.as_html), ("txt", draw.as_text)):
        closed = drawn(pipeline)
        assert closed in (tmp_path / f"p.{suffix}").read_text("utf-8")
        draw.draw(pipeline, tmp_path / f"p.{suffix}", opened=True)
        assert closed not in (tmp_path / f"p.{suffix}").read_text("utf-8")
    with pytest.raises(ValueError, match=r"p\.gif: a picture is an \.svg, \.png"):
        pipeline.draw(tmp_path / "p.gif")


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_png_without_the_extra(own_graph, monkeypatch, tmp_path, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    tf.train.range_input_producer(5)
    with pytest.raises(errors.MissingExtraError, match=r"pip install 'tfqueue\[images\]'"):
        tfqueue.pipeline(own_graph).draw(tmp_path / "p.png")
    assert not (tmp_path / "p.png").exists()


def test_a_png_has_words_where_the_system_has_no_font(own_graph, monkeypatch):
    import resvg_py
    from PIL import Image, ImageChops

    random_pipeline(3)
    render = resvg_py.svg_to_bytes

    def pixels(**options):
        monkeypatch.setattr(
            resvg_py, "svg_to_bytes", lambda **given: render(**{**given, **options})
        )
        return Image.open(io.BytesIO(draw.as_png(tfqueue.pipeline(own_graph)))).convert("L")

    spare = pixels(skip_system_fonts=True)
    blank = pixels(skip_system_fonts=True, font_files=[])
    assert ImageChops.difference(spare, blank).getbbox() is not None


def test_notebooks_show_it(own_graph):
    numbers_in = tf.train.range_input_producer(5).dequeue()
    tf.train.batch([tf.square(numbers_in)], 2)
    pipeline = tfqueue.pipeline(own_graph)
    read_back(pipeline._repr_svg_())
    html = pipeline._repr_html_()
    assert html.count("<svg") == 2
    assert html.startswith("<details")
    assert "<script" not in html


PROGRAM = """
import sys
import tensorflow as tf
print("arguments", sys.argv[1:])
names = tf.train.string_input_producer(["a.csv"])
batch = tf.train.batch([tf.TextLineReader().read(names)[1]], 8)
sess = tf.Session()
tf.train.start_queue_runners(sess)
print(sess.run(batch))
"""


def test_the_command(tmp_path, capsys):
    program = tmp_path / "old.py"
    program.write_text(PROGRAM)
    svg, png = tmp_path / "p.svg", tmp_path / "p.png"
    argv = ["draw", str(program), "-o", str(svg), "-o", str(png), "--scale", "1", "--", "-x", "7"]
    assert cli.main(argv) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", "arguments ['-x', '7']\n")
    words, _ = read_back(svg.read_text("utf-8"))
    assert {"a.csv", "batch of 8", "old.py:9"} <= set(words)
    assert "Input pipeline of old.py" in svg.read_text("utf-8")
    assert png.read_bytes()[:4] == b"\x89PNG"
    assert cli.main(["draw", str(program)]) == 0
    drawn = capsys.readouterr().out
    check_text(drawn)
    assert "batch of 8" in drawn


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["none.py"], "none.py: no such file or directory"),
        (["old.py", "-o", "p.gif"], "p.gif: a picture is a file that ends in .svg"),
        (["old.py", "-o", "nowhere/p.svg"], "nowhere/p.svg: no such folder"),
        (["old.py", "--graph", "0"], "--graph counts from 1"),
        (["old.py", "--grap", "x"], "argument --graph: invalid int value"),
    ],
)
def test_errors_of_the_command_line(argv, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text("raise SystemExit('it ran')")
    assert cli.main(["draw", *argv]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_program_that_fails_is_drawn_as_far_as_it_came(tmp_path, capsys):
    program = tmp_path / "old.py"
    program.write_text(PROGRAM.replace("sess = tf.Session()", "1 / 0"))
    assert cli.main(["draw", str(program)]) == 1
    out, err = capsys.readouterr()
    assert "ZeroDivisionError" in err
    assert "failed before its first step" in err
    assert "TextLineReader" in out


def test_a_thread_that_goes_on_does_not_keep_the_process(capsys, monkeypatch):
    codes = []
    monkeypatch.setattr(os, "_exit", codes.append)
    own, daemon = threading.Thread(name="own"), threading.Thread(name="daemon", daemon=True)
    for error, left in ((None, (daemon, own)), (ValueError(), (own,)), (None, (daemon,))):
        command._end_with(first_step.Reached(None, None, error, left), 0)
    assert codes == [0, 1]
    assert "threads of the program that do not end: daemon, own\n" in capsys.readouterr().err


def test_a_program_can_be_run_to_its_failure(tmp_path, capsys):
    (tmp_path / "rows.csv").write_text("1,2\n3\n")
    program = tmp_path / "old.py"
    program.write_text(
        f"""
import tensorflow as tf
for name in "good", "bad":
    with tf.Graph().as_default():
        names = tf.train.string_input_producer([{str(tmp_path / "rows.csv")!r}], shuffle=False)
        value = tf.TextLineReader().read(names)[1]
        row = tf.decode_csv(value, [[0], [0]]) if name == "bad" else [value]
        batch = tf.train.batch(row, 2)
        with tf.Session() as sess:
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            print(name, sess.run(batch))
            coord.request_stop()
            coord.join(threads)
"""
    )
    svg = tmp_path / "p.svg"
    assert cli.main(["draw", str(program), "--run", "-o", str(svg)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("good [b'1,2' b'3']")
    assert "Expect 2 fields" in err
    assert "before its first step" not in err
    assert bad_sections(svg.read_text("utf-8")) == [("work", "for each example")]


def test_a_queue_with_two_runners_of_which_none_was_started_is_marked(own_graph):
    queue = tf.FIFOQueue(4, tf.int32, [[]], name="numbers")
    for number in range(2):
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(number)]))
    out = queue.dequeue()
    with (
        tf.Session() as sess,
        pytest.raises(errors.StarvationError, match="none of its 2") as caught,
    ):
        sess.run(out)
    words, _ = check_all(tfqueue.pipeline(own_graph), error=caught.value)
    assert words.count("not started") == 2


def test_a_full_queue_is_not_one_whose_runner_is_missing(own_graph):
    queue = tf.FIFOQueue(1, tf.int32, [[]], name="numbers")
    put = queue.enqueue(1)
    tf.train.batch([queue.dequeue()], 2)
    with tf.Session() as sess, pytest.raises(errors.StarvationError, match="no room") as caught:
        for _ in range(2):
            sess.run(put)
    assert "was not started" in str(caught.value)
    words, _ = check_all(tfqueue.pipeline(own_graph), error=caught.value)
    assert "not started" not in words


def test_a_line_has_a_corner_only_where_it_turns():
    turns = [(0.0, 0.0), (0.0, 9.0), (5.0, 9.0), (5.0, 4.0)]
    between = [(0.0, 0.0), (0.0, 3.0), (0.0, 3.0), (0.0, 9.0), (2.0, 9.0), (5.0, 9.0), (5.0, 4.0)]
    assert layout._straightened(between) == turns
    assert layout._straightened(turns) == turns
