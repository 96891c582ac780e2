"""Where TensorFlow's own code is changed in place; `tfqueue.v1._old_numbers` changes more of it.

Most of it lets through again what TensorFlow 1 let through and today's TensorFlow refuses. That
stands in internals, where no name of `tfqueue.v1` could be laid over it, and only turns an error into
what TensorFlow 1 did; a program that runs without it runs the same with it. The rest changes what is computed:
initial values, averages and steps of programs for 0.12 (functions with `0_12` in their names), `x += y` of a variable
of the package keras, and loops and maps, whose functions AutoGraph leaves as they are. `install` puts all of it in
place. `tests/_tensorflow/test_tensorflow.py` fails when one of the internals moves.

Importing it loads TensorFlow.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import itertools
import linecache
import numbers
import operator
import sys
import types
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from tensorflow.python import tf2
from tensorflow.python.data.ops import dataset_ops
from tensorflow.python.feature_column import feature_column_v2
from tensorflow.python.framework import (
    device,
    dtypes,
    ops,
    sparse_tensor,
    tensor_shape,
    tensor_util,
)
from tensorflow.python.keras.utils import version_utils
from tensorflow.python.ops import (
    control_flow_util,
    init_ops,
    io_ops,
    lookup_ops,
    map_fn,
    math_ops,
    ref_variable,
    resource_variable_ops,
    tensor_array_ops,
    variable_scope,
    variables,
)
from tensorflow.python.trackable import base as trackable
from tensorflow.python.training import (
    adam,
    monitored_session,
    moving_averages,
    session_manager,
    slot_creator,
    supervisor,
    training_util,
)
from tensorflow.python.training.saving import saveable_object_util
from tensorflow.python.util import all_util

from tfqueue import release
from tfqueue._tensorflow import assigned_shapes, gradients, scope_collection, seeds
from tfqueue._tensorflow.lines import add_note, is_library_file
from tfqueue._tensorflow.loading import compat_v1
from tfqueue._tensorflow.types import Graph, Session, Tensor
from tfqueue.names import internals

_MARK = "_tfqueue"


class _NoNumber(TypeError, ValueError):
    """What text of a dimension is; `shape == "text"` takes a TypeError for False."""


def _whole_floats(original: Callable[..., Any]) -> Callable[..., Any]:
    """`Dimension(3.0)` and `Dimension("3")`, a quotient and an argument without a type: good up to 1.15."""

    @functools.wraps(original)
    def __init__(self: Any, value: Any) -> None:
        whole = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral)
        if isinstance(value, str | bytes) or (whole and value == int(value)):
            try:
                value = int(value)
            except ValueError as error:
                raise _NoNumber(str(error)) from None
        original(self, value)

    return __init__


def _slots_where_variables_are_reused(original: Callable[..., Any]) -> Callable[..., Any]:
    """Slots of optimizers and averages, made after `reuse_variables()`.

    Up to TensorFlow 0.12 they were plain variables. Since then they are got like all others, and a
    scope that reuses refuses to make them: `Variable x/ExponentialMovingAverage/ does not exist`.
    Where a scope was entered twice, a second optimizer's ended in `Variable x/Adam/ already exists`.
    """

    @functools.wraps(original)
    def _create_slot_var(*args: Any, **kwargs: Any) -> Any:
        scope = variable_scope.get_variable_scope()
        known = variable_scope._get_default_variable_store()._vars
        if scope.reuse is not True:
            if f"{scope.name}/" not in known:
                return original(*args, **kwargs)
            # leaving a scope forgets the names counted in it: the second optimizer's are free
            free = (f"{scope.name}_{count}" for count in itertools.count(1))
            name = next(name for name in free if f"{name}/" not in known)
            other = variable_scope.VariableScope(reuse=False, name=name)
            with variable_scope.variable_scope(other, auxiliary_name_scope=False):
                return original(*args, **kwargs)
        with variable_scope.variable_scope(scope, reuse=variable_scope.AUTO_REUSE):
            return original(*args, **kwargs)

    return _create_slot_var


def _of_one_element(original: Callable[..., Any]) -> Callable[..., Any]:
    """A global step of shape `[1]`, as programs of TensorFlow 0.x gave it.

    TensorFlow takes `int(...)` of it, which numpy refuses since 2.4 for an array of one element.
    `Supervisor`, `Saver.save` and `tf.train.global_step` all read it through this one function.
    """

    @functools.wraps(original)
    def global_step(sess: Session, global_step_tensor: Tensor) -> int:
        if compat_v1().executing_eagerly():
            return original(sess, global_step_tensor)
        return int(np.asarray(sess.run(global_step_tensor)).item())

    return global_step


def global_step(sess: Session, global_step_tensor: Tensor) -> int:
    """`tf.train.global_step`, also of shape `[1]`."""
    return training_util.global_step(sess, global_step_tensor)


def _readers_beside_their_queues(original: Callable[..., Any]) -> Callable[..., Any]:
    """Readers built under `with tf.device("/gpu:0")`, as in the towers of the CIFAR-10 tutorial.

    They run on the CPU only. TensorFlow places the queue there, and then refuses to place
    a reader that is to be elsewhere, soft placement or not.
    """

    @functools.wraps(original)
    def method(*args: Any, **kwargs: Any) -> Any:
        scopes = ops.get_default_graph()._device_function_stack.peek_objs()
        if not any("gpu" in str(scope.display_name).lower() for scope in scopes):
            return original(*args, **kwargs)
        with ops.device("CPU"):
            return original(*args, **kwargs)

    return method


def _sparse_shape_up_to_0_12(original: property) -> property:
    """`sparse.shape`, a tensor up to 0.12. Libraries that tfqueue goes by read the static shape here."""
    static: Any = original.fget

    def shape(self: Any) -> Any:
        asking = sys._getframe(1).f_globals.get("__name__", "")
        if release.before("1.0") and not asking.startswith(
            ("tensorflow.", "tf_keras.", "tfqueue.")
        ):
            return self.dense_shape
        return static(self)

    return property(functools.update_wrapper(shape, static))


def _each_variable_once(original: Callable[..., Any]) -> Callable[..., Any]:
    """`Saver([v, s, s])`: up to 1.3 the list went through a set, and a variable was saved once."""

    @functools.wraps(original)
    def op_list_to_dict(op_list: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(op_list, list | tuple):
            op_list = list({id(each): each for each in op_list}.values())
        return original(op_list, *args, **kwargs)

    return op_list_to_dict


def _gradients_of_ones_own(original: Callable[..., Any]) -> Callable[..., Any]:
    """`RegisterGradient` of an op that had no gradient in the program's day and has one by now.

    Programs gave it one of their own, and that is the one they mean. What had a gradient in 0.12, or
    was given one by the program before, is still refused.
    """

    @functools.wraps(original)
    def register(self: Any, candidate: Any, name: str) -> None:
        row = self._registry.get(name) if self is ops.gradient_registry else None
        if row and name in _GAINED_GRADIENTS:
            function = row["type"]  # None where it was said to have no gradient
            if function is None or function.__module__.startswith("tensorflow."):
                del self._registry[name]
        original(self, candidate, name)

    return register


def _unit_scaling() -> Any:
    """The initializer of that name, made without the line that says that it is old."""
    made = object.__new__(init_ops.UniformUnitScaling)
    made.factor, made.seed, made.dtype = 1.0, None, dtypes.float32
    return made


UNIT_SCALING = _unit_scaling()


def _unit_scaling_up_to_0_12(original: Callable[..., Any]) -> Callable[..., Any]:
    """The first values of a variable that names no initializer; since 1.0 they are `glorot_uniform`'s."""

    @functools.wraps(original)
    def _get_default_initializer(
        self: Any, name: str, shape: Any = None, dtype: Any = dtypes.float32
    ) -> Any:
        if release.before("1.0") and dtype.is_floating:
            return UNIT_SCALING, False
        return original(self, name, shape, dtype)

    return _get_default_initializer


