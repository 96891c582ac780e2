"""Small graphs that `tf.contrib.graph_editor` looks at and changes, for today's and for TensorFlow 1.15.5.

`python graph_editor_cases.py` writes what 1.15.5 gives into `graph_editor_115.json`.
"""

import json
import sys


def names(found):
    return [each.name for each in found]


def net(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    w = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="w")
    with tf.name_scope("layer"):
        h = tf.matmul(x, w, name="mm")
        with tf.control_dependencies([h]):
            a = tf.tanh(h, name="tanh")
    y = tf.reduce_sum(a * h, name="y")
    z = tf.add(y, 1.0, name="z")
    tf.add_to_collection("layer/mine", a)
    tf.add_to_collection("losses", y)
    return x, w, h, a, y, z


def walks(tf, ge):
    x, _w, h, a, y, z = net(tf)
    ios = ge.util.ControlOutputs(tf.get_default_graph())
    return [
        sorted(names(found))
        for found in (
            ge.get_forward_walk_ops([x]),
            ge.get_forward_walk_ops(x.op, inclusive=False),
            ge.get_forward_walk_ops([h.op], stop_at_ts=[a]),
            ge.get_forward_walk_ops([h.op], within_ops=[h.op, a.op, z.op]),
            ge.get_forward_walk_ops([h.op], within_ops=[]),
            ge.get_forward_walk_ops([h.op], within_ops_fn=lambda op: op.type != "Mul"),
            ge.get_backward_walk_ops(z),
            ge.get_backward_walk_ops([y.op], inclusive=False, stop_at_ts=[h]),
            ge.get_backward_walk_ops([a], stop_at_ts=[h], control_inputs=True),
            ge.get_walks_intersection_ops([x], [y]),
            ge.get_walks_intersection_ops([h], [y.op], backward_inclusive=False, control_ios=ios),
            ge.get_walks_union_ops([y], [a]),
            ge.get_ops_ios([a.op]),
            ge.get_ops_ios(a.op, control_ios=ios),
            ge.get_within_boundary_ops(tf.get_default_graph(), [a.op], [x.op, y.op]),
            ge.get_within_boundary_ops(tf.get_default_graph(), a.op, [x.op, y.op], inclusive=False),
            ge.get_consuming_ops([h, a]),
            ge.get_generating_ops([h, a]),
        )
    ]


def chain(tf, ge):
    """A walk along a chain has one op in each wave, so its order is known."""
    t = tf.constant(1.0, name="t")
    for i in range(4):
        t = tf.identity(t, name="i{}".format(i))
    return [
        names(ge.get_backward_walk_ops(t)),
        names(ge.get_forward_walk_ops([t.graph.get_tensor_by_name("i0:0")])),
    ]


def selections(tf, ge):
    x, _w, h, a, y, z = net(tf)
    graph = tf.get_default_graph()
    ops, ts = ge.select_ops_and_ts("^layer", "(?#ts)^w", [z.op, x], graph=graph)
    return [
        names(ge.filter_ts([h.op, a.op], True)),
        names(ge.filter_ts(graph, lambda t: t.dtype == tf.int32)),
        names(ge.filter_ts_from_regex([h.op, y.op], "m")),
        names(ge.filter_ops(graph, lambda op: op.type == "Const")),
        names(ge.filter_ops_from_regex(graph, "^l.*h$")),
        names(ge.get_name_scope_ops(graph, "layer/")),
        names(ge.make_list_of_op([x.op, y, z.op], ignore_ts=True)),
        names(ge.make_list_of_t(h)),
        [names(part) for part in ge.compute_boundary_ts([h.op, a.op])],
        [names(ops), names(ts)],
        names(ge.select_ts("y", "(?#ops)z", graph=graph, positive_filter=lambda t: t is not z)),
        ge.placeholder_name(a),
        ge.placeholder_name(a, scope="s"),
        ge.ph(tf.float32, [2]).name,
        ge.ph(tf.float32, scope="s").name,
        ge.make_placeholder_from_tensor(h).name,
        ge.make_placeholder_from_tensor(h, scope="").name,
    ]


def shown(view):
    return [names(view.ops), names(view.inputs), names(view.outputs), names(view.passthroughs)]


def views(tf, ge):
    _x, w, h, a, _y, z = net(tf)
    view = ge.sgv([h.op, a.op], z)
    return [
        shown(view),
        str(view).split("\n", 1)[1],
        shown(view.remap([1], [1, 0, 1])),
        shown(view.remap_inputs([w, z])),
        shown(view.remap_outputs([h]).remap_outputs_to_consumers()),
        shown(view.remap([], []).remap_default(remove_input_map=False)),
        shown(view.remap([], [0]).remove_unused_ops()),
        names(view.connected_inputs + view.connected_outputs),
        names(view.consumers()),
        [view.input_index(w), view.output_index(a), view.op(1).name, view.is_passthrough(z)],
        shown(ge.sgv_scope("layer", graph=tf.get_default_graph())),
        [str(ge.sgv()), bool(ge.sgv()), view.find_op_by_name("layer/mm").name],
    ]


