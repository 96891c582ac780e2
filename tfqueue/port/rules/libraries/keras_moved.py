"""`import keras` of a program for TensorFlow 1 means Keras 1 or 2, which is `tf.keras` of the extra `keras`.

https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tfqueue.names.keras import (
    KERAS_APPLICATIONS,
    KERAS_HELPED,
    KERAS_IMPORTED,
    KERAS_MODULES,
    KERAS_NAMES,
    KERAS_ORDERED,
    KERAS_PARTS,
    KERAS_SHARED,
    KERAS_STEPS,
    KERAS_WORDS,
    OPTIMIZERS,
)
from tfqueue.port.program import keras_signs, tensorflow_signs
from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.rules.tensorflow.python_keras import public_names
from tfqueue.port.source.finding import Finding

WORDS = ("keras", "add_loss", "compile", "evaluate", "fit", "predict")
_HOME = "tfqueue.v1.keras"
_PACKAGE = "tfqueue.port.libraries"
_HELPERS = f"{_PACKAGE}.keras_1"
_PARTS = f"{_PACKAGE}.keras_parts"
_INITIALIZATIONS = f"{_PACKAGE}.keras_initializations"
_ITERATORS = f"{_PACKAGE}.keras_iterators"
_OPTIMIZERS = f"{_PACKAGE}.keras_optimizers"
_WHY = "keras is Keras 2 in a program for TensorFlow 1: tf.keras of the extra keras"
_METHODS = (
    "tfqueue is told of the package keras, which up to 2.2 did some things otherwise than tf.keras"
)
_FIRST = "layers of Keras 1 had other attributes"
_FITTING = ("fit", "fit_generator")
_STEPPING = ("GRU", "LSTM", "SimpleRNN")
_HOOKS = frozenset(["get_constants", "get_initial_states", "preprocess_input"])
_NO_SHAPE = "tensors have no _keras_shape since TensorFlow 2.4"


def _today(dotted: str) -> str:
    """Where a name of the tables is: those that begin with `keras` are in `tf.keras`."""
    return f"tfqueue.v1.{dotted}" if dotted.startswith("keras.") else dotted


_APART = {f"keras_{name}": f"keras.{name}" for name in ("applications", "preprocessing")}
_CAME = "keras_applications and keras_preprocessing came with Keras 2.2"
_TOLD = ("backend", "layers", "models", "utils")
_PLAIN = (
    "activations callbacks constraints initializations initializers metrics optimizers regularizers"
)
_PLAIN += " preprocessing.image preprocessing.sequence preprocessing.text"
_PLAIN += "".join(f" applications.{old.partition('.')[0]}" for old in KERAS_APPLICATIONS)
_PLAIN += " applications.vgg16 applications.vgg19 applications.xception"
_OTHERS = ("count_params", "identity")  # there are public ones, too
_PUBLIC = ("backend.concatenate", "models.Input", "models.Layer")
_HOMES = {*_PLAIN.split(), *KERAS_MODULES, *KERAS_MODULES.values()}
_ROWS = {
    # modules of Keras had names of each other
    **{
        f"tensorflow.keras.{home}.{name}": new
        for home in sorted(_HOMES)
        for name, new in (
            *(
                (old.rpartition(".")[2], f"{_PARTS}.{old.rpartition('.')[2]}")
                for old in KERAS_PARTS
            ),
            *((name, _today(new)) for name, new in KERAS_IMPORTED.items()),
        )
        if name not in _OTHERS
    },
    **{
        f"tensorflow.keras.{home}.{name}": f"{_HOME}.{new}"
        for home in sorted(_HOMES)
        for name, new in KERAS_SHARED.items()
        if f"{home}.{name}" not in (new, *_PUBLIC)
    },
    **{
        f"tensorflow.keras.applications.{old}": _today(new)
        for old, new in KERAS_APPLICATIONS.items()
    },
    **{f"tensorflow.keras.backend.{name}": f"{_HELPERS}.{name}" for name in KERAS_HELPED},
    # those of Keras 2.2: their arguments, and what they begin with
    "tensorflow.keras.optimizers": "tfqueue.v1.contrib.keras.optimizers",
    "tensorflow.keras.initializations": _INITIALIZATIONS,
    "tensorflow.keras.engine.Model": f"{_HOME}.models.Model",
    **{f"tensorflow.keras.engine.{home}merge": f"{_HELPERS}.merge" for home in ("", "topology.")},
    **{f"tensorflow.keras.{old}": f"{_HOME}.{new}" for old, new in KERAS_NAMES.items()},
    **{f"tensorflow.keras.{old}": f"{_PARTS}.{old.rpartition('.')[2]}" for old in KERAS_PARTS},
    **{
        f"{home}.{name.lower()}": f"tfqueue.v1.contrib.keras.optimizers.{name}"
        for home in ("tensorflow.keras.optimizers", "tensorflow.contrib.keras.optimizers")
        for name in OPTIMIZERS
    },
    **{
        f"tensorflow.contrib.keras.optimizers.{name}": f"{_PARTS}.{name}"
        for name in ("Optimizer", "TFOptimizer", "clip_norm")
    },
    "tensorflow.keras.engine.topology.Model": f"{_HOME}.models.Model",
    "tensorflow.keras.engine.training.Input": f"{_HOME}.layers.Input",
    **{f"tensorflow.keras.{old}": f"{_HOME}.{new}" for old, new in KERAS_MODULES.items()},
}
_ROWS = {
    # by the whole path, too: `layers.pooling._GlobalPooling1D` for what stands as `layers._GlobalPooling1D`
    **{
        f"tensorflow.keras.{module}.{old.rpartition('.')[2]}": new
        for module, home in KERAS_MODULES.items()
        for old, new in _ROWS.items()
        if old.rpartition(".")[0] == f"tensorflow.keras.{home}"
    },
    **_ROWS,
}
_ORDERINGS: dict[Any, Any] = {"th": "channels_first", "tf": "channels_last", "default": None}
_SIDES = {2: ("nb_row", "nb_col"), 3: ("kernel_dim1", "kernel_dim2", "kernel_dim3")}
_UNUSED = {
    **dict.fromkeys(
        ("Conv2DTranspose", "Convolution2DTranspose", "Deconv2D", "Deconvolution2D"),
        ("output_shape",),
    ),
    **dict.fromkeys(("conv1d", "conv2d"), ("filter_shape", "image_shape")),
    "conv3d": ("filter_shape", "volume_shape"),
    **dict.fromkeys(("ConvLSTM2D", "GRU", "LSTM", "SimpleRNN"), ("consume_less",)),
}
_BEGUN = {"forget_bias_init": "one", "mode": 0}
"""Arguments that Keras 2 has not -> the value with which it does the same."""


def find(module: Module) -> Iterator[Finding]:
    """Finds imports of keras, and what Keras 2.0 to 2.3 still took of Keras 1."""
    if not module.is_old or module.has_own("keras") or tensorflow_signs.is_keras_3(module):
        return
    if not keras_signs.is_imported(module):
        if module.era.imports_keras:  # what it trains was made in another file
            yield from _all_methods(module)
        return
    yield from _parts_apart(module)
    _spell_out(module)
    yield from moved_names.installs(module, "keras", f"{_PACKAGE}.keras_methods", _METHODS)
    first = module.era.shows_keras_1
    if first:
        yield from moved_names.installs(module, "keras", f"{_PACKAGE}.keras_1_methods", _FIRST)
    layers, bases = _layers(module), _optimizers(module)
    stepping = _stepping(module)
    calls = {call for call, dotted in module.calls if dotted.startswith("keras.")}
    for node, dotted in module.references:
        if dotted == "keras.__name__":
            yield module.finding(node, "the name of this module was keras")
            module.replace(node, ast.Constant("keras"))
    imports = list(_imports(module))
    yield from imports
    if not imports:
        return
    module.index()
    for layer in layers:
        yield module.finding(layer, "a layer of Keras 2.2 got shapes of whole numbers")
        decorator = module.use("tfqueue.port.libraries.keras_layers", "layer")
        layer.decorator_list.append(decorator)
        module.settle(decorator, layer, layer)
    for base, name in stepping:
        yield module.finding(base, f"{name} called the step of a class derived from it up to 2.0")
        module.replace(base, module.use(f"{_PACKAGE}.keras_recurrent", name))
    for base, name in bases:
        yield module.finding(base, "optimizers of Keras 2.2 were classes to derive from")
        module.replace(base, module.use(_OPTIMIZERS, name))
    rows = _rows(module, first)
    imported = {old.replace("tensorflow.keras", _HOME): new for old, new in rows.items()}
    yield from moved_names.find(module, imported, "{old} is {new}", always=True)
    for call, dotted in module.calls:
        if call in calls:
            yield from _arguments(module, call, dotted.rpartition(".")[2])
    yield from _all_methods(module)
    yield from _shapes(module)
    module.index()
    yield from moved_names.find(module, rows, "{old} is {new}", always=True)


def _imports(module: Module) -> Iterator[Finding]:
    """Finds imports of keras."""
    _import_parts(module)
    for node in module.nodes[ast.ImportFrom]:
        if not node.level and (node.module or "").partition(".")[0] == "keras":
            yield module.finding(node, _WHY)
            inner = str(node.module).removeprefix("keras").removeprefix(".")
            if not inner.startswith("engine"):  # whose names went to two homes
                inner = KERAS_MODULES.get(inner, inner)
            node.module = f"{_HOME}.{inner}" if inner else _HOME
            module.changed()
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name.partition(".")[0] != "keras":
                continue
            yield module.finding(alias, _WHY)
            whole = alias.asname is None  # `import keras.layers` binds keras
            module.rename(alias, _HOME + ("" if whole else alias.name.removeprefix("keras")))
            alias.asname = alias.asname or "keras"


def _import_parts(module: Module) -> None:
    """Makes `from keras.utils import conv_utils as c` of `import keras.utils.conv_utils as c`: it is in no package today."""
    for node in module.nodes[ast.Import]:
        parts = [
            alias.asname is not None
            and alias.name.startswith("keras.")
            and alias.name.removeprefix("keras.") in KERAS_PARTS
            for alias in node.names
        ]
        if any(parts):
            module.replace(
                node,
                [
                    _import(str(alias.asname), alias.name) if part else ast.Import([alias])
                    for alias, part in zip(node.names, parts, strict=True)
                ],
            )
            module.index()


def _shapes(module: Module) -> Iterator[Finding]:
    """Finds `tensor._keras_shape`, also where it is asked for by name."""
    for call in module.nodes[ast.Call]:
        asked = getattr(call.func, "id", "")
        if asked in ("getattr", "hasattr") and len(call.args) > 1:
            given, name = call.args[:2]
            if isinstance(name, ast.Constant) and name.value == "_keras_shape":
                yield module.finding(call, _NO_SHAPE)
                helper = "keras_shape" if asked == "getattr" else "has_keras_shape"
                module.replace(call, module.call(helper, given, *call.args[2:], home=_HELPERS))
    for node in module.nodes[ast.Attribute]:
        if node.attr == "_keras_shape" and isinstance(node.ctx, ast.Load):
            yield module.finding(node, _NO_SHAPE)
            module.replace(node, module.call("keras_shape", node.value, home=_HELPERS))


def _parts_apart(module: Module) -> Iterator[Finding]:
    """Takes keras_applications and keras_preprocessing, packages that came with Keras 2.2, for what is below keras."""
    for call, dotted in module.calls:
        if dotted.startswith("keras_applications."):  # whose functions were told of Keras
            call.keywords = [one for one in call.keywords if one.arg not in _TOLD]
    for node in module.nodes[ast.ImportFrom]:
        new = None if node.level else _below_keras(module, node.module or "")
        if new:
            yield module.finding(node, _CAME)
            node.module = new
            module.changed()
    for alias in (alias for node in module.nodes[ast.Import] for alias in node.names):
        package, dot, _ = alias.name.partition(".")
        new = _below_keras(module, alias.name)
        if new:
            yield module.finding(alias, _CAME)
            # `import keras_applications.vgg16` binds the package
            alias.name = _APART[package] if dot and alias.asname is None else new
            alias.asname = alias.asname or package
            module.changed()
    module.index()


def _below_keras(module: Module, name: str) -> str | None:
    """Where a module of these packages is below keras; None for another."""
    package, dot, inner = name.partition(".")
    if package not in _APART or module.has_own(package):
        return None
    return f"{_APART[package]}{dot}{inner}"


def _spell_out(module: Module) -> None:
    """Names beside `from keras.layers import *` what the program uses of it, so that rows find it."""
    for node in module.nodes[ast.ImportFrom]:
        home, _, inner = str(node.module).partition(".")
        if node.level or home != "keras" or node.names[0].name != "*":
            continue
        public = KERAS_MODULES.get(inner, inner)
        homes = {f"tensorflow.keras.{one}".rstrip(".") for one in (inner, public)}
        known = {name for old in _ROWS for home, _, name in [old.rpartition(".")] if home in homes}
        known = known - KERAS_IMPORTED.keys() | public_names().get(public, frozenset())
        used = {name.id for name in module.nodes[ast.Name] if not module.binder(name, name.id)}
        names = [ast.alias(name) for name in sorted(used & known)]
        lines: list[ast.stmt] = [
            ast.ImportFrom(node.module, line, 0) for line in (node.names, names) if line
        ]
        lines += [
            _import(name, KERAS_IMPORTED[name])
            for name in sorted(used - known)
            if name in KERAS_IMPORTED
        ]
        if len(lines) > 1:
            module.replace(node, lines)
    module.index()


def _import(name: str, dotted: str) -> ast.stmt:
    """The import that binds `name` to a module or to what is in one."""
    home, _, last = dotted.rpartition(".")
    if home:
        return ast.ImportFrom(home, [ast.alias(last, None if last == name else name)], 0)
    return ast.Import([ast.alias(last, None if last == name else name)])


def _layers(module: Module) -> list[ast.ClassDef]:
    """Classes that may be layers of the program's own: their base is imported from keras."""
    starred = any(
        node.names[0].name == "*" and f"{node.module}.".startswith("keras.")
        for node in module.nodes[ast.ImportFrom]
    )
    return [
        node
        for node in module.nodes[ast.ClassDef]
        for base in node.bases[:1]
        if (module.dotted(base) or "").startswith("keras.")
        or (starred and isinstance(base, ast.Name) and not module.binder(base, base.id))
    ]


