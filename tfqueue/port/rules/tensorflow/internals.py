"""Names of `tensorflow.python.*` that moved on; the rest of those modules is still there.

https://www.tensorflow.org/guide/versions#what_is_not_covered
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.names import ledger
from tfqueue.names.internals import MOVED, PUBLIC
from tfqueue.names.moved import BY_OLD_NAME
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = (".python", "tensorflow_estimator")
# module below tensorflow.python.estimator: what was public of it below tf.estimator
_ESTIMATOR = {
    "model_fn": "EstimatorSpec ModeKeys",
    "estimator": "Estimator WarmStartSettings",
    "run_config": "RunConfig",
    "training": "EvalSpec TrainSpec train_and_evaluate",
    "canned.dnn": "DNNClassifier DNNRegressor",
    "canned.linear": "LinearClassifier LinearRegressor",
    "canned.dnn_linear_combined": "DNNLinearCombinedClassifier DNNLinearCombinedRegressor",
    "inputs.numpy_io": "inputs.numpy_input_fn",
    "inputs.pandas_io": "inputs.pandas_input_fn",
    "inputs.inputs": "inputs.numpy_input_fn inputs.pandas_input_fn",
    "exporter": "BestExporter Exporter FinalExporter LatestExporter",
    "export.export": "export.ServingInputReceiver export.TensorServingInputReceiver "
    "export.build_parsing_serving_input_receiver_fn export.build_raw_serving_input_receiver_fn",
    "export.export_output": "export.ClassificationOutput export.ExportOutput export.PredictOutput "
    "export.RegressionOutput",
}
_LOOPS = {
    **{
        name: BY_OLD_NAME[f"nn.{name}"].new
        for name in ("rnn", "bidirectional_rnn", "state_saving_rnn")
    },
    **{
        name: f"nn.{name}"
        for name in (
            "bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_bidirectional_rnn static_rnn "
            "static_state_saving_rnn"
        ).split()
    },
}
# there today with arguments in another order; below tf they take the old one, too
_OTHER_ORDER = {
    name: f"nn.{name}"
    for name in (
        "log_poisson_loss moments sigmoid_cross_entropy_with_logits softmax_cross_entropy_with_logits "
        "softmax_cross_entropy_with_logits_v2 sparse_softmax_cross_entropy_with_logits"
    ).split()
}
_FOURIER = "fft fft2d fft3d ifft ifft2d ifft3d"
_CELLS = ("ops.rnn_cell", "ops.rnn_cell_impl")
_OF_ALL = ("", "ops.standard_ops")
"""Modules that took in the names of others, as `tf` did."""
# module below tensorflow.python: {name: name below tfqueue.v1}; where nothing else is said it no longer has the name
_OTHERS = {
    "util.nest": {"is_sequence": "contrib.framework.nest.is_sequence"},
    "framework.ops": {"op_scope": "name_scope", "name_scope": "name_scope"},
    "framework.graph_util": {
        "convert_variables_to_constants": "graph_util.convert_variables_to_constants"
    },
    "framework.graph_util_impl": {
        "convert_variables_to_constants": "graph_util.convert_variables_to_constants"
    },
    "ops.array_ops": {
        # there today with other arguments; below tf they take the old ones, too
        **{name: name for name in ("concat", "reverse", "split", "split_v")},
        **{name: BY_OLD_NAME[name].new for name in ("pack", "unpack", "concat_v2", "listdiff")},
    },
    "ops.math_ops": {
        **{name: BY_OLD_NAME[name].new for name in ("sub", "mul", "neg", "select")},
        "batch_matmul": "batch_matmul",
        # there today with other arguments; below tf they take the old ones, too
        **{
            f"reduce_{kind}": f"reduce_{kind}"
            for kind in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
        },
        **{name: name for name in f"{_FOURIER} bincount".split()},
    },
    "ops.spectral_ops": {
        name: f"spectral.{name}"
        for name in f"{_FOURIER} dct idct irfft irfft2d irfft3d rfft rfft2d rfft3d".split()
    },
    # there today with arguments by keyword only
    **{f"ops.{home}logging_ops": {"Assert": "Assert"} for home in ("", "gen_")},
    # still there, but these say that they are deprecated
    **{
        f"layers.{home}": {name: f"layers.{name}" for name in names.split()}
        for home, names in {
            "core": "dense dropout flatten",
            "convolutional": "conv1d conv2d conv2d_transpose conv3d conv3d_transpose "
            "separable_conv1d separable_conv2d",
            "normalization": "batch_normalization BatchNormalization",
            "pooling": "average_pooling1d average_pooling2d average_pooling3d "
            "max_pooling1d max_pooling2d max_pooling3d",
        }.items()
    },
    "layers.layers": {"batch_normalization": "layers.batch_normalization"},
    "ops.rnn": _LOOPS,
    "ops.nn": {**_LOOPS, **_OTHER_ORDER},
    **{f"ops.{home}": _OTHER_ORDER for home in ("nn_impl", "nn_ops")},
    "ops.linalg_ops": {"svd": "svd"},
    "ops.standard_ops": {},  # the names of `tf`
    # there today for another question
    "platform.test": {"is_built_with_cuda": "test.is_built_with_cuda"},
    "ops.functional_ops": {"map_fn": "map_fn"},
    # central_crop is there today with the numbers of today
    **{
        f"ops.{home}": {name: f"image.{name}" for name in ("central_crop", "transpose_image")}
        for home in ("image_ops", "image_ops_impl")
    },
    # there today with the numbers of today
    "ops.clip_ops": {"clip_by_global_norm": "clip_by_global_norm"},
    "ops.ctc_ops": {"ctc_beam_search_decoder": "nn.ctc_beam_search_decoder"},
    "ops.special_math_ops": {"einsum": "einsum"},
    **{module: {"_RNNCell": "rnn_cell.RNNCell"} for module in _CELLS},
    "ops.variable_scope": {
        "variable": "Variable",
        **{
            name: name
            for name in (
                "enable_resource_variables disable_resource_variables resource_variables_enabled"
            ).split()
        },
    },
    "ops.variables": {
        "is_variable_initialized": "is_variable_initialized",
        # there today without collections
        "Variable": "Variable",
        "VariableV1": "Variable",
        "all_variables": "global_variables",
        "initialize_all_variables": "global_variables_initializer",
        "initialize_local_variables": "local_variables_initializer",
    },
    "training.checkpoint_management": {
        "latest_checkpoint": "train.latest_checkpoint",
        "get_checkpoint_state": "train.get_checkpoint_state",
    },
    # still there, but ours are the ones that are supervised
    "training.coordinator": {"Coordinator": "train.Coordinator"},
    **{
        f"training.{module}": {
            name: f"train.{name}"
            for name in ("QueueRunner", "add_queue_runner", "start_queue_runners")
        }
        for module in ("queue_runner", "queue_runner_impl")
    },
    "training.input": {
        name: f"train.{name}"
        for name in (
            "string_input_producer slice_input_producer range_input_producer input_producer limit_epochs "
            "match_filenames_once batch batch_join shuffle_batch shuffle_batch_join maybe_batch "
            "maybe_shuffle_batch"
        ).split()
    },
    **{
        f"estimator.{parent}": {
            name.rpartition(".")[2]: f"estimator.{name}" for name in names.split()
        }
        for parent, names in _ESTIMATOR.items()
    },
}
_ROWS = {
    module: {**PUBLIC.get(module, {}), **_OTHERS.get(module, {})}
    for module in sorted(PUBLIC.keys() | _OTHERS.keys())
}
_CANNED = "contrib.estimator.canned"
_CANNED_PARTS = {
    f"estimator.canned.{name}"
    for name in (
        *("dnn", "dnn_linear_combined", "head", "linear"),
        *("metric_keys", "optimizers", "prediction_keys"),
    )
}
# modules that are gone altogether, and what was in them
_GONE = {
    "ops.seq2seq": "contrib.legacy_seq2seq",
    "ops.rnn_cell": "nn.rnn_cell",
    "ops.rnn_cell_impl": "nn.rnn_cell",
    # modules that the module `nn` had up to 0.12
    "ops.nn.rnn_cell": "nn.rnn_cell",
    "ops.nn.seq2seq": "contrib.legacy_seq2seq",
    "platform.logging": "logging",
    # still there, but ours are the ones that take what old programs define
    "platform.flags": "flags",
    **{
        f"estimator.{parent}": "estimator"
        for parent, names in _ESTIMATOR.items()
        if "." not in names
    },
    **{name: _CANNED for name in _CANNED_PARTS},
    "estimator.inputs": "estimator.inputs",
    "estimator.inputs.inputs": "estimator.inputs",
    "estimator.inputs.numpy_io": "estimator.inputs",
    "estimator.inputs.pandas_io": "estimator.inputs",
    "estimator.export": "estimator.export",
    "estimator.export.export": "estimator.export",
    "estimator.export.export_output": "estimator.export",
}
# of these every class, and every function that tfqueue.v1 has, is the one there
_OUR_CELLS = "tfqueue.v1.rnn_cell"
_OF_CELLS = re.compile(
    r"(?!_Slim)\w+(?:Cell|Wrapper|StateTuple)(?:Base|V1)?$|_Linear$|_linear$|_concat$|_like_rnncell$|assert_like_rnncell$"
    r"|_zero_state_tensors$|_check_\w+$|_get_(?:concat|sharded)_variable$|_state_size_with_prefix$"
)
# modules that stand elsewhere below tensorflow.python
_OPS = (
    "array_ops attention_ops candidate_sampling_ops check_ops clip_ops common_shapes constant_op "
    "control_flow_ops data_flow_ops embedding_ops functional_ops gen_array_ops gen_control_flow_ops "
    "gen_data_flow_ops gen_image_ops gen_io_ops gen_logging_ops gen_math_ops gen_nn_ops "
    "gen_random_ops gen_sparse_ops gen_state_ops gen_string_ops gen_user_ops "
    "histogram_ops image_ops init_ops io_ops linalg_ops logging_ops math_ops nn_ops numerics "
    "parsing_ops partitioned_variables random_ops rnn script_ops sparse_ops special_math_ops "
    "standard_ops state_ops string_ops tensor_array_ops template variables"
)
# names below tensorflow.python: the module there that has them today
_NAMES = {
    "ops.gradients_impl.IsTrainable": "eager.backprop_util",
    "ops.summary_op_util.skip_summary": "distribute.summary_op_util",
    "framework.tensor_util.maybe_set_static_shape": "ops.shape_util",
    **MOVED,
}
_ELSEWHERE = {
    **{old: f"{home}.{old.rpartition('.')[2]}" for old, home in _NAMES.items()},
    # up to 0.8 the package had the modules of ops as names of its own
    **{f".{name}": f"ops.{name}" for name in _OPS.split()},
    ".common_shapes": "framework.common_shapes",
    ".constant_op": "framework.constant_op",
    ".ops": "framework.ops",
    ".rnn_cell": "ops.rnn_cell",
    ".seq2seq": "ops.seq2seq",
    ".tensor_shape": "framework.tensor_shape",
    ".tensor_util": "framework.tensor_util",
    "ops.constant_op": "framework.constant_op",
    "ops.common_shapes": "framework.common_shapes",
    "client.graph_util": "framework.graph_util",
    "estimator.util": "util.function_utils",
    "training.training_ops": "ops.gen_training_ops",
}
_FRONT = "tensorflow.python."
_ESTIMATOR_FRONT = "tensorflow_estimator.python."
"""The package that held `tf.estimator` from 1.13 on, as `tensorflow.python` had it before."""
_WHOLE = ("tensorflow", "tfqueue.v1", "tensorflow.compat.v1")
# what was private in these modules is public: `gen_logging_ops._scalar_summary`
_LOGGER = "tensorflow.python.platform.tf_logging._logger"
_PUBLIC_NOW = re.compile(r"tensorflow\.python\.(?:ops\.gen_\w+|platform\.tf_logging)\._[a-z]\w*$")


def find(module: Module) -> Iterator[Finding]:
    """Finds imports of, and references to, what moved out of `tensorflow.python`."""
    for node in [*module.nodes[ast.ImportFrom], *_as_from(module)]:
        inner = f"{node.module}."
        if not node.level and inner.startswith((_FRONT, _ESTIMATOR_FRONT)):
            yield from _import_from(module, node)
    for node, dotted in module.references:
        yield from _reference(module, node, dotted)


def _as_from(module: Module) -> Iterator[ast.ImportFrom]:
    """`import a.b as c` of what is gone, as `from a import b as c`."""
    for node in module.nodes[ast.Import]:
        new: list[ast.stmt] = []
        for alias in node.names:
            home, _, last = alias.name.rpartition(".")
            inner = f"{_inner(home)}.{last}"
            bound = ast.alias(last, alias.asname if alias.asname != last else None)
            theirs = f"{home}.".startswith((_FRONT, _ESTIMATOR_FRONT))
            if theirs and alias.asname and (inner in _GONE or inner in _ELSEWHERE):
                new.append(ast.ImportFrom(home, [bound], 0))
            else:
                new.append(ast.Import([alias]))
        found = [one for one in new if isinstance(one, ast.ImportFrom)]
        if found:
            module.replace(node, new)
            yield from found


def _inner(home: str) -> str:
    """A module without the package that it is inside of."""
    return f"{home}.".removeprefix(_ESTIMATOR_FRONT).removeprefix(_FRONT).rstrip(".")


def _row(parent: str, name: str) -> str | None:
    row = _ROWS.get(parent, {}).get(name)
    if parent in _OF_ALL and _was_public(parent, name):
        return name
    if row is None and parent in _CELLS and _OF_CELLS.match(name):
        return f"rnn_cell.{name}"
    if row is None and parent in _CANNED_PARTS and name != "*":
        return f"{_CANNED}.{name}"
    whole = row is None and parent in _GONE and parent not in _CELLS and name != "*"
    if whole and not parent.startswith("estimator"):
        return f"{_GONE[parent]}.{name}"
    return row


def _was_public(parent: str, name: str) -> bool:
    """Whether a module that took in the names of others had one that `tf` had, too."""
    kinds = ("function", "class", "constant")
    whole = f"{_FRONT}{parent}".rstrip(".")
    return any(entry.kind in kinds for entry in ledger.find(name)) and any(
        name in ledger.exports(whole, release) for release in ledger.releases()
    )


def _reference(module: Module, node: ast.expr, dotted: str) -> Iterator[Finding]:
    """`control_flow_ops.cond`, where `control_flow_ops` is a module that lost its `cond`."""
    if not dotted.startswith(_FRONT) or not isinstance(node, ast.Attribute):
        return
    if f"{dotted}.".startswith(f"{_LOGGER}."):
        logger = module.base(node, dotted, _LOGGER)
        yield module.finding(
            logger, "tf_logging's logger is made by get_logger() since TensorFlow 1.9"
        )
        if isinstance(logger, ast.Attribute) and isinstance(logger.ctx, ast.Load):
            made = module.attribute(logger.value, "get_logger")
            module.replace(logger, ast.Call(made, [], []))
        return
    if _PUBLIC_NOW.match(dotted):
        yield module.finding(node, f"{node.attr} is {node.attr[1:]} since TensorFlow 1.9")
        module.rename(node, node.attr[1:])
        return
    if home := _NAMES.get(dotted.removeprefix(_FRONT)):
        yield module.finding(node, f"{dotted} is in tensorflow.python.{home} today")
        module.replace(node, module.use(_FRONT + home, node.attr))
        return
    gone = next((one for one in _GONE if f"{dotted}.".startswith(f"{_FRONT}{one}.")), None)
    if gone and isinstance(moved := module.base(node, dotted, f"{_FRONT}{gone}"), ast.Attribute):
        yield from _moved(module, moved, gone, _GONE[gone])
        return
    parent, _, name = dotted[len(_FRONT) :].rpartition(".")
    while parent not in _ROWS and "." in parent:
        parent, _, name = parent.rpartition(".")
    new = _row(parent, name)
    if new is None or parent in _GONE:
        return
    old = f"{parent}.{name}".lstrip(".")
    moved = module.base(node, dotted, f"{_FRONT}{old}")
    if not isinstance(moved, ast.Attribute):
        return
    yield from _moved(module, moved, old, new)


def _moved(module: Module, node: ast.Attribute, old: str, new: str) -> Iterator[Finding]:
    yield module.finding(node, f"{_FRONT}{old} moved; its public name is tf.{new}")
    tensorflow = _alias(module) or module.use("tfqueue", "v1")
    module.replace(node, module.attribute(tensorflow, new))


def _alias(module: Module) -> ast.Name | None:
    """The name that the module itself has for TensorFlow wherever a line of it stands, or None."""
    found = set()
    for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom]):
        front = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
        if module.scope(node) is module.tree:
            names = [(alias, front + alias.name) for alias in node.names]
            found |= {alias.asname or alias.name for alias, whole in names if whole in _WHOLE}
    # `import tensorflow.python.platform` binds `tensorflow`, too: it is TensorFlow 2's
    found -= {
        alias.name.partition(".")[0]
        for node in module.nodes[ast.Import]
        for alias in node.names
        if not alias.asname and "." in alias.name
    }
    for name in module.imported:
        if name in found:
            return ast.Name(name, ast.Load())
    return None


def _home(whole: str) -> str:
    """The statement that binds the last part of a name below tfqueue.v1, as `{0}`."""
    base, _, last = f"tfqueue.v1.{whole}".rpartition(".")
    head, _, rest = whole.partition(".")
    modules = ("contrib", "train", "rnn_cell", *["estimator"] * ("." not in rest))
    if rest and head not in modules:
        # below a namespace that is no module: `import a.b as c` would not find it
        return f"from tfqueue.v1 import {head} as {{0}}; {{0}} = {{0}}.{rest}"
    return f"from {base} import {last} as {{0}}"


def _import_from(module: Module, node: ast.ImportFrom) -> Iterator[Finding]:
    parent = _inner(node.module or "")
    if home := _ELSEWHERE.get(parent):
        yield module.finding(node, f"{node.module} is tensorflow.python.{home}")
        node.module, parent = _FRONT + home, home
        module.changed()
    moved = {
        alias.name: _GONE.get(f"{parent}.{alias.name}") or _row(parent, alias.name)
        for alias in node.names
    }
    for alias in node.names:
        if home := _ELSEWHERE.get(f"{parent}.{alias.name}"):
            if len(node.names) == 1:
                yield module.finding(
                    node, f"{node.module}.{alias.name} is in tensorflow.python.{home}"
                )
                node.module, last = (_FRONT + home).rsplit(".", 1)
                if last != alias.name:
                    alias.name, alias.asname = last, alias.asname or alias.name
                module.changed()
                return
            moved[alias.name] = f"{_FRONT}{home}"
    first = next((name for name, whole in moved.items() if whole), None)
    done = any(ours.module == _OUR_CELLS for ours in module.nodes[ast.ImportFrom])
    if parent in _CELLS and node.names[0].name == "*" and not done:
        yield module.finding(node, f"{node.module}: its classes are those of tf.nn.rnn_cell")
        ours = ast.ImportFrom(_OUR_CELLS, [ast.alias("*")], 0)
        module.replace(node, [ast.ImportFrom(node.module, node.names, 0), ours])
    if first is None:
        return
    today = moved[first] or ""
    place = f"it is {today} now" if today.startswith(_FRONT) else f"its public name is tf.{today}"
    message = f"{node.module}.{first}: {place}"
    yield module.finding(node, message)
    kept = [alias for alias in node.names if not moved[alias.name]]
    new: list[ast.stmt] = [ast.ImportFrom(node.module, kept, 0)] if kept else []
    for alias in node.names:
        if whole := moved[alias.name]:
            known_as = alias.asname or alias.name
            if whole.startswith(_FRONT):
                base, _, last = whole.rpartition(".")
                bound = ast.alias(last, known_as if known_as != last else None)
                new.append(ast.ImportFrom(base, [bound], 0))
                continue
            text = _home(whole).format(known_as)
            new += ast.parse(
                text.replace(f" import {known_as} as {known_as}", f" import {known_as}")
            ).body
    module.replace(node, new)