def built(graph, but=()):
    """Each op with its inputs and what it waits for."""
    return [
        [op.name, op.type.replace("AddV2", "Add"), names(op.inputs), names(op.control_inputs)]
        for op in graph.get_operations()
        if op.name not in but
    ]


def copies(tf, ge):
    _x, w, h, a, y, z = net(tf)
    graph = tf.get_default_graph()
    before = set(names(graph.get_operations()))
    found = []
    view, info = ge.copy_with_input_replacements(ge.sgv([h.op, a.op]), {w: w * 2.0})
    found += [
        shown(view),
        names(info.transformed([h, a.op])),
        names(info._transformed_ops.values()),
    ]
    found.append(info.original(info.transformed(a)).name)
    found.append([info.transformed(z), info.transformed({"a": a})["a"].name])
    view, info = ge.copy([a.op, y.op], dst_scope="other")
    found += [shown(view), str(info).split("\n", 2)[2]]
    view, info = ge.copy(ge.sgv_scope("layer", graph=graph), None, "other", "layer")
    found.append(shown(view))
    view, info = ge.copy(ge.sgv_scope("layer", graph=graph), None, "other/", "layer", True)
    found.append(shown(view))
    view, info = ge.copy(ge.sgv([h.op, a.op]).remap_inputs([1]))
    found.append(shown(view))
    found.append(built(graph, before))
    found.append({key: names(graph.get_collection(key)) for key in ("layer/mine", "losses")})
    other = tf.Graph()
    view, info = ge.copy(graph.get_tensor_by_name("y:0").op, other)
    found += [shown(view), built(other)]
    found.append(sorted(key for key in graph.get_all_collection_keys()))
    return found


def replaced(tf, ge):
    x, w, h, _a, y, z = net(tf)
    new = tf.constant([[1.0, 1.0, 1.0], [0.5, 0.5, 0.5]], name="new")
    y_, w_ = ge.graph_replace([y, w], {x: new})
    by_name = ge.graph_replace({"z": z}, {h: tf.ones([2, 2])}, dst_scope="again")
    slope = tf.gradients(y_, new)[0]
    with tf.Session() as sess:
        values = sess.run([y_, by_name["z"], slope, y], {x: [[1.0, 2.0, 3.0]] * 2})
    return [
        [y_.name, w_ is w, by_name["z"].name],
        [[float("{:.5g}".format(each)) for each in value.ravel()] for value in values],
    ]


def loop(tf, ge):
    """A loop is copied whole, if nothing but its variables comes in from outside."""
    start, step = tf.constant(1.0, name="start"), tf.constant(2.0, name="step")
    end = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2.0), [0, start])[1]
    end = tf.identity(end, name="end")
    other_end = tf.while_loop(lambda v: v < 9.0, lambda v: v * step, [start])
    chosen = tf.cond(end > 10.0, lambda: end + 1.0, lambda: end - 1.0)
    other = tf.constant(5.0)
    found = []
    for target, source in (
        (end, start),
        (chosen, end),
        (chosen, start),
        (other_end, start),
        (other_end, step),
    ):
        try:
            with tf.Session() as sess:
                found.append(float(sess.run(ge.graph_replace(target, {source: other}))))
        except ValueError as error:
            found.append(type(error).__name__)
    return found


def variables(tf, ge):
    """Steps that are unrolled: a loss of what the variable would be after an update."""
    found = []
    for resource in (False, True):
        v = tf.get_variable(
            "v{}".format(int(resource)), initializer=[1.0, 2.0], use_resource=resource
        )
        read = tf.identity(v)
        loss = tf.reduce_sum(read * read * read)
        next_v = read - 0.1 * tf.gradients(loss, read)[0]
        after = ge.graph_replace(loss, {read: next_v})
        twice = ge.graph_replace(after, {read: next_v})
        table = tf.reduce_sum(tf.gather(v, [1]))
        whole = ge.copy([op for op in ge.get_backward_walk_ops(table)], None, "whole")[1]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            slopes = tf.gradients([after, twice], [v])
            values = sess.run([after, twice] + [tf.convert_to_tensor(slope) for slope in slopes])
            found.append(
                [[float("{:.4g}".format(each)) for each in value.ravel()] for value in values]
            )
            found.append(whole.transformed(table).name)
    return found