def _stepping(module: Module) -> list[tuple[ast.expr, str]]:
    """The bases of classes that are recurrent layers of keras with a `step`, or another of `_HOOKS`, of their own, and their names.

    A class derived from such a class may have it, too.
    """
    own, bases = {}, {}
    for node in module.nodes[ast.ClassDef]:
        methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
        step = methods.get("step")
        own[node.name] = bool(step and len(step.args.args) == 3) or (
            "call" not in methods and not _HOOKS.isdisjoint(methods)
        )
        bases[node.name] = node.bases[:1]
    for name, above in bases.items():
        while own[name] and above and isinstance(above[0], ast.Name) and above[0].id in bases:
            inner = above[0].id
            if own[inner]:
                break
            own[inner], name, above = True, inner, bases[inner]
    found = []
    for base in (base for name, above in bases.items() if own[name] for base in above):
        home, _, name = (module.dotted(base) or "").rpartition(".")
        if home in ("keras.layers", "keras.layers.recurrent", "keras.legacy.layers"):
            found += [(base, name)] * (name in _STEPPING)
    return found


def _optimizers(module: Module) -> list[tuple[ast.expr, str]]:
    """The bases of classes that are optimizers of keras, and their names."""
    bases = [base for node in module.nodes[ast.ClassDef] for base in node.bases]
    names = [(module.dotted(base) or "").removeprefix("keras.optimizers.") for base in bases]
    return [pair for pair in zip(bases, names, strict=True) if pair[1] in OPTIMIZERS]


