"""A program's own layers of the package keras 1 and 2, on those of `tf.keras`. Translated programs call these."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import patches
from tfqueue.port.libraries import keras_initializations

_tf = _tensorflow.compat_v1()
_told: list[str] = []
_OLD_ORDER = ("shape", "initializer", "name", "trainable", "regularizer", "constraint")


def layer(cls: Any) -> Any:
    """Stands before a class of a program for keras: if it is a layer, it is built and trained as in Keras 2.2.

    Shapes are tuples of whole numbers there, what `compute_output_shape` says is the shape of what
    `call` gives, and variables are trained if `add_weight` makes them or `trainable_weights` holds them,
    not because they are attributes. Classes that are derived from it are read in the same way. A model of
    the program's own may have attributes before its `__init__` calls that of `Model`.
    """
    import tfqueue.v1

    keras = tfqueue.v1.keras
    if not issubclass(cls, keras.layers.Layer):
        return cls
    if issubclass(cls, keras.models.Model):
        if "__setattr__" not in vars(cls):
            _with_early_attributes(cls, keras.layers.Layer)
        return cls
    cls.__init_subclass__ = classmethod(functools.partial(_derived, cls))
    _adapt(cls)
    return cls


def _with_early_attributes(cls: Any, kind: Any) -> None:
    """Has models of a class take attributes that are no layers before they are one."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        begun = hasattr(self, "_base_model_initialized") or not getattr(
            self, "_self_setattr_tracking", True
        )
        if begun or isinstance(value, kind):
            super(cls, self).__setattr__(name, value)
        else:
            object.__setattr__(self, name, value)

    cls.__setattr__ = __setattr__


def _derived(base: Any, cls: Any, **words: Any) -> None:
    super(base, cls).__init_subclass__(**words)
    _adapt(cls)


def _adapt(cls: Any) -> None:
    own = dict(vars(cls))
    _with_settable_updates(cls)
    if "get_output_shape_for" in own and "compute_output_shape" not in own:  # its name in Keras 1
        own["compute_output_shape"] = own["get_output_shape_for"]
    for name, adapted in (("build", _with_rules), ("compute_output_shape", _with_plain_shapes)):
        if inspect.isfunction(own.get(name)):
            setattr(cls, name, adapted(own[name]))
    original = next(one for one in cls.__mro__ if one.__module__.startswith("tf_keras."))
    if original.__name__ != "Layer":  # those of the library have parts that are attributes
        for name in ("trainable_weights", "non_trainable_weights"):
            setattr(cls, name, property(getattr(original, name).fget, _setting(f"_{name}")))
        return
    if inspect.isfunction(own.get("call")):
        cls.call = _with_its_shape(own["call"])
    if not getattr(cls, "_self_setattr_tracking", True):  # a base of it has these
        return
    cls._self_setattr_tracking = False
    cls.trainable_weights = property(_trainable, _set_trainable)
    cls.non_trainable_weights = property(_non_trainable, _set_non_trainable)
    if "add_weight" not in own:
        cls.add_weight = functools.partialmethod(_add_weight, cls)


def _with_settable_updates(cls: Any) -> None:
    """Has a layer take `self.updates = [...]`, as in Keras 1."""
    if "updates" not in vars(cls):
        # Keras exchanges the base when the first layer is made: it is asked then.
        cls.updates = property(
            lambda self: super(cls, self).updates,
            lambda self, updates: self.add_update(list(updates)),
        )


def _setting(name: str) -> Callable[[Any, Any], None]:
    def put(self: Any, weights: Any) -> None:
        vars(self)[name] = list(weights)

    return put


def _trainable(self: Any) -> Any:
    return self._trainable_weights if self.trainable else []


def _set_trainable(self: Any, weights: Any) -> None:
    self._trainable_weights = weights


def _non_trainable(self: Any) -> Any:
    return [*([] if self.trainable else self._trainable_weights), *self._non_trainable_weights]


def _set_non_trainable(self: Any, weights: Any) -> None:
    self._non_trainable_weights = weights


