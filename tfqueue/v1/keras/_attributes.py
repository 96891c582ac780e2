"""Attributes of Keras 2.2 and TensorFlow 1's `tf.keras` that tf_keras has not: of models, layers, optimizers and callbacks.

`model.layers` is the list itself for programs of the package keras and of `tf.keras` up to 1.8: what they take out of it is
out of the model. Since then it is a copy, of which `pop` takes nothing away.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.lines import is_library_file
from tfqueue.graph import traversal
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()
_NODES = ("inbound_nodes", "outbound_nodes")
_APPENDED = "_tfqueue_appended_metrics"
"""The attribute of a model with names and tensors of metrics that wait for each other, and the metrics made of them."""
_OF_COMPILATION = "metrics_names metrics_tensors sample_weights targets"
_OF_COMPILATION += (
    " _feed_loss_fns _feed_output_names _feed_output_shapes _feed_sample_weights _feed_targets"
)
"""What `compile` gives a model, and what a class with a `compile` of its own gave it."""
_NOTING = "_self_setattr_tracking"
"""The attribute of a layer that says whether it notes what it is given."""
_told: list[str] = []
_WRITERS = "append clear extend insert pop remove reverse __delitem__ __iadd__ __setitem__".split()


def install() -> None:
    """Gives models, layers, optimizers and callbacks the attributes that they had."""
    engine = "tf_keras.src.engine"
    training: Any = importlib.import_module(f"{engine}.training_v1")
    training.Model.uses_learning_phase = property(_uses_learning_phase)
    training.Model.metrics = training.Model.metrics.setter(_set_metrics)
    training.Model.targets = property(lambda self: self._targets)
    training.Model.metrics_tensors = property(_metrics_tensors, lambda self, value: None)
    names = training.Model.metrics_names.fget
    training.Model.metrics_names = property(
        lambda self: _OfMetrics(self, "names", names(self)), lambda self, value: None
    )
    training.Model.compile = _without_appended(training.Model.compile)
    for name in _OF_COMPILATION.split():
        setattr(training.Model, name, _kept_until_compiled(name, getattr(training.Model, name)))
    for module in ("base_layer", "base_layer_v1"):
        layer: Any = importlib.import_module(f"{engine}.{module}").Layer
        layer.name = layer.name.setter(_rename)
        for name in _NODES:
            put = functools.partial(_set_nodes, f"_{name}")
            setattr(layer, name, getattr(layer, name).setter(put))
    base: Any = importlib.import_module(f"{engine}.base_layer_v1").Layer
    base.get_config = _of_any_arguments(base.get_config)
    base.__setattr__ = _noting_as_then(base.__setattr__)
    node: Any = importlib.import_module(f"{engine}.node").Node
    node.inbound_layers = property(_inbound_layers(node.inbound_layers.fget))
    for place, name in ((1, "node_indices"), (2, "tensor_indices")):
        setattr(node, name, property(functools.partial(_of_histories, place)))
    for name in ("input_shapes", "input_tensors", "output_shapes", "output_tensors"):
        setattr(node, name, property(_in_a_list(vars(node)[name].fget)))
    node.input_masks = property(lambda self: _masks(self.input_tensors))
    node.output_masks = property(lambda self: _masks(self.output_tensors))
    function: Any = importlib.import_module("tf_keras.src.layers.core.lambda_layer").Lambda
    function.call = _with_variables(function.call)
    function._check_variables = lambda *args: None
    optimizer: Any = importlib.import_module("tf_keras.src.optimizers.legacy.optimizer_v2")
    optimizer.OptimizerV2.initial_decay = property(lambda self: self._initial_decay)
    callback: Any = importlib.import_module("tf_keras.src.callbacks").Callback
    for when in ("begin", "end"):
        name = f"on_train_batch_{when}"
        setattr(callback, name, _by_position(getattr(callback, name), f"on_batch_{when}"))
    for name in ("input", "output"):
        for what in ("at", "shape_at"):
            method = f"get_{name}_{what}"
            own = _own_first(getattr(training.Model, method), f"{name}s", what == "shape_at")
            setattr(training.Model, method, own)
    _share_layers()


def _kept_until_compiled(name: str, made: property) -> property:
    """An attribute that is what a program gave it, as long as Keras has not compiled the model."""
    getter, setter = made.fget, made.fset
    assert getter is not None

    def get(self: Any) -> Any:
        own = vars(self).get("_tfqueue_given", {})
        return own[name] if name in own and not self._is_compiled else getter(self)

    def give(self: Any, value: Any) -> None:
        if not self._is_compiled:
            vars(self).setdefault("_tfqueue_given", {})[name] = value
        elif setter is None:
            raise AttributeError(f"{name} of a compiled model is only read here")
        else:
            setter(self, value)

    return property(get, give)


def _set_metrics(self: Any, value: Any) -> None:
    """`model.metrics = None`, so that they are not saved; what was compiled goes on."""
    object.__setattr__(self, "_compile_metrics", value)


def _with_variables(call: Callable[..., Any]) -> Callable[..., Any]:
    """A `Lambda`, whose function may make variables: 1.15 alone trained them, and made one of those that have the same name."""

    @functools.wraps(call)
    def called(self: Any, *args: Any, **named: Any) -> Any:
        if _call_forms.reaches("1.14", keras=True):
            return call(self, *args, **named)
        made: dict[str | None, Any] = self.__dict__.setdefault("_tfqueue_variables", {})

        def of_its_name(create: Callable[..., Any], **named: Any) -> Any:
            if named["name"] not in made:
                made[named["name"]] = variable = create(**named)
                if variable.trainable:
                    self._trainable_weights.append(variable)
            return made[named["name"]]

        with _tf.variable_creator_scope(of_its_name):
            return call(self, *args, **named)

    return called


def _by_position(original: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A callback's method of a batch that is trained on, which calls that of any batch; its `logs` may have any name."""

    @functools.wraps(original)
    def told(self: Any, batch: Any, logs: Any = None) -> None:
        getattr(self, name)(batch, logs)

    return told