def _is_one_of(given: ast.keyword, values: tuple[str, ...]) -> bool:
    return isinstance(given.value, ast.Constant) and given.value.value in values


def _rows(module: Module, first: bool) -> dict[str, str]:
    rows, merge = _ROWS, "tensorflow.keras.layers.merge"
    if any(dotted == merge for _, dotted in module.calls):  # the function of Keras 1
        rows = {**rows, merge: f"{_HELPERS}.merge"}
    if first:
        rows = {
            **rows,
            **{
                f"tensorflow.keras.callbacks.{name}": f"{_PACKAGE}.keras_1_callbacks.{name}"
                for name in ("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau")
            },
        }
    return rows


def _may_be_an_ordering(given: ast.expr) -> bool:
    """Whether an argument can be `"th"`, `"tf"` or `"default"`: a name of Keras 2 stays as it is."""
    if isinstance(given, ast.Constant):
        return isinstance(given.value, str) and given.value in _ORDERINGS
    return isinstance(given, ast.Name | ast.Attribute)


def _order(module: Module, given: ast.expr) -> None:
    """Makes a `data_format` of what a call gives as its `dim_ordering`."""
    if isinstance(given, ast.Constant):
        module.replace(given, ast.Constant(_ORDERINGS.get(given.value, given.value)))
    else:
        module.replace(given, module.call("data_format", given, home=_HELPERS))