def routes(tf, ge):
    found = []

    def case(change):
        with tf.Graph().as_default() as graph:
            a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
            f, g = tf.identity(a, name="f"), tf.negative(b, name="g")
            both = tf.subtract(a, b, name="both")
            h = tf.add(f, g, name="h")
            with tf.control_dependencies([b]):
                p = tf.sqrt(both, name="p")
            result = change(a, b, f, g, both, h, p)
            found.append([result, built(graph)])

    def pair(result):
        return [shown(view) for view in result]

    def listed(result):
        return [shown(part) if hasattr(part, "ops") else names(part) for part in result]

    case(lambda a, b, f, g, both, h, p: ge.reroute_ts([a], [b]))
    case(lambda a, b, f, g, both, h, p: ge.swap_ts(a, b))
    case(lambda a, b, f, g, both, h, p: ge.swap_ts([a, f], [b, g], can_modify=[f.op, g.op, h.op]))
    case(lambda a, b, f, g, both, h, p: ge.reroute_ts(a, b, cannot_modify=both.op))
    case(lambda a, b, f, g, both, h, p: ge.reroute_ts(a, a))
    case(lambda a, b, f, g, both, h, p: pair(ge.swap_inputs(f.op, g.op)))
    case(lambda a, b, f, g, both, h, p: pair(ge.reroute_inputs(f.op, g.op)))
    case(lambda a, b, f, g, both, h, p: pair(ge.swap_outputs(f.op, g.op)))
    case(lambda a, b, f, g, both, h, p: pair(ge.reroute_outputs([f], [g])))
    case(lambda a, b, f, g, both, h, p: pair(ge.swap_inputs(f.op, [b])))
    case(lambda a, b, f, g, both, h, p: pair(ge.swap_ios(ge.sgv(f.op), ge.sgv(g.op))))
    case(lambda a, b, f, g, both, h, p: pair(ge.reroute_ios(ge.sgv(f.op), ge.sgv(g.op))))
    case(lambda a, b, f, g, both, h, p: ge.add_control_inputs(h.op, [p.op, a.op]))
    case(lambda a, b, f, g, both, h, p: ge.remove_control_inputs(p.op, b.op))
    case(lambda a, b, f, g, both, h, p: listed(ge.detach([f.op, g.op])))
    case(lambda a, b, f, g, both, h, p: listed(ge.detach_inputs(p.op, control_inputs=True)))
    case(lambda a, b, f, g, both, h, p: listed(ge.detach_outputs(b.op, ge.ControlOutputs(b.graph))))
    case(lambda a, b, f, g, both, h, p: pair(ge.connect([a.op], g.op)))
    case(lambda a, b, f, g, both, h, p: pair(ge.connect(f.op, g.op, disconnect_first=True)))
    case(lambda a, b, f, g, both, h, p: listed(ge.bypass(g.op)))
    return found


def errors(tf, ge):
    x, w, h, a, y, z = net(tf)
    with tf.Graph().as_default():
        far = tf.constant(1.0)
    final = tf.Graph()
    final.finalize()
    found = []
    for call in (
        lambda: ge.make_list_of_op([x]),
        lambda: ge.make_list_of_op([x.op, far.op]),
        lambda: ge.make_list_of_op(x.graph, allow_graph=False),
        lambda: ge.make_list_of_t(x.op),
        lambda: ge.make_list_of_op(None),
        lambda: ge.get_tensors([x]),
        lambda: ge.get_forward_walk_ops([None]),
        lambda: ge.get_forward_walk_ops([x], control_outputs=True),
        lambda: ge.check_cios(control_outputs=ge.ControlOutputs(x.graph), control_ios=1),
        lambda: ge.ControlOutputs(None),
        lambda: ge.make_regex(1),
        lambda: ge.select_ops("a"),
        lambda: ge.select_ops("a", graph=1),
        lambda: ge.select_ops(x, wrong=1),
        lambda: ge.get_within_boundary_ops(x.graph, [x.op], [x.op]),
        lambda: ge.sgv(x.op, graph=tf.Graph()),
        lambda: ge.sgv([h.op]).remap_inputs([2]),
        lambda: ge.sgv([h.op]).remap_inputs([1, 1]),
        lambda: ge.sgv([h.op]).find_op_by_name("y"),
        lambda: ge.graph_replace(y, {z: y}),
        lambda: ge.graph_replace([], {z: y}),
        lambda: ge.copy([h.op], dst_graph="g"),
        lambda: ge.copy([h.op], dst_scope="a", src_scope="nowhere"),
        lambda: ge.copy([w.op], dst_graph=final),
        lambda: ge.swap_ts([x], [x, w]),
        lambda: ge.swap_ts([x], [w]),
        lambda: ge.reroute_ts([x], [tf.constant(1)]),
        lambda: ge.add_control_inputs(a.op, [h.op]),
        lambda: ge.add_control_inputs(a, [h.op]),
        lambda: ge.remove_control_inputs(h.op, a.op),
        lambda: ge.detach_control_outputs([h.op], None),
        lambda: ge.Transformer()(h.op, None, ""),
        lambda: ge.copy_op_handler(None, h.op, True),
    ):
        try:
            call()
            found.append("nothing")
        except Exception as error:  # noqa: BLE001
            found.append(type(error).__name__)
    return found


CASES = [walks, chain, selections, views, copies, replaced, loop, variables, routes, errors]


def results(tf, ge):
    found = {}
    for case in CASES:
        with tf.Graph().as_default():
            found[case.__name__] = case(tf, ge)
    return json.loads(json.dumps(found))


if __name__ == "__main__":
    import tensorflow
    from tensorflow.contrib import graph_editor

    assert tensorflow.__version__.startswith("1.15"), tensorflow.__version__
    given = results(tensorflow, graph_editor)
    with open("graph_editor_115.json", "w") as out:
        json.dump(given, out, sort_keys=True)
    sys.stdout.write("written\n")