def _inbound_layers(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The layers before a node: one alone is in a list, too, in the package keras and up to 1.13."""

    def inbound_layers(self: Any) -> Any:
        found = original(self)
        listed = isinstance(found, list) or not _call_forms.reaches("1.13", keras=True)
        return found if listed else [found]

    return inbound_layers


def _in_a_list(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Tensors or shapes of a node, which a program got in a list then, also one alone."""

    def listed(self: Any) -> Any:
        found = original(self)
        as_then = _call_forms.reaches("1.13", keras=True) and not isinstance(found, list)
        of_program = as_then and not is_library_file(sys._getframe(1).f_code.co_filename)
        return [found] if of_program else found

    return listed


def _of_histories(place: int, node: Any) -> list[int]:
    """Which calls of the layers before a node gave its inputs, or which outputs of these they are."""
    tensors = [] if node.is_input else _tf.nest.flatten(node.input_tensors)
    return [tensor._keras_history[place] for tensor in tensors]


def _own_first(original: Callable[..., Any], name: str, shapes: bool) -> Callable[..., Any]:
    """`get_output_at(n)` and its kin: the first of a model are its own tensors, and behind them come those of its calls."""

    @functools.wraps(original)
    def at(self: Any, node_index: int) -> Any:
        owns = getattr(self, "_is_graph_network", False)
        if not owns or node_index not in (0, -1 - len(self.inbound_nodes)):
            return original(self, node_index - (owns and node_index > 0))
        found = [tuple(one.shape.as_list()) if shapes else one for one in getattr(self, name)]
        return found[0] if len(found) == 1 else found

    return at


def _of_any_arguments(original: Callable[..., Any]) -> Callable[..., Any]:
    """`get_config` of a layer whose class has arguments and none for them: up to 1.14 it had what all layers have."""

    @functools.wraps(original)
    def get_config(self: Any) -> dict[str, Any]:
        try:
            found: dict[str, Any] = original(self)
        except NotImplementedError:
            if not _call_forms.reaches("1.14", keras=True):
                raise
            found = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
            if hasattr(self, "_batch_input_shape"):
                found["batch_input_shape"] = self._batch_input_shape
        return found

    return get_config


def _rename(layer: Any, name: str) -> None:
    """Gives a layer or model another name, which was an attribute in the package keras."""
    object.__setattr__(layer, "_name", name)


def _masks(tensors: Any) -> list[Any]:
    """The masks of a node's tensors, None where there is none; a node of Keras 2.2 kept them."""
    return [getattr(tensor, "_keras_mask", None) for tensor in _tf.nest.flatten(tensors)]


def _share_layers() -> None:
    """Has `model.layers` be the list itself: of layers in a row up to 1.8, or Keras 2.1; of others in Keras 2.2, too."""
    training: Any = importlib.import_module("tf_keras.src.engine.training")
    sequential: Any = importlib.import_module("tf_keras.src.engine.sequential")
    input_layer: Any = importlib.import_module("tf_keras.src.engine.input_layer")
    layers = training.Model.layers

    def found(self: Any) -> list[Any]:
        given: list[Any] = layers.fget(self)
        in_a_row = isinstance(self, sequential.Sequential)
        if in_a_row and given and isinstance(given[0], input_layer.InputLayer):
            given = given[1:]
        shared = _call_forms.reaches("1.8", keras=True)
        if not shared or not (in_a_row or getattr(self, "_is_graph_network", False)):
            return given
        if not in_a_row or _call_forms.reaches("1.8"):
            return _Layers(functools.partial(put, self), given)
        return _Layers(_tell, given)

    def put(self: Any, value: Any) -> None:
        if not _call_forms.reaches("1.8", keras=True):
            layers.fset(self, value)  # which refuses it
        before = layers.fget(self)
        hidden = before[: len(before) - len(found(self))]  # the input of layers in a row
        self._self_tracked_trackables = [*hidden, *value]

    training.Model.layers = property(found, put)
    sequential.Sequential.layers = property(found, put)


def _tell(_layers: Any) -> None:
    """Says what a change of the layers of `Sequential` does not do."""
    if _told:
        return
    _told.append("layers")
    sys.stderr.write(
        "tfqueue: Sequential.layers is a copy, as in Keras 2.2: what is taken out of it stays in the model. Up to 2.1 "
        "it did not, which --era 1.8 gives back; model.pop() takes a layer away in both\n"
    )


class _OfModel(list[Any]):
    """A list of a model; a copy of it is one of its own."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


class _Layers(_OfModel):
    """The layers of a model, which is told of each change of the list."""

    def __init__(self, told: Callable[[Any], None], layers: Iterable[Any]) -> None:
        super().__init__(layers)
        self._told = told


def _writing(name: str) -> Callable[..., Any]:
    change = getattr(list, name)

    @functools.wraps(change)
    def written(self: _Layers, *args: Any, **named: Any) -> Any:
        found = change(self, *args, **named)
        self._told(self)
        return found

    return written


for _name in _WRITERS:
    setattr(_Layers, _name, _writing(_name))


class _OfMetrics(_OfModel):
    """Names of a model's metrics, or their tensors: one of each that is appended is one more metric."""

    def __init__(self, model: Any, kind: str, values: Iterable[Any]) -> None:
        super().__init__(values)
        self._model, self._kind = model, kind

    def append(self, value: Any) -> None:
        """Adds a name or a tensor."""
        super().append(value)
        appended = vars(self._model).setdefault(_APPENDED, {"names": [], "tensors": [], "made": []})
        appended[self._kind].append(value)
        while appended["names"] and appended["tensors"]:
            name, tensor = (appended[kind].pop(0) for kind in ("names", "tensors"))
            metric = importlib.import_module("tf_keras.src.metrics").Mean(name=name)
            examples = _tf.shape(self._model.inputs[0])[0]
            metric(tensor, sample_weight=_tf.cast(examples, tensor.dtype))  # which notes its result
            self._model._metrics.append(metric)
            appended["made"].append(metric)

    def extend(self, values: Iterable[Any]) -> None:
        """Adds several."""
        for value in values:
            self.append(value)

    def __iadd__(self, values: Any) -> Any:  # type: ignore[misc]
        self.extend(values)
        return self


def _without_appended(compiles: Callable[..., Any]) -> Callable[..., Any]:
    """`Model.compile`, with which a model has the metrics that it is given, and none that was appended before."""

    @functools.wraps(compiles)
    def compile(self: Any, *args: Any, **named: Any) -> Any:
        for metric in vars(self).pop(_APPENDED, {"made": ()})["made"]:
            self._metrics.remove(metric)
        return compiles(self, *args, **named)

    return compile


def _metrics_tensors(self: Any) -> _OfMetrics:
    """What the metrics of a compiled model give for a batch."""
    metrics = self._get_training_eval_metrics()
    given = (getattr(metric, "_call_result", None) for metric in metrics)
    return _OfMetrics(self, "tensors", (one for one in given if one is not None))


def _uses_learning_phase(self: Any) -> bool:
    """Whether what a model puts out depends on `K.learning_phase()`."""
    phase = importlib.import_module("tf_keras.src.backend").learning_phase()
    if not _tf.is_tensor(phase):  # it was set
        return False
    return phase.op in traversal.ancestors([one.op for one in self.outputs])


def _noting_as_then(original: Callable[..., None]) -> Callable[..., None]:
    """`layer.name = value`, which notes variables and layers among a layer's own since 1.13, those in lists since 1.14."""

    @functools.wraps(original)
    def __setattr__(self: Any, name: str, value: Any) -> None:
        noted = not _call_forms.reaches("1.13") or (
            not _call_forms.reaches("1.12") and isinstance(value, (_tf.Variable, *_layers()))
        )
        if noted or not _is_of_a_program(type(self)) or not getattr(self, _NOTING, True):
            original(self, name, value)
            return
        vars(self)[_NOTING] = False
        try:
            original(self, name, value)
        finally:
            del vars(self)[_NOTING]

    return __setattr__


@functools.cache
def _layers() -> tuple[Any, ...]:
    engine: list[Any] = [
        importlib.import_module(f"tf_keras.src.engine.{name}")
        for name in ("base_layer", "base_layer_v1")
    ]
    return tuple(module.Layer for module in engine)


def _is_of_a_program(kind: Any) -> bool:
    """Whether a class is a layer of a program's own, derived from none of the library's but `Layer`."""
    above = next(one for one in kind.__mro__ if one.__module__.startswith("tf_keras."))
    return above is not kind and above.__name__ == "Layer"


def _set_nodes(name: str, self: Any, value: Any) -> None:
    setattr(self, name, value)