def _arguments(module: Module, call: ast.Call, name: str) -> Iterator[Finding]:
    words = {keyword.arg: keyword for keyword in call.keywords}
    for old, new in KERAS_WORDS.get(name, {}).items():
        if old in words:
            yield module.finding(call, f"{old} of {name} is {new} since Keras 2")
            given = words[old].value
            if new == "data_format":
                _order(module, given)
            if old == "init" and not isinstance(words[old].value, ast.Constant):
                module.replace(given, module.call("initializer", given, home=_INITIALIZATIONS))
            module.rename(words[old], new)
    place = KERAS_ORDERED.get(name, len(call.args))
    if name.islower() and place < len(call.args) and _may_be_an_ordering(call.args[place]):
        yield module.finding(call, f"the dim_ordering of {name} is a data_format since Keras 2")
        _order(module, call.args[place])
    if name in keras_signs.KERNELS:
        yield from _kernel(module, call, name, words)
    gone = [word for word in _UNUSED.get(name, ()) if word in words]
    if name in ("GRU", "LSTM") and gone and not _is_one_of(words["consume_less"], ("cpu", "mem")):
        gone.remove("consume_less")  # what it means is known at run time
    gone += [
        word
        for word, same in _BEGUN.items()
        if word in words and getattr(words[word].value, "value", None) == same
    ]
    if gone and (name in _UNUSED or name in ("BatchNormalization", "LSTM")):
        yield module.finding(call, f"{name} has no {' and no '.join(gone)} since Keras 2")
        call.keywords = [word for word in call.keywords if word.arg not in gone]
        module.changed()
    if "activity_regularizer" in words:
        yield module.finding(call, "activity_regularizer had names of its own in Keras 1")
        given = words["activity_regularizer"].value
        module.replace(given, module.call("activity", given, home=_HELPERS))
    if name == "Input" and {"shape", "batch_shape"} <= words.keys():
        yield module.finding(call, "Input of Keras 2.2 took a shape beside a batch_shape")
        module.replace(call.func, module.use(_HELPERS, "input_of"))
    if name == "Embedding" and "dropout" in words:
        yield module.finding(call, "Embedding leaves out no rows since Keras 2")
        module.replace(call.func, module.use(f"{_PACKAGE}.keras_gone", "Embedding"))
    if name == "BatchNormalization" and "mode" in words:
        yield module.finding(call, "BatchNormalization has no modes since Keras 2")
        module.replace(call.func, module.use(_HELPERS, "batch_normalization"))


