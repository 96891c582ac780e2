"""`tf.contrib.session_bundle`: bundles and their bytes are those of TensorFlow 1.4.1."""

import os

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError

pytestmark = pytest.mark.slow
bundle = tf.contrib.session_bundle
exporter, gc = bundle.exporter, bundle.gc


@pytest.fixture
def load(monkeypatch):
    """Loads a bundle into a graph of its own: the tests' graph can't be reset."""
    monkeypatch.setattr(bundle.session_bundle._tf, "reset_default_graph", lambda: None)
    with tf.Graph().as_default():
        yield bundle.session_bundle.load_session_bundle_from_path


def test_messages_have_the_bytes_of_1_4():
    with tf.Graph().as_default():
        x, y, z = (tf.placeholder(tf.float32, name=name) for name in "xyz")
        signatures = bundle.manifest_pb2.Signatures(
            default_signature=exporter.classification_signature(x, y, z)
        )
        signatures.named_signatures["a"].CopyFrom(exporter.generic_signature({"in": x}))
        regression = exporter.regression_signature(x, y)
    asset = bundle.manifest_pb2.AssetFile(filename="f")
    asset.tensor_binding.tensor_name = "n:0"
    assert [one.SerializeToString() for one in (signatures, regression, asset)] == [
        b"\n\x17\x12\x15\n\x05\n\x03x:0\x12\x05\n\x03y:0\x1a\x05\n\x03z:0"
        b"\x12\x14\n\x01a\x12\x0f\x1a\r\n\x0b\n\x02in\x12\x05\n\x03x:0",
        b"\n\x0e\n\x05\n\x03x:0\x12\x05\n\x03y:0",
        b"\n\x05\n\x03n:0\x12\x01f",
    ]


def exported(folder, steps, **words):
    """Writes bundles, and gives the name of the last one."""
    with tf.Graph().as_default(), tf.Session() as sess:
        a = tf.Variable(0.5, name="a")
        x = tf.placeholder(tf.float32, [None], name="x")
        with tf.device("/device:CPU:0"):
            y = tf.add(a * x, 2.0, name="y")
        asset = tf.constant(str(folder / "words.txt"), name="file")
        read = tf.Variable("", collections=[], name="read")
        init = tf.assign(read, tf.read_file(asset)).op
        sess.run(tf.global_variables_initializer())
        made = exporter.Exporter(tf.train.Saver(sharded=True))
        with pytest.raises(RuntimeError, match="init must be called"):
            made.export(str(folder), tf.constant(1), sess)
        made.init(
            sess.graph.as_graph_def(),
            init_op=init,
            clear_devices=True,
            default_graph_signature=exporter.regression_signature(x, y),
            assets_collection=[asset],
        )
        with pytest.raises(RuntimeError, match="only once"):
            made.init()
        for step in steps:
            found = made.export(f"{folder}/", tf.constant(step), sess, **words)
        with pytest.raises(RuntimeError, match="is there"):
            made.export(str(folder), tf.constant(steps[-1]), sess)
        return found


def test_a_bundle_is_written_and_loaded(tmp_path, load):
    (tmp_path / "words.txt").write_text("hello")
    last = exported(tmp_path, [1, 2, 3], exports_to_keep=gc.largest_export_versions(2))
    assert last == os.fsencode(tmp_path / "00000003")
    assert sorted(os.listdir(tmp_path)) == ["00000002", "00000003", "words.txt"]
    files = ["assets", "checkpoint", "export.data-00000-of-00001", "export.index", "export.meta"]
    assert sorted(os.listdir(tmp_path / "00000003")) == files
    session, meta = load(str(tmp_path / "00000003"))
    with session:
        np.testing.assert_allclose(session.run("y:0", {"x:0": [1.0, 2.0]}), [2.5, 3.0])
        assert session.run("read:0") == b"hello"
    assert not any(node.device for node in meta.graph_def.node)
    packed = meta.collection_def["serving_signatures"].any_list.value[0]
    assert packed.type_url == "type.googleapis.com/tensorflow.serving.Signatures"
    with pytest.raises(RuntimeError, match="is missing"):
        load(str(tmp_path))
    assert not bundle.session_bundle.maybe_session_bundle_dir(str(tmp_path))


@pytest.mark.parametrize("sharded", [True, False])
def test_a_bundle_with_a_checkpoint_of_before_0_12(sharded, tmp_path, load):
    with tf.Graph().as_default(), tf.Session() as sess:
        a = tf.Variable(0.5, name="a")
        sess.run(a.initializer)
        made = exporter.Exporter(
            tf.train.Saver(sharded=sharded, write_version=tf.train.SaverDef.V1)
        )
        made.init()
        folder = made.export(str(tmp_path), tf.constant(7), sess)
    session, _ = load(folder.decode())
    with session:
        assert session.run("a:0") == 0.5


def test_an_asset_is_a_constant():
    made = exporter.Exporter(tf.train.Saver([tf.Variable(1.0)]))
    for tensor, error in (
        (tf.placeholder(tf.string), TypeError),
        (tf.constant(["a", "b"]), TypeError),
        (tf.constant(""), ValueError),
    ):
        with pytest.raises(error):
            made.init(assets_collection=[tensor])


def test_which_paths_stay():
    paths = [gc.Path(f"/{n}", n) for n in (0, 1, 5, 6, 9, 10, 11)]

    def kept(by):
        return [path.export_version for path in by(paths)]

    assert kept(gc.mod_export_version(5)) == [0, 10, 5]
    assert kept(gc.largest_export_versions(2)) == [10, 11]
    assert kept(gc.largest_export_versions(0)) == []
    assert kept(gc.one_of_every_n_export_versions(5)) == [10, 11, 5]
    assert kept(gc.negation(gc.mod_export_version(5))) == [1, 11, 6, 9]
    both = gc.union(gc.mod_export_version(10), gc.largest_export_versions(1))
    assert kept(both) == [0, 10, 11]


def test_what_is_not_there_is_refused():
    with pytest.raises(GoneError, match="saved_model"):
        _ = bundle.bundle_shim