def _made_before_its_first_value_up_to_0_12(original: Callable[..., Any]) -> Callable[..., Any]:
    """A variable that a function gives the first value: up to 0.12 it counted for the seeds in there."""

    @functools.wraps(original)
    def _init_from_args(self: Any, initial_value: Any = None, *args: Any, **kwargs: Any) -> None:
        first = initial_value

        def counted() -> Any:
            seeds.more(1)
            try:
                return first()
            finally:
                seeds.more(-1)

        if callable(first) and release.before("1.0"):
            initial_value = counted
        original(self, initial_value, *args, **kwargs)

    return _init_from_args


def _trainable_or_not(original: Callable[..., Any]) -> Callable[..., Any]:
    """`trainable` of a variable is a bool: `tf.Variable(value, "name")` gives it a text, which no meta graph takes since 1.11."""

    @functools.wraps(original)
    def _init_from_args(
        self: Any, initial_value: Any = None, trainable: Any = None, *args: Any, **kwargs: Any
    ) -> None:
        if trainable is not None:
            trainable = bool(trainable)
        original(self, initial_value, trainable, *args, **kwargs)

    return _init_from_args


def _is_of_0_12() -> bool:
    return release.before("1.0") and not release.before("0.12")


def _averages_without_bias_in_0_12(original: Callable[..., Any]) -> Callable[..., Any]:
    """The average of a tensor had no bias towards its first value, 0, in 0.12; in no other release, unless asked for."""

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        self._zero_debias = self._zero_debias or _is_of_0_12()

    return __init__