def _kernel(
    module: Module, call: ast.Call, name: str, words: dict[str | None, ast.keyword]
) -> Iterator[Finding]:
    """Gives a convolution the sizes of its kernel as one argument."""
    rank = 3 if "3D" in name else 2
    why = f"{name} takes the size of its kernel as {'a pair' if rank == 2 else 'three numbers'} since Keras 2"
    if set(_SIDES[rank]) <= words.keys():
        yield module.finding(call, why)
        sides = [words[side] for side in _SIDES[rank]]
        whole = ast.keyword("kernel_size", ast.Tuple([side.value for side in sides], ast.Load()))
        call.keywords[call.keywords.index(sides[0])] = whole
        call.keywords = [word for word in call.keywords if word not in sides]
        module.settle(whole, call, call)
        return
    sizes = call.args[1 : rank + 1]
    if len(sizes) < rank or any(isinstance(o, ast.Tuple | ast.List | ast.Starred) for o in sizes):
        return
    behind = call.args[rank + 1 :]
    if behind and not name.startswith("Deconv"):  # whose shape of what is put out came next
        return
    yield module.finding(call, why)
    size: ast.expr = ast.Tuple(sizes, ast.Load())
    told = all(isinstance(one, ast.Constant) for one in sizes)
    if rank == 2 and not told:  # it may be a size and strides
        size = ast.Starred(module.call("kernel", *sizes, home=_HELPERS), ast.Load())
    call.args[1:] = [size]
    module.settle(size, call, call)


