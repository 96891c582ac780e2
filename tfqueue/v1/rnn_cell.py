"""`tf.nn.rnn_cell`: the recurrent cells, without Keras 3 in the way.

TensorFlow still carries them and hides them where Keras 3 is installed. The
functions that run them (`tf.nn.dynamic_rnn` and its like) never left.
"""

import contextlib
import dataclasses
import functools
import inspect
import logging
import operator
import re
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tensorflow.python.keras.engine import base_layer
from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as _cells

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import patches
from tfqueue.explain import diagnosis
from tfqueue.v1 import _cell_names, _layer_base, _lazy_names
from tfqueue.v1._types import Cell, Initializer, Scope, State, Tensor

_tf = _tensorflow.compat_v1()


def _is_kept(record: logging.LogRecord) -> bool:
    """Whether a line of the log says more than that a class is old."""
    line = record.getMessage()
    if release.before("1.2") and "are the same object and will share weights" in line:
        return False  # they do not
    return "is deprecated. This class is equivalent" not in line


def _in_silence(original: Any) -> Callable[..., None]:
    """`original.__init__` without the warning that the class is old.

    Up to 0.10 a state was one tensor, unless the program said otherwise.
    """
    make = original.__init__
    signature = inspect.signature(make)

    @functools.wraps(make)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if release.before("0.11") and "state_is_tuple" in signature.parameters:
            given = signature.bind(self, *args, **kwargs).arguments
            if "state_is_tuple" not in given:
                kwargs["state_is_tuple"] = False
        logger = logging.getLogger("tensorflow")
        quietly = functools.partial(_is_kept)  # each call its own: one runs inside another
        logger.addFilter(quietly)
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", r"`tf\.nn\.rnn_cell\.", UserWarning)
                make(self, *args, **kwargs)
        finally:
            logger.removeFilter(quietly)

    return __init__


_copies: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
"""The copies of a cell, by graph and variable scope; None for a copy."""


@dataclasses.dataclass
class _FirstCall:
    """A cell's first call in a graph.

    Attributes:
        columns: How many columns its inputs have.
        fresh: The attributes of the cell before it.
        places: The variable scopes of its calls since.
    """

    columns: int
    fresh: dict[str, Any]
    places: set[tuple[str, Any]]


_first_calls: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
"""From a cell and a graph to its `_FirstCall`."""


def _has_variables_by_scope(cell: Cell, inputs: Tensor, scope: Scope) -> bool:
    """Whether each place has variables of its own, as in programs of up to 1.1.

    That is also so where a cell is called at its second place with inputs of another width: since
    1.2 this is an error, so the program is older than that.

    Raises:
        ValueError: If it is so, and places before shared variables.
    """
    if release.before("1.2") or cell in _copies:
        return True
    width = _width(inputs)
    if width is None or not isinstance(cell, _cells.LayerRNNCell):  # others keep no variables
        return False
    place = _place(scope)
    calls = _first_calls.setdefault(cell, weakref.WeakKeyDictionary())
    first = calls.get(_tf.get_default_graph())
    if first is None:
        calls[_tf.get_default_graph()] = _FirstCall(width, _copied(vars(cell)), {place})
        return False
    if width == first.columns or place in first.places:
        first.places.add(place)
        if _forwards(place) in first.places - {place}:
            _tell_of_both_directions(type(cell).__name__)
        return False
    if len(first.places) > 1:
        raise ValueError(
            f"{_called(cell, first.columns, width)}: up to TensorFlow 1.1 each variable scope had "
            "variables of its own, since 1.2 they are shared and fit one of them. If the program is "
            "older: tfqueue run --era 1.1"
        )
    _part(cell, first.columns, width)
    _copies[cell][_tf.get_default_graph()] = {next(iter(first.places)): cell}
    return True


def _forwards(place: tuple[str, Any]) -> tuple[str, Any]:
    """The place of a cell for the way forwards, if this is the one for the way backwards."""
    return re.sub(r"(^|/)bw(/|$)", r"\1fw\2", place[0]), place[1]


@functools.cache
def _tell_of_both_directions(kind: str) -> None:
    """Says once what one cell in both directions means."""
    diagnosis.warn(
        f"one {kind} for both directions: they share one set of variables, as since TensorFlow 1.2; up "
        "to 1.1 each had variables of its own, as --era 1.1 has it",
        UserWarning,
    )


def _called(cell: Cell, *widths: int) -> str:
    columns = " and of ".join(map(str, widths))
    return f"one {type(cell).__name__} is called with inputs of {columns} columns"


def _part(cell: Cell, *widths: int) -> None:
    """Gives a cell variables of its own in each scope that it is called in, and says so."""
    diagnosis.warn(
        f"{_called(cell, *widths)}: up to TensorFlow 1.1 each variable scope had variables of its own, "
        "and so it has here (--era 1.1 says so beforehand, and gives them their names of then)",
        UserWarning,
    )
    _copies[cell] = weakref.WeakKeyDictionary()


def part_layers(inputs: Tensor, cells_fw: Sequence[Cell], cells_bw: Sequence[Cell]) -> None:
    """Parts what is one cell in layers of several widths, of which no release since 1.2 made a network.

    Seen one call after the other, both directions of the first layer would share their variables.

    Args:
        inputs: The inputs of the first layer; those of the others are the outputs of both directions.
        cells_fw: The cells of the layers, maybe wrapped, forwards.
        cells_bw: The cells backwards.
    """
    width = _width(inputs)
    if release.before("1.2") or width is None:
        return
    found: dict[Any, set[int]] = {}
    for pair in zip(cells_fw, cells_bw, strict=True):
        for cell in map(_unwrapped, pair):
            found.setdefault(cell, set()).add(width)
        width = sum(cell.output_size for cell in pair)
    for cell, widths in found.items():
        known = cell in _copies or cell in _first_calls
        if len(widths) > 1 and not known and isinstance(cell, _cells.LayerRNNCell):
            _part(cell, *sorted(widths))


def _unwrapped(cell: Cell) -> Any:
    while isinstance(cell, _cells._RNNCellWrapperV1):
        cell = cell.cell
    return cell


def _width(inputs: Tensor) -> int | None:
    """How many columns a tensor has, if it is one and that is known."""
    shape = getattr(inputs, "shape", None)
    if not isinstance(shape, _tf.TensorShape) or not shape.ndims:
        return None
    width: int | None = shape.as_list()[-1]
    return width


def _place(scope: Scope) -> tuple[str, Any]:
    """Where a cell is called: the variable scope, and the one that the call names."""
    return _tf.get_variable_scope().name, getattr(scope, "name", scope)


def _copied(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """A cell's attributes, the containers among them copied."""
    return {
        name: value.copy() if isinstance(value, (dict, list, set)) else value
        for name, value in attributes.items()
    }


def _in_this_scope(cell: Cell, scope: Scope) -> Any:
    """The copy of a cell that has the variables of the current variable scope.

    Up to 1.0 a cell was a function without variables: each call took those of the variable scope
    that it was in, so that `MultiRNNCell([cell] * 2)` had two layers. Since 1.2 a cell keeps the
    variables of its first call. (1.1 refused a cell that was called in another scope.)

    Args:
        scope: A variable scope or the name of one, as the call has it; None for the cell's own.

    Returns:
        `cell` itself if it is a copy.
    """
    copies = _copies.setdefault(cell, weakref.WeakKeyDictionary())
    if copies is None:
        return cell
    scopes = copies.setdefault(_tf.get_default_graph(), {})
    key = _place(scope)
    if key not in scopes:
        scopes[key] = twin = object.__new__(type(cell))
        # A cell that is never called itself has built nothing, but its empty lists fill up.
        first = _first_calls.get(cell, {}).get(_tf.get_default_graph())
        vars(twin).update(_copied(vars(cell) if first is None else first.fresh))
        _copies[twin] = None
    return scopes[key]


def _by_scope(original: Any) -> Callable[..., Any]:
    """`original.__call__` for a program of any release."""
    call = original.__call__

    @functools.wraps(call)
    def __call__(
        self: Any,
        inputs: Tensor,
        state: State,
        scope: Scope | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if _has_variables_by_scope(self, inputs, scope):
            twin = _in_this_scope(self, scope)
            if twin is not self:
                # Named, the scope is this one and no other, whatever has been built in it before.
                return twin(inputs, state, scope or scope_name(self), *args, **kwargs)
        return call(self, inputs, state, scope, *args, **kwargs)

    return __call__


def _cell(original: Any, base: Any, **methods: Any) -> Any:
    return _layer_base.subclass(
        original, "cell tf.nn.rnn_cell.", __name__, base, __init__=_in_silence(original), **methods
    )


def scope_name(cell: Cell) -> str:
    """The scope of a cell whose call names none.

    Up to 0.12 it had the name of the cell's class. In 1.0 and 1.1 a class of a program's own had that of
    TensorFlow's class that it derives from.
    """
    if release.before("1.0"):
        return type(cell).__name__
    if cell._base_name != base_layer.to_snake_case(type(cell).__name__):
        return str(cell._base_name)
    classes = (each for each in type(cell).__mro__ if each.__module__.startswith("tfqueue."))
    return str(base_layer.to_snake_case(next(classes, type(cell)).__name__))


def _add_variable(self: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """`add_weight` under its first name, and the variable's name in the program's release."""
    name = _cell_names.variable_name(name, self._names_of_0_12)
    return _layer_base.OldMethods.add_variable(self, name, *args, **kwargs)


def _call_layers(self: Any, inputs: Tensor, state: State) -> Any:
    """One step of a `MultiRNNCell`, whose layers had scopes of other names up to 0.12."""
    if not release.before("1.0"):
        return _cells.MultiRNNCell.call(self, inputs, state)
    with _cell_names.renamed_below(r"cell_\d+", _cell_names.cased):
        return _cells.MultiRNNCell.call(self, inputs, state)


# Up to 1.1 a cell was no layer, and a program's own ones had attributes of these names.
_OF_LAYERS = "dtype graph input input_shape losses name output output_shape variables weights"

RNNCell = _cell(
    _cells.RNNCell,
    _layer_base.OldMethods,
    **{
        name: patches.Computed(getattr(_cells.RNNCell, name).__get__) for name in _OF_LAYERS.split()
    },
    __call__=_by_scope(_cells.RNNCell),
    add_variable=_add_variable,
    _names_of_0_12={},
)
LayerRNNCell = _cell(_cells.LayerRNNCell, RNNCell, __call__=_by_scope(_cells.LayerRNNCell))
BasicLSTMCell = _cell(_cells.BasicLSTMCell, LayerRNNCell)
BasicRNNCell = _cell(_cells.BasicRNNCell, LayerRNNCell)
GRUCell = _cell(_cells.GRUCell, LayerRNNCell)
LSTM_OF_0_12 = {
    "kernel": "W_0",
    "bias": "B",
    **{f"w_{gate}_diag": f"W_{gate.upper()}_diag" for gate in "fio"},
    "projection/kernel": "W_P_0",
}
LSTMCell = _cell(_cells.LSTMCell, LayerRNNCell, _names_of_0_12=LSTM_OF_0_12)
MultiRNNCell = _cell(_cells.MultiRNNCell, RNNCell, call=_call_layers)
# `_cell` is its name up to 1.8
DeviceWrapper, DropoutWrapper, ResidualWrapper = (
    _cell(original, RNNCell, _cell=patches.Computed(operator.attrgetter("cell")))
    for original in (_cells.DeviceWrapper, _cells.DropoutWrapper, _cells.ResidualWrapper)
)
LSTMStateTuple = _cells.LSTMStateTuple


def _linear(
    args: Tensor,
    output_size: int,
    bias: bool,
    bias_initializer: Initializer | None = None,
    kernel_initializer: Initializer | None = None,
    bias_start: float = 0.0,
    scope: Scope | None = None,
) -> Tensor:
    """What cells of one's own built on: `concat(args) @ kernel`, and a bias if wanted.

    Args:
        args: A tensor, or a list of them, of shape `[batch, n]` each and of one dtype.
        output_size: int, the columns of the result.
        bias: Whether to add a bias.
        bias_initializer: Its initializer; a number is what up to 1.1 stood here, its start value.
        kernel_initializer: Initializer of the kernel, a variable `[all n, output_size]`; a name is
            what up to 1.0 stood here, the scope.
        bias_start: The bias's start value where it has no initializer.
        scope: The variables' scope, as up to 1.0, where it was not looked at; when None that of the
            caller, and below it `Linear` up to 0.12.

    Returns:
        A tensor `[batch, output_size]`.

    Raises:
        ValueError: If an argument is missing, or has another shape.
    """
    if isinstance(kernel_initializer, (str, _tf.VariableScope)):
        scope, kernel_initializer = kernel_initializer, None
    if release.before("1.0"):
        scope = scope or "Linear"
    elif release.before("1.2"):
        scope = None
    if scope is not None:
        with _tf.variable_scope(scope):
            return _weighted(
                args, output_size, bias, bias_initializer, kernel_initializer, bias_start
            )
    return _weighted(args, output_size, bias, bias_initializer, kernel_initializer, bias_start)


def _weighted(
    args: Tensor,
    output_size: int,
    bias: bool,
    bias_initializer: Initializer | None,
    kernel_initializer: Initializer | None,
    bias_start: float,
) -> Tensor:
    """`_linear` in the current scope."""
    if isinstance(bias_initializer, (int, float)):
        bias_start, bias_initializer = bias_initializer, None
    bias_initializer = bias_initializer or _tf.constant_initializer(bias_start)
    return _Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)


class _Linear:
    """`_linear` with variables that are made once, as in 1.3 to 1.15.

    Args:
        args: As for `_linear`: their shapes and dtype are what counts.
        output_size: int, the columns of the result.
        build_bias: Whether to add a bias.
        bias_initializer: Its initializer; zeros when None.
        kernel_initializer: Initializer of the kernel, a variable `[all n, output_size]`.

    Raises:
        ValueError: If an argument is missing, or has another shape.
    """

    def __init__(
        self,
        args: Tensor | Sequence[Tensor],
        output_size: int,
        build_bias: bool,
        bias_initializer: Initializer | None = None,
        kernel_initializer: Initializer | None = None,
    ) -> None:
        args = _listed(args)
        if not args or any(each is None for each in args):
            raise ValueError("_linear needs at least one tensor")
        widths: list[Any] = [
            _tf.dimension_value(each.shape[1]) if each.shape.rank == 2 else None for each in args
        ]
        if None in widths:
            shapes = [each.shape for each in args]
            raise ValueError(
                f"_linear takes tensors of shape [batch, n] with n known, got {shapes}"
            )
        dtype = args[0].dtype
        shape = [sum(widths), output_size]
        self._kernel = _tf.get_variable(
            _cell_names.last_name("kernel"), shape, dtype, kernel_initializer
        )
        self._bias = None
        if build_bias:
            self._bias = _bias_variable(output_size, dtype, bias_initializer)

    def __call__(self, args: Any) -> Tensor:
        args = _listed(args)
        joined = args[0] if len(args) == 1 else _tf.concat(args, 1)
        result = _tf.matmul(joined, self._kernel)
        return result if self._bias is None else _tf.nn.bias_add(result, self._bias)


def _bias_variable(width: int, dtype: Any, initializer: Initializer | None = None) -> Tensor:
    """The variable `bias`, which no partitioner parts; zeros when the initializer is None."""
    with _tf.variable_scope(_tf.get_variable_scope()) as scope:
        scope.set_partitioner(None)
        start = initializer or _tf.constant_initializer(0.0, dtype=dtype)
        return _tf.get_variable(_cell_names.last_name("bias"), [width], dtype, start)


def _listed(args: Any) -> list[Tensor]:
    return list(args) if isinstance(args, (list, tuple)) else [args]


@contextlib.contextmanager
def _checked_scope(
    cell: Cell, scope: Scope, reuse: bool | None = None, **kwargs: Any
) -> Iterator[Any]:
    """The scope of a cell of 1.0 and 1.1, which a program's own cell opens.

    Args:
        scope: Where its variables are: a `tf.VariableScope`, or its name.
        reuse: Whether the cell takes variables that are there.
        **kwargs: As for `tf.variable_scope`.

    Yields:
        The scope.

    Raises:
        ValueError: If the cell was used in another scope before, or the scope has another's weights.
    """
    if reuse is not None:
        kwargs["reuse"] = reuse
    with _tf.variable_scope(scope, **kwargs) as found:
        known = vars(cell).get("_tfqueue_checked_scope")
        if known is not None and known != found.name:
            raise ValueError(
                f"Attempt to reuse RNNCell {cell} with a different variable scope than its first use: "
                f"{found.name!r}, not {known!r}. Make a new cell for weights of its own."
            )
        if known is None and reuse is None and _has_weights(found):
            raise ValueError(
                "Attempt to have a second RNNCell use the weights of a variable scope that already has "
                f"weights: {found.name!r}. Use the same cell again, or make one with reuse=True."
            )
        object.__setattr__(cell, "_tfqueue_checked_scope", found.name)
        yield found


def _has_weights(scope: Scope) -> bool:
    """Whether a scope has the variable that a cell of 1.0 and 1.1 makes first."""
    with _tf.variable_scope(scope, reuse=True):
        try:
            _tf.get_variable(_cell_names.last_name("kernel"))
        except ValueError:
            return False
    return True


linear = _linear  # under its name of up to 0.8


def _like_rnncell(cell: Any) -> bool:
    """Whether an object has what a cell has, which is how 1.1 to 1.10 told one.

    >>> _like_rnncell(GRUCell(3)), _like_rnncell("a cell")
    (True, False)
    """
    names = ("output_size", "state_size", "zero_state")
    return callable(cell) and all(hasattr(cell, name) for name in names)


def assert_like_rnncell(cell_name: str, cell: Any) -> None:
    """Raises a TypeError unless an object has what a cell has (1.10 to 1.15).

    >>> assert_like_rnncell("cell", GRUCell(3))
    """
    if not _like_rnncell(cell):
        raise TypeError(f"The argument {cell_name!r} ({cell}) is not an RNNCell")


__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "GRUCell",
    "LSTMCell",
    "LSTMStateTuple",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
]

_WRAPPERS = ("EmbeddingWrapper", "InputProjectionWrapper", "OutputProjectionWrapper")
_ROWS = {
    # private parts, such as `_zero_state_tensors`, that cells of one's own lean on
    **{
        name: f"{_cells.__name__}:{name}"
        for name in vars(_cells)
        if name.startswith("_") and not name.startswith("__") and name not in globals()
    },
    **{name: f"tfqueue.contrib.rnn:{name}" for name in _WRAPPERS},  # here up to 0.12
    **{
        name: f"tfqueue.contrib.rnn.sharded:{name}"
        for name in ("_get_concat_variable", "_get_sharded_variable", "_state_size_with_prefix")
    },
    "ASSERT_LIKE_RNNCELL_ERROR_REGEXP": f"{_cells.__name__}:ASSERT_LIKE_RNNCELL_ERROR_REGEXP",
    **{name: f"tf:{name}" for name in ("sigmoid", "tanh")},
}
__getattr__ = _lazy_names.attributes(__name__, _ROWS)[0]