def _steps_from_one_in_0_12(original: Callable[..., Any]) -> Callable[..., Any]:
    """The number of updates by which the bias is known began with 1 in 0.12."""

    def from_one(getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        if name.endswith("/local_step"):
            kwargs["initializer"] = init_ops.ones_initializer()
        return getter(name, *args, **kwargs)

    @functools.wraps(original)
    def _zero_debias(*args: Any, **kwargs: Any) -> Any:
        if not _is_of_0_12():
            return original(*args, **kwargs)
        here = variable_scope.get_variable_scope()
        with variable_scope.variable_scope(
            here, custom_getter=from_one, auxiliary_name_scope=False
        ):
            return original(*args, **kwargs)

    return _zero_debias


def _true_up_to_0_7(original: Callable[..., Any]) -> Callable[..., Any]:
    """`if placeholder:`: up to 0.7 a tensor was true, as any object is."""

    @functools.wraps(original)
    def __bool__(self: Any) -> bool:
        return True if release.before("0.8") else bool(original(self))

    return __bool__


def _true_in_a_graph(original: Callable[..., Any]) -> Callable[..., Any]:
    """`if self.bias:`: a variable of a graph is true, as every kind of variable was up to 1.10, and `tf.Variable` to 1.15.

    Not in a function of TensorFlow 2's, where its value was asked for.
    """

    @functools.wraps(original)
    def __bool__(self: Any) -> bool:
        of_a_value = compat_v1().executing_eagerly() or ops.inside_function()
        return bool(original(self)) if of_a_value else True

    return __bool__


def _not_in_place(original: Callable[..., Any]) -> Callable[..., Any]:
    """`loss += x` of a variable of the package keras, which made a tensor: those were variables that are no resources."""
    name = original.__name__.replace("__i", "__", 1)
    # Python 2's `/=` is that of the tensors: `port.py2.operators.idiv` takes it where this says that it has none
    plain = getattr(operator, name, lambda *_: NotImplemented)

    @functools.wraps(original)
    def changed(self: Any, other: Any) -> Any:
        return plain(self, other) if release.imports_keras() else original(self, other)

    return changed


def _of_resource_variables(original: Callable[..., Any]) -> Callable[..., Any]:
    """`initialized_value` of a resource variable: what it is, or what it will be."""

    @functools.wraps(original)
    def initialized_value(self: Any) -> Any:
        v1 = compat_v1()
        if v1.executing_eagerly():
            return self.read_value()
        return v1.cond(
            v1.is_variable_initialized(self), self.read_value, lambda: self.initial_value
        )

    return initialized_value


def _reads_that_are_initialized(original: Callable[..., Any]) -> Callable[..., Any]:
    """A variable's first value that is made of another variable, which may have none yet.

    TensorFlow sees to it for reference variables, which those of the package keras were; a resource variable
    was read, and in one step with its own initializer that was an error.
    """

    @functools.wraps(original)
    def safe(name: str, op: Any, op_cache: Any) -> Any:
        if op.type == "ReadVariableOp":
            made = [
                variable
                for key in (ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.LOCAL_VARIABLES)
                for variable in op.graph.get_collection(key)
                if isinstance(variable, resource_variable_ops.BaseResourceVariable)
                and variable.handle is op.inputs[0]
            ]
            if made:
                return made[0].initialized_value().op
        return original(name, op, op_cache)

    return safe


def _regularized_once(original: Callable[..., Any]) -> Callable[..., Any]:
    """A variable's regularizer, which was called once; TensorFlow calls it twice, and again where its loss is used.

    Programs have it add the loss to a collection of their own, which then held it twice.
    """

    @functools.wraps(original)
    def _get_single_variable(
        self: Any, name: str, *args: Any, regularizer: Any = None, **kwargs: Any
    ) -> Any:
        if regularizer is None or tf2.enabled():
            return original(self, name, *args, regularizer=regularizer, **kwargs)
        losses: list[Any] = []

        def once(variable: Any) -> Any:
            if not losses:
                with ops.colocate_with(variable), ops.name_scope(f"{name}/Regularizer/"):
                    with ops.init_scope():
                        losses.append(regularizer(variable))
            return losses[0]

        return original(self, name, *args, regularizer=once, **kwargs)

    return _get_single_variable


def _a_tensor_itself(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands in the collection of regularization losses."""

    @functools.wraps(original, updated=())
    def _LazyEvalTensor(thunk: Callable[[], Any]) -> Any:
        return original(thunk) if tf2.enabled() else thunk()

    return _LazyEvalTensor


def _merged_where_none_fetches(original: Callable[..., Any]) -> Callable[..., Any]:
    """An input from inside a loop, of an op that merges summaries.

    Up to 1.3 it was built, and only a step that fetched it failed: "inputs from different frames".
    """

    @functools.wraps(original)
    def CheckInputFromValidContext(op: Any, input_op: Any) -> None:
        if op.type != "MergeSummary":
            original(op, input_op)

    return CheckInputFromValidContext


_GAINED = """
AccumulateNV2 ArgMax ArgMin Assert AvgPool3DGrad AvgPoolGrad Betainc Ceil ClipByValue
DebugGradientIdentity DebugGradientRefIdentity DepthwiseConv2dNativeBackpropFilter
DepthwiseConv2dNativeBackpropInput Einsum FakeQuantWithMinMaxArgsGradient
FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannelGradient FloorDiv FloorMod
FusedBatchNormGrad LogMatrixDeterminant MaxPool3DGrad MaxPoolGrad MaxPoolWithArgmax
PlaceholderWithDefault Qr RaggedTensorFromVariant RaggedTensorToTensor RandomShuffle
ReadVariableOp RealDiv Relu6Grad ResizeBicubic ResizeBilinearGrad ResourceGather Round
SegmentProd SoftplusGrad SparseSlice StatelessWhile Svd TensorStridedSliceUpdate
TensorSummaryV2 TruncateDiv VarIsInitializedOp VariableShape While
"""
_GAINED_GRADIENTS = frozenset(_GAINED.split())
"""Types of ops that 0.12, 1.4 or 1.15 had without a gradient, and that have one registered today."""
_READER = io_ops.ReaderBase
_SPARSE = sparse_tensor.SparseTensor


def _calls_counted_by_int32(original: Callable[..., Any]) -> Callable[..., Any]:
    """`num_parallel_calls` as an int32 tensor, which it was up to 1.15; it is int64 since."""

    @functools.wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        def wide(value: Any) -> Any:
            is_count = isinstance(value, ops.Tensor) and value.dtype == dtypes.int32
            return math_ops.cast(value, dtypes.int64) if is_count else value

        words = {name: wide(value) for name, value in kwargs.items()}
        return original(self, *map(wide, args), **words)

    return method


def _axes_as_int32(original: Callable[..., Any]) -> Callable[..., Any]:
    """The shape that the gradient of a reduction has: its axes may be int64, such as `np.arange(1, 4)`, as up to 1.15."""

    @functools.wraps(original)
    def reduced_shape(input_shape: Any, axes: Any) -> Any:
        known = all(tensor_util.constant_value(one) is not None for one in (input_shape, axes))
        if not known and axes.dtype == dtypes.int64:
            axes = math_ops.cast(axes, dtypes.int32)
        return original(input_shape, axes)

    return reduced_shape


def _datasets_of_the_first_class(original: Callable[..., Any]) -> Callable[..., Any]:
    """Methods that `tf.contrib.data.Dataset` had, whose results are iterated as its own were."""

    @functools.wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return dataset_ops.DatasetV1Adapter(original(self, *args, **kwargs))

    return method


def _sparse_batches(self: Any, batch_size: Any, row_shape: Any) -> Any:
    """The method `dense_to_sparse_batch` of `tf.contrib.data.Dataset`, which gave three tensors."""
    batches = compat_v1().data.experimental.dense_to_sparse_batch(batch_size, row_shape)
    return self.apply(batches).map(lambda rows: (rows.indices, rows.values, rows.dense_shape))


def _ids_within_their_range(original: Callable[..., Any]) -> Callable[..., Any]:
    """`categorical_column_with_identity` without a default: an id outside its range is an error, not left out."""

    @functools.wraps(original)
    def _transform_input_tensor(self: Any, input_tensor: Any) -> Any:
        found = original(self, input_tensor)
        if self.default_value is not None:
            return found
        tf, most = compat_v1(), np.int64(self.num_buckets)
        message = f'Bucket index for categorical column "{self.name}"'
        checks = [
            tf.assert_less(found.values, most, message=f"{message} exceeds number of buckets"),
            tf.assert_non_negative(found.values, message=f"{message} is negative"),
        ]
        with tf.control_dependencies(checks):
            return tf.SparseTensor(found.indices, tf.identity(found.values), found.dense_shape)

    return _transform_input_tensor


def bases_set_where_they_change(original: Callable[..., Any]) -> Callable[..., Any]:
    """The choice between Keras's classes for graph mode and for eager mode, made for each new layer.

    TensorFlow assigns the chosen bases also where they are those that the class has, as nearly
    always. Python then updates all its subclasses: half of the time that a small layer takes.
    """

    @functools.wraps(original)
    def swap_class(cls: type, v2_cls: type, v1_cls: type, use_v2: bool) -> type:
        chosen, other = (v2_cls, v1_cls) if use_v2 else (v1_cls, v2_cls)
        if cls in (chosen, other):
            return chosen
        bases = tuple(
            swap_class(base, v2_cls, v1_cls, use_v2) if issubclass(base, other) else base
            for base in cls.__bases__
        )
        if bases != cls.__bases__:
            cls.__bases__ = bases
        return cls

    return swap_class


def _functions_as_they_are(autograph: types.ModuleType) -> types.ModuleType:
    """The function of `tf.map_fn`, which AutoGraph rewrites since 2.3: TensorFlow 1 called it itself.

    What is written by AutoGraph stands in files of its own, which tracebacks name.
    """

    @functools.wraps(autograph.tf_convert)
    def tf_convert(f: Any, *args: Any, **kwargs: Any) -> Any:
        if not ops.executing_eagerly_outside_functions():
            return f
        return autograph.tf_convert(f, *args, **kwargs)

    return copy_of(autograph, tf_convert=tf_convert, __wrapped__=autograph)


def _what_translations_import_kept(original: Callable[..., Any]) -> Callable[..., Any]:
    """A module that removes what it does not document has names that it did not write."""

    @functools.wraps(original)
    def remove_undocumented(
        module_name: str, allowed_exception_list: Any = None, doc_string_modules: Any = None
    ) -> None:
        imported = [
            name
            for name, value in vars(sys.modules[module_name]).items()
            if str(getattr(value, "__module__", "")).startswith("tfqueue.port.")
        ]
        original(module_name, [*(allowed_exception_list or []), *imported], doc_string_modules)

    return remove_undocumented


class Computed:
    """An attribute that is computed, where an object or a derived class has no other of that name.

    Args:
        compute: Function of the object.
    """

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self._compute = compute

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Called where a program reads it."""
        return self if instance is None else self._compute(instance)


class _WithoutLength(AttributeError, TypeError):
    """A tensor of a graph was asked for its `__len__`."""


class _NoLength:
    """`__len__` of a tensor: there is none, and `hasattr` says so, as up to 1.14; `len` raises what it raised."""

    def __init__(self, raise_error: Callable[[Any], int]) -> None:
        self.__wrapped__ = raise_error

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Called by `hasattr`, and by `len`."""
        if instance is None:
            return self
        try:
            return self.__wrapped__(instance)
        except TypeError as error:
            raise _WithoutLength(str(error)) from None


_WRAPPED: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (tensor_shape.Dimension, "__init__", _whole_floats),
    (slot_creator, "_create_slot_var", _slots_where_variables_are_reused),
    (training_util, "global_step", _of_one_element),
    (saveable_object_util, "op_list_to_dict", _each_variable_once),
    (type(ops.gradient_registry), "register", _gradients_of_ones_own),
    (control_flow_util, "CheckInputFromValidContext", _merged_where_none_fetches),
    (compat_v1().Tensor, "__bool__", _true_up_to_0_7),
    (compat_v1().Tensor, "__len__", _NoLength),
    (resource_variable_ops.BaseResourceVariable, "__bool__", _true_in_a_graph),
    (resource_variable_ops.BaseResourceVariable, "initialized_value", _of_resource_variables),
    *(
        (resource_variable_ops.BaseResourceVariable, name, _not_in_place)
        for name in ("__iadd__", "__isub__", "__imul__", "__idiv__", "__itruediv__", "__ipow__")
    ),
    (variables, "_safe_initial_value_from_op", _reads_that_are_initialized),
    (variable_scope._VariableStore, "_get_single_variable", _regularized_once),
    (variable_scope._VariableStore, "_get_default_initializer", _unit_scaling_up_to_0_12),
    (
        ref_variable.RefVariable,
        "_init_from_args",
        _made_before_its_first_value_up_to_0_12,
    ),
    *(
        (kind, "_init_from_args", _trainable_or_not)
        for kind in (ref_variable.RefVariable, resource_variable_ops.ResourceVariable)
    ),
    (
        moving_averages.ExponentialMovingAverage,
        "__init__",
        _averages_without_bias_in_0_12,
    ),
    (moving_averages, "_zero_debias", _steps_from_one_in_0_12),
    (variable_scope, "_LazyEvalTensor", _a_tensor_itself),
    (map_fn, "autograph", _functions_as_they_are),
    (math_ops, "reduced_shape", _axes_as_int32),
    (version_utils, "swap_class", bases_set_where_they_change),
    (all_util, "remove_undocumented", _what_translations_import_kept),
    (
        feature_column_v2.IdentityCategoricalColumn,
        "_transform_input_tensor",
        _ids_within_their_range,
    ),
    (_SPARSE, "shape", _sparse_shape_up_to_0_12),
    *(
        (ops.Graph, name, scope_collection.scope_in_collection)
        for name in ("get_collection", "get_collection_ref")
    ),
    *(
        (_READER, name, _readers_beside_their_queues)
        for name in ("read", "read_up_to", "reset", "num_records_produced")
    ),
    *((kind, "__init__", _readers_beside_their_queues) for kind in _READER.__subclasses__()),
    *(
        (compat_v1().data.Dataset, name, _calls_counted_by_int32)
        for name in ("map", "interleave", "map_with_legacy_function")
    ),
    *(
        (compat_v1().data.Dataset, name, _datasets_of_the_first_class)
        for name in ("group_by_window", "ignore_errors")
    ),
)
_ADDED = (
    (sparse_tensor.SparseTensorValue, "shape", property(lambda self: self.dense_shape)),
    (tensor_array_ops.TensorArray, "pack", tensor_array_ops.TensorArray.stack),
    (tensor_array_ops.TensorArray, "unpack", tensor_array_ops.TensorArray.unstack),
    (compat_v1().data.Dataset, "dense_to_sparse_batch", _sparse_batches),
    (ops.Operation, "_traceback", Computed(lambda self: list(self.traceback))),
    # tuples, which a program can't take for the op's own lists and change in vain
    (ops.Operation, "_inputs", property(lambda self: tuple(self.inputs))),
    (ops.Operation, "_outputs", property(lambda self: tuple(self.outputs))),
    (ops.Operation, "_graph", property(lambda self: self.graph)),
    # up to 1.12
    (variables.Variable, "_AsTensor", lambda self: self.value()),
    # up to 1.4
    (adam.AdamOptimizer, "_beta1_power", Computed(lambda self: self._get_beta_accumulators()[0])),
    (adam.AdamOptimizer, "_beta2_power", Computed(lambda self: self._get_beta_accumulators()[1])),
    # of a table that is filled once; up to 1.13, of `tf.contrib.lookup.HashTable` up to 1.15
    (lookup_ops.StaticHashTableV1, "init", property(lambda self: self.initializer)),
    # up to 1.12
    (trackable.Trackable, "_track_checkpointable", trackable.Trackable._track_trackable),
    (tensor_shape, "scalar", lambda: tensor_shape.TensorShape([])),
    (tensor_shape, "vector", lambda length: tensor_shape.TensorShape([length])),
    (tensor_shape, "matrix", lambda rows, cols: tensor_shape.TensorShape([rows, cols])),
    *((variable_scope._VariableStore, *row) for row in scope_collection.STORE_METHODS.items()),
)
"""Class or module, a name that it had, and what stands for it."""


def tensor_class() -> Any:
    """The class of the tensors of a graph, which since 2.14 is derived from `tf.Tensor`.

    Programs compare: `type(x) is tf.Tensor`. If `SymbolicTensor` goes, a tensor is made: that starts
    a thread of TensorFlow's, which a process forked after the import does not have and waits for.
    """
    if hasattr(ops, "SymbolicTensor"):
        return ops.SymbolicTensor
    with ops.Graph().as_default():
        return type(ops.convert_to_tensor(0.0))


_OURS = {
    # up to 1.6
    "eager.context": {"in_graph_mode": "tfqueue._tensorflow.patches:in_graph_mode"},
    "ops.control_flow_ops": {"While": "tfqueue._tensorflow.patches:while_of_0_8"},
    # up to 1.3
    "ops.variable_scope": {"_VARSCOPE_KEY": "tfqueue._tensorflow.scope_collection:KEY"},
}
INTERNALS = {
    module: {
        **{
            name: f"tensorflow.python.{today}:{name}"
            for before, today in internals.MOVED.items()
            if (name := before.removeprefix(f"{module}.")) != before and "." not in name
        },
        **{name: f"tf.{public}" for name, public in internals.PUBLIC.get(module, {}).items()},
        **_OURS.get(module, {}),
    }
    for module in sorted(
        {before.rpartition(".")[0] for before in internals.MOVED}
        | internals.PUBLIC.keys()
        | _OURS.keys()
    )
}
"""Module below `tensorflow.python` -> names that it has lost -> where they are."""


def in_graph_mode() -> bool:
    """`context.in_graph_mode()`, which copies of the loops for cells of 1.4 ask."""
    return not compat_v1().executing_eagerly()


def while_of_0_8(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: Any = False,
    name: str | None = None,
) -> Any:
    """`control_flow_ops.While`: `tf.while_loop` up to 0.8. In 0.6 the sixth argument was the name."""
    if isinstance(swap_memory, str):
        swap_memory, name = False, swap_memory
    return compat_v1().while_loop(
        cond,
        body,
        loop_vars,
        parallel_iterations=parallel_iterations,
        back_prop=back_prop,
        swap_memory=swap_memory,
        name=name,
    )


def _names_of(module: types.ModuleType, rows: Mapping[str, str], tf: Any) -> Callable[[str], Any]:
    """A `__getattr__` for one of TensorFlow's modules: the names that it has lost."""

    def __getattr__(name: str) -> Any:
        if name in rows:
            home, _, inner = rows[name].rpartition(":")
            found = importlib.import_module(home) if home else tf
            return operator.attrgetter(inner.removeprefix("tf."))(found)
        # up to 1.8 what was generated for internal use began with an underscore
        public = name[1:]
        if module.__name__.rpartition(".")[2].startswith("gen_") and name[:1] == "_" != name[1:2]:
            if public in vars(module):
                return vars(module)[public]
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    return __getattr__


def _module_of_ops(name: str) -> types.ModuleType:
    """`__getattr__` of `tensorflow.python`, which had the modules of ops as names of its own."""
    if not name.startswith("_") and (name.endswith("_ops") or name in ("gradients", "rnn")):
        inner = f"tensorflow.python.ops.{name}"
        if importlib.util.find_spec(inner):
            return importlib.import_module(inner)
    raise AttributeError(f"module 'tensorflow.python' has no attribute {name!r}")


def install(tf: Any) -> None:
    """Puts it in place, once a process. `tf` is the module that `INTERNALS` names: `tfqueue.v1`."""
    if hasattr(_SPARSE, _MARK):
        return
    setattr(_SPARSE, _MARK, True)
    for owner, name, wrap in _WRAPPED:
        setattr(owner, name, wrap(getattr(owner, name)))
    for owner, name, value in _ADDED:
        if not hasattr(owner, name):
            setattr(owner, name, value)
    assigned_shapes.install(tensor_class())
    gradients.install()
    # which of the two it is was chosen when TensorFlow 2 was imported: the one that is changed in place
    device.DeviceSpec = compat_v1().DeviceSpec
    # `isinstance(v, tf.Variable)` is true of every kind of variable, as in TensorFlow 1
    compat_v1().Variable.register(resource_variable_ops.BaseResourceVariable)
    seeds.install()
    vars(importlib.import_module("tensorflow.python")).setdefault("__getattr__", _module_of_ops)
    rows = {f"tensorflow.python.{name}": table for name, table in INTERNALS.items()}
    generated = [n for n in sys.modules if n.startswith("tensorflow.python.ops.gen_")]
    for name in {*rows, *generated}:
        module = importlib.import_module(name)
        if "__getattr__" not in vars(module):
            setattr(module, "__getattr__", _names_of(module, rows.get(name, {}), tf))  # noqa: B010  (mypy takes it for a method)


# -- for sessions and graphs of ours -----------------------------------------------------------


def unconverted(function: Callable[..., Any]) -> Any:
    """A function that autograph leaves as it is, and whose arguments are seen: Keras gives `call` a mask if it takes one."""
    found: Any = compat_v1().autograph.experimental.do_not_convert(function)
    found.__signature__ = inspect.signature(function)
    return found


def copy_of(module: types.ModuleType, **changed: Any) -> types.ModuleType:
    """A module with the same names, but for those that are given."""
    copy = types.ModuleType(module.__name__)
    vars(copy).update(vars(module), **changed)
    return copy


def managers_make(session_class: type, manager_class: type) -> None:
    """Lets `Supervisor` and `MonitoredSession` make their sessions of a class, by a manager of a class.

    `SessionManager` makes them, through its module's name `session`. The other two name it through
    their module's names for that module. If these move, their sessions are TensorFlow's own again, which
    do not handle Ctrl-C, or their workers undo what the chief did: `tests/_tensorflow/test_tensorflow.py`
    says so.
    """
    session_manager.session = copy_of(session_manager.session, Session=session_class)
    managers = copy_of(session_manager, SessionManager=manager_class)
    supervisor.session_manager_mod = monitored_session.sm = managers


def keras_makes(session_class: type) -> None:
    """Lets Keras 2 make its session, the one of `backend.get_session`, of a class.

    It does so in one module, as `tf.compat.v1.Session`. If that moves, its session is TensorFlow's own
    again, and the true error of a pipeline comes from `join` alone: `tests/v1/test_keras.py` says so.
    """
    try:
        backend: Any = importlib.import_module("tf_keras.src.backend")
        tf, v1 = backend.tf, backend.tf.compat.v1
    except (ImportError, AttributeError):
        return
    v1 = copy_of(v1, Session=session_class)
    backend.tf = copy_of(tf, compat=copy_of(tf.compat, v1=v1))


def layers_take_tensors_of_keras() -> None:
    """Has `tf.layers` and the cells of RNNs take what a layer of Keras 2 gives for a tensor like any other.

    They are layers of TensorFlow's own copy of Keras. For a tensor that a layer of another copy gave they
    make layers of the ops before it, with a session that waits for ever while a loop is built. If the function
    moves, that is so again.
    """
    try:
        utils: Any = importlib.import_module("tensorflow.python.keras.engine.base_layer_utils")
    except ImportError:
        return
    utils.needs_keras_history = lambda *args, **kwargs: False


def keras_assigns_bases_that_change() -> None:
    """`bases_set_where_they_change` for Keras 2. If its module moves, layers take longer to build."""
    try:
        utils: Any = importlib.import_module("tf_keras.src.utils.version_utils")
        utils.swap_class = bases_set_where_they_change(utils.swap_class)
    except (ImportError, AttributeError):
        return


def tell_who_builds(graph: Graph) -> None:
    """Lets `graph`, once it is finalised, say which op was to be made where, and not only that.

    Laid over this one graph's `_check_not_finalized`, which every builder of an op calls. If
    that goes, nothing breaks: the error has no note.
    """
    if not isinstance(graph._check_not_finalized, functools.partial):
        graph._check_not_finalized = functools.partial(_check_not_finalized, weakref.ref(graph))


def _check_not_finalized(graph: Any) -> None:
    graph = graph()
    try:
        type(graph)._check_not_finalized(graph)
    except RuntimeError as error:
        what, place = "an op", ""
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:
            names = frame.f_locals
            if frame.f_code.co_name == "_create_op_internal" and "op_type" in names:
                what = (
                    f"{names['op_type']} op {(names.get('name') or names['op_type']).rstrip('/')!r}"
                )
            if not is_library_file(frame.f_code.co_filename):
                file, line = frame.f_code.co_filename, frame.f_lineno
                place = f" at {file}:{line}: {linecache.getline(file, line).strip()}"
                break
            frame = frame.f_back
        add_note(
            error,
            f"tfqueue: {what} would be made{place}. The graph was finalised (graph.finalize(), or "
            "by MonitoredSession or Supervisor): build it before that, once, outside the loop",
        )
        raise