def _add_weight(self: Any, cls: Any, *args: Any, **words: Any) -> Any:
    """Stands for `add_weight`, whose shape came first in Keras 1."""
    if args and isinstance(args[0], list | tuple):
        words = {**dict(zip(_OLD_ORDER, args, strict=False)), **words}
        args = ()
    given = words.get("initializer")
    if inspect.isfunction(given) and "dtype" not in inspect.signature(given).parameters:
        words["initializer"] = keras_initializations.initializer(given)
    return super(cls, self).add_weight(*args, **words)


def plain_shapes(given: Any) -> Any:
    """The shape, or shapes, of a layer's inputs as Keras 2.2 gave them.

    >>> plain_shapes([_tf.TensorShape([None, 3]), _tf.TensorShape([4])])
    [(None, 3), (4,)]
    >>> plain_shapes([_tf.TensorShape([None, 3])]), plain_shapes((None, 3))
    ((None, 3), (None, 3))
    """
    if isinstance(given, _tf.TensorShape):
        return None if given.rank is None else tuple(given.as_list())
    if isinstance(given, list | tuple) and any(isinstance(one, _tf.TensorShape) for one in given):
        shapes = [plain_shapes(one) for one in given]
        return shapes[0] if len(shapes) == 1 else shapes
    return given


def _with_plain_shapes(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(self: Any, input_shape: Any, *args: Any, **words: Any) -> Any:
        return function(self, plain_shapes(input_shape), *args, **words)

    return called


def _with_rules(function: Callable[..., Any]) -> Callable[..., Any]:
    """`build`, which in Keras 1 gave its variables constraints and regularizers by two attributes of the layer."""
    build = _with_plain_shapes(function)

    @functools.wraps(build)
    def built(self: Any, *args: Any, **words: Any) -> Any:
        for name, empty in (("constraints", {}), ("regularizers", [])):
            if not hasattr(self, name):
                vars(self)[name] = empty
        before = _with_a_variable(self.regularizers)
        found = build(self, *args, **words)
        if isinstance(self.constraints, dict):  # a layer may have its own of the name
            for variable, constraint in self.constraints.items():
                if isinstance(variable, _tf.Variable):
                    variable._constraint = constraint
        for regularizer in _with_a_variable(self.regularizers)[len(before) :]:
            self.add_loss(functools.partial(_while_training, regularizer))
        return found

    return built


def _while_training(regularizer: Any) -> Any:
    """The loss of a regularizer, which up to Keras 1.1 was none of an evaluation."""
    import tfqueue.v1

    loss = regularizer(regularizer.variable)
    return tfqueue.v1.keras.backend.in_train_phase(loss, _tf.zeros_like(loss))


def _with_a_variable(regularizers: Any) -> list[Any]:
    """Those of a layer's regularizers that were told what they regularize."""
    listed = regularizers if isinstance(regularizers, list) else []
    return [one for one in listed if hasattr(one, "variable")]


def set_param(regularizer: Any, variable: Any) -> None:
    """Stands for ``Regularizer.set_param`` of Keras 1: what is regularized, if a layer has it among its `regularizers`."""
    if not _told:
        _told.append("set_param")
        sys.stderr.write(
            "tfqueue: what set_param gives a regularizer counts, as up to Keras 1.1; 1.2 left it out, and said so\n"
        )
    regularizer.variable = variable


def _is_list_of_shapes(given: Any) -> bool:
    """Whether these are shapes and not a shape; of one output the first was taken."""
    return isinstance(given, list) and any(
        isinstance(one, list | tuple | _tf.TensorShape) for one in given
    )


def _with_its_shape(function: Callable[..., Any]) -> Any:
    @functools.wraps(function)
    def call(self: Any, inputs: Any, *args: Any, **words: Any) -> Any:
        found = function(self, inputs, *args, **words)
        said = type(self).compute_output_shape
        if said.__module__.startswith("tf_keras."):  # the program says nothing
            return found
        shapes = said(self, _tf.nest.map_structure(lambda one: one.shape, inputs))
        single = not isinstance(found, list | tuple)
        if single and not _is_list_of_shapes(shapes):
            shapes = [shapes]
        for tensor, shape in zip([found] if single else found, shapes, strict=False):
            if _tf.is_tensor(tensor) and tensor.shape.is_compatible_with(shape):
                tensor.set_shape(shape)
        return found

    return patches.unconverted(call)