def _defines(module: Module, name: str) -> bool:
    """Whether there is a function of the program's own of this name."""
    return any(node.name == name for node in module.nodes[ast.FunctionDef])


def _all_methods(module: Module) -> Iterator[Finding]:
    """Finds calls of methods that models may have."""
    for call in module.nodes[ast.Call]:
        if isinstance(call.func, ast.Attribute) and not module.dotted(call.func):
            yield from _methods(module, call, call.func, module.era.shows_keras_1)


def _methods(module: Module, call: ast.Call, func: ast.Attribute, first: bool) -> Iterator[Finding]:
    words = {keyword.arg: keyword for keyword in call.keywords}
    old = [word for word in KERAS_STEPS if word in words]
    helper = "method"
    ten = (
        first
        and func.attr == "fit"
        and len(call.args) < 4
        and words.keys().isdisjoint(("nb_epoch", None))
    )
    if first and func.attr in keras_signs.GENERATORS and len(call.args) > 1:
        old.append("the second argument")
        helper = "counting"
    if old:
        yield module.finding(call, f"{old[0]} counted examples up to Keras 1")
    elif "nb_epoch" in words and func.attr in _FITTING and not _defines(module, func.attr):
        yield module.finding(call, "nb_epoch is epochs since Keras 2")
        module.rename(words["nb_epoch"], "epochs")
    if func.attr == "compile" and (call.args or words.keys() & {"optimizer", "loss"}):
        yield module.finding(call, "Keras 2.2 weighted examples, and began with rates, of its own")
    elif (
        func.attr in _FITTING
        and ("callbacks" in words or len(call.args) > 5)
        and (words.keys() & {"validation_data", "validation_split"} or len(call.args) > 6)
    ):
        yield module.finding(call, "callbacks of Keras 2.2 had the data of the validation")
        helper = "counting" if ten else helper
    elif ten:
        yield module.finding(call, "fit of Keras 1 trained for 10 epochs")
        helper = "counting"
    elif func.attr == "add_loss":
        yield module.finding(call, "add_loss of Keras 2.2 made no layers of a loss")
    elif not old:
        return
    name = ast.Constant(func.attr)
    module.replace(func, module.call(helper, func.value, name, home=_HELPERS))
