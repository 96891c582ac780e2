"""`tf.contrib.integrate`: solvers of ordinary differential equations, `dy/dt = func(y, t)`.

The numbers of a step are summed in the order of TensorFlow 1.15, so that they are rounded as there.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms, _lazy_names
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["odeint", "odeint_fixed"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, {})

Slope = Callable[[Tensor, Tensor], Tensor]

# The method of Dormand and Prince, as Shampine (1986) has it: where each stage is, the weights of the
# stages before it, and those of all seven in the middle of a step and in its error. The last stage is
# the end of the step.
_TIMES = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
_STAGES = [
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
_MIDDLE = [
    6025192743 / 30085553152 / 2,
    0,
    51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2,
    11237099 / 235043384 / 2,
]
_ERROR = [
    1951 / 21600 - 35 / 384,
    0,
    22642 / 50085 - 500 / 1113,
    451 / 720 - 125 / 192,
    -12231 / 42400 - -2187 / 6784,
    649 / 6300 - 11 / 84,
    1 / 60,
]


def _weighted(step: Tensor, weights: Sequence[float], slopes: Sequence[Tensor]) -> Any:
    pairs = zip(weights, slopes, strict=True)
    return _tf.add_n([(step * weight) * slope for weight, slope in pairs if weight])


def _interp_fit(
    y0: Tensor, y1: Tensor, y_mid: Tensor, f0: Tensor, f1: Tensor, dt: Tensor
) -> list[Any]:
    """The coefficients of a polynomial of fourth order through a step, the highest power first."""
    known = [f0, f1, y0, y1, y_mid]
    weights = (
        [-2 * dt, 2 * dt, -8, -8, 16],
        [5 * dt, -3 * dt, 18, 14, -32],
        [-4 * dt, dt, -11, -5, 16],
    )
    high = [_tf.add_n([w * x for w, x in zip(row, known, strict=True)]) for row in weights]
    return [*high, dt * f0, y0]


def _interp_evaluate(coefficients: Sequence[Tensor], t0: Tensor, t1: Tensor, t: Tensor) -> Any:
    """The value of the polynomial at `t`, which is between `t0` and `t1`."""
    t0, t1, t = (_tf.convert_to_tensor(one) for one in (t0, t1, t))
    dtype = _tf.convert_to_tensor(coefficients[0]).dtype
    inside = _tf.Assert((t0 <= t) & (t <= t1), ["t is not between t0 and t1:", t0, t, t1])
    with _tf.control_dependencies([inside]):
        x = _tf.cast((t - t0) / (t1 - t0), dtype)
    powers = [_tf.constant(1, dtype), x]
    for _ in coefficients[2:]:
        powers.append(powers[-1] * x)
    return _tf.add_n([c * p for c, p in zip(coefficients, powers[::-1], strict=True)])


def _optimal_step_size(
    last_step: Tensor,
    error_ratio: Tensor,
    safety: Tensor = 0.9,
    ifactor: Tensor = 10.0,
    dfactor: Tensor = 0.2,
) -> Any:
    """The size of the next step, after one whose error was `error_ratio` of what is allowed."""
    ratio = _tf.cast(error_ratio, last_step.dtype)
    shrunk = ratio ** _tf.cast(1 / 5, last_step.dtype) / safety
    return _tf.div(last_step, _tf.maximum(1 / ifactor, _tf.minimum(shrunk, 1 / dfactor)))


def _square(x: Tensor) -> Any:
    if x.dtype.is_complex:
        return _tf.square(_tf.real(x)) + _tf.square(_tf.imag(x))
    return _tf.square(x)


def _increasing(t: Tensor) -> Any:
    rising = _tf.reduce_all(t[1:] > t[:-1])
    return _tf.control_dependencies([_tf.Assert(rising, ["`t` must be monotonic increasing"])])


def _check_dtypes(**given: Tensor) -> None:
    for name, tensor in given.items():
        if not (tensor.dtype.is_floating or (name == "y0" and tensor.dtype.is_complex)):
            raise TypeError(f"`{name}` must have a floating point dtype, not {tensor.dtype.name}")


class _Dopri5:
    """The method `"dopri5"`. A state is `(y, slope, start, end, step, coefficients)`.

    `start`, `end` and the coefficients of the polynomial are those of the last step that was made,
    `y` and the slope are at its end, `step` is the size of the next one.
    """

    def __init__(
        self,
        func: Slope,
        t: Tensor,
        tolerances: tuple[Tensor, Tensor],
        first_step: Tensor | None = None,
        safety: Tensor = 0.9,
        ifactor: Tensor = 10.0,
        dfactor: Tensor = 0.2,
        max_num_steps: Tensor = 1000,
    ) -> None:
        first_step = 1.0 if first_step is None else first_step
        self.func, self.t = func, t
        self.rtol, self.atol = tolerances
        self.first_step, *self.control = (
            _tf.convert_to_tensor(one, dtype=t.dtype)
            for one in (first_step, safety, ifactor, dfactor)
        )
        self.max_num_steps = _tf.convert_to_tensor(max_num_steps, dtype=_tf.int32)

    def _step(self, state: Any, history: Any, count: Tensor) -> Any:
        """Tries one step. One of too large an error is tried anew, with another size."""
        y0, f0, _, t0, dt, coefficients = state
        checks = [
            _tf.Assert(t0 + dt > t0, ["underflow in dt", dt]),
            _tf.Assert(count < self.max_num_steps, ["max_num_steps exceeded"]),
            _tf.Assert(_tf.reduce_all(_tf.is_finite(abs(y0))), ["non-finite values in y", y0]),
        ]
        with _tf.control_dependencies(checks):
            y0, f0, t0, dt = (_tf.identity(one) for one in (y0, f0, t0, dt))
        step, slopes, y1 = _tf.cast(dt, y0.dtype), [f0], y0
        for time, weights in zip(_TIMES, _STAGES, strict=True):
            y1 = y0 + _weighted(step, weights, slopes)
            slopes.append(self.func(y1, t0 + time * dt))
        error = _weighted(step, _ERROR, slopes)
        allowed = self.atol + self.rtol * _tf.maximum(abs(y0), abs(y1))
        ratio = _tf.sqrt(_tf.reduce_mean(_square(error) / _square(allowed)))

        def polynomial() -> Any:
            middle = y0 + _weighted(step, _MIDDLE, slopes)
            return _interp_fit(y0, y1, middle, slopes[0], slopes[-1], step)

        good = ratio <= 1
        reached = (
            _tf.cond(good, lambda: y1, lambda: y0),
            _tf.cond(good, lambda: slopes[-1], lambda: f0),
            t0,
            _tf.cond(good, lambda: t0 + dt, lambda: t0),
            _optimal_step_size(dt, ratio, *self.control),
            _tf.cond(good, polynomial, lambda: coefficients),
        )
        points, ratios = history
        history = points.write(points.size(), t0 + dt), ratios.write(ratios.size(), ratio)
        return reached, history, count + 1

    def _reach(self, solution: Any, history: Any, state: Any, i: Tensor) -> Any:
        """Makes steps up to the time `i`, and takes the value there from the last one."""
        state, history, _ = _tf.while_loop(
            lambda state, *_: self.t[i] > state[3], self._step, (state, history, 0)
        )
        *_, start, end, _, coefficients = state
        value = _interp_evaluate(coefficients, start, end, self.t[i])
        return solution.write(i, value), history, state, i + 1

    def solve(self, y0: Tensor, scope: str) -> Any:
        """The values at all times, the ends of the steps, and the ratios of their errors."""
        t = self.t
        with _increasing(t):
            times = _tf.size(t)
        history = tuple(
            _tf.TensorArray(dtype, size=0, dynamic_size=True)
            for dtype in (t.dtype, self.rtol.dtype)
        )
        solution = _tf.TensorArray(y0.dtype, size=times).write(0, y0)
        state = (y0, self.func(y0, t[0]), t[0], t[0], self.first_step, [y0] * 5)
        solution, history, *_ = _tf.while_loop(
            lambda _, __, ___, i: i < times, self._reach, (solution, history, state, 1)
        )
        y = solution.stack(name=scope)
        y.set_shape(t.shape.concatenate(y0.shape))
        return y, history[0].stack(), history[1].stack()


def odeint(
    func: Slope,
    y0: Tensor,
    t: Tensor,
    rtol: Tensor = 1e-6,
    atol: Tensor = 1e-12,
    method: str | None = None,
    options: dict[str, Any] | None = None,
    full_output: bool = False,
    name: Name = None,
) -> Any:
    """Solves with steps whose sizes follow their error (`tf.contrib.integrate.odeint`).

    Args:
        func: What gives `dy/dt` of `y` and the time, a scalar.
        y0: Float or complex tensor of any shape, `y` at the first time.
        t: Float tensor `[n]`, increasing times; float64 if it is no tensor.
        rtol: The relative error that an element of `y` may have in a step.
        atol: The absolute error that is added to it.
        method: `"dopri5"`, or None for the same.
        options: With a method only: `first_step` (1.0), `safety` (0.9), `ifactor` (10.0), `dfactor`
            (0.2), and `max_num_steps` (1000) between two times.
        full_output: Whether to return how it went, too.

    Returns:
        `[n, ...]` of the dtype of `y0`; with `full_output` a dict besides, of `num_func_evals`, an
        int32 scalar, `integrate_points`, the time at the end of each step, and `error_ratio`, what
        share of the error that it may have each step had. One of more than 1 was not taken.

    Raises:
        ValueError: For another method, or for options without one.
        TypeError: If `y0` or `t` is of another dtype, or for an option that is not known.
        tf.errors.InvalidArgumentError: In the session: if `t` does not increase, `y` is not finite,
            or the steps are too many or too small.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(odeint(lambda y, t: -y, 1.0, [0.0, 1.0])).round(3).tolist())
    [1.0, 0.36800000071525574]
    """
    if method not in (None, "dopri5"):
        raise ValueError(f"invalid method: {method!r}")
    if options is not None and method is None:
        raise ValueError("cannot supply `options` without specifying `method`")
    with _tf.name_scope(name, "odeint", [y0, t, rtol, atol]) as scope:
        y0 = _tf.convert_to_tensor(y0, name="y0")
        t = _tf.convert_to_tensor(t, preferred_dtype=_tf.float64, name="t")
        _check_dtypes(y0=y0, t=t)
        dtype = abs(y0).dtype
        rtol = _tf.convert_to_tensor(rtol, dtype=dtype, name="rtol")
        atol = _tf.convert_to_tensor(atol, dtype=dtype, name="atol")
        y, points, ratios = _Dopri5(func, t, (rtol, atol), **options or {}).solve(y0, scope)
        if not full_output:
            return y
        count = 6 * _tf.size(points) + 1
        return y, {"num_func_evals": count, "integrate_points": points, "error_ratio": ratios}


def _midpoint(func: Slope, t: Tensor, dt: Tensor, y: Tensor) -> Any:
    step = _tf.cast(dt, y.dtype)
    return step * func(y + func(y, t) * step / 2, t + dt / 2)


def _rk4(func: Slope, t: Tensor, dt: Tensor, y: Tensor) -> Any:
    step = _tf.cast(dt, y.dtype)
    k1 = func(y, t)
    k2 = func(y + step * k1 / 2, t + dt / 2)
    k3 = func(y + step * k2 / 2, t + dt / 2)
    k4 = func(y + step * k3, t + dt)
    return _tf.add_n([k1, 2 * k2, 2 * k3, k4]) * (step / 6)


_FIXED = {"midpoint": _midpoint, "rk4": _rk4}


def odeint_fixed(
    func: Slope,
    y0: Tensor,
    t: Tensor,
    dt: Tensor | None = None,
    method: str = "rk4",
    name: Name = None,
) -> Any:
    """Solves with steps of given sizes (`tf.contrib.integrate.odeint_fixed`).

    Args:
        func: What gives `dy/dt` of `y` and the time, a scalar.
        y0: Tensor of any shape, `y` at the first time.
        t: Float tensor `[n]`, increasing times; float64 if it is no tensor.
        dt: The largest size of a step, a scalar or `[n - 1]`; None, as up to 1.9: one step between two times.
        method: `"midpoint"` or `"rk4"`.

    Returns:
        `[n, ...]` of the dtype of `y0`.

    Raises:
        ValueError: For another method, or for sizes that do not fit the times.
        TypeError: If one of the three is of another dtype.
        tf.errors.InvalidArgumentError: In the session: if `t` does not increase.
    """
    with _tf.name_scope(name, "odeint_fixed", [y0, t, dt]):
        t = _tf.convert_to_tensor(t, preferred_dtype=_tf.float64, name="t")
        y0 = _tf.convert_to_tensor(y0, name="y0")
        between = t[1:] - t[:-1]
        dt = between if dt is None else dt
        dt = _tf.convert_to_tensor(dt, preferred_dtype=_tf.float64, name="dt")
        counts = _tf.ceil(between / dt)
        sizes = between / counts
        counts = _tf.cast(counts, _tf.int32)
        _check_dtypes(y0=y0, t=t, dt=sizes)
        of_t, of_dt = t.shape.as_list(), sizes.shape.as_list()
        if len(of_t) > 1 or len(of_dt) > 1:
            raise ValueError("t and dt must be 1D tensors")
        if None not in of_t + of_dt and of_t[0] != of_dt[0] + 1:
            raise ValueError("t and dt have incompatible lengths, must be N and N-1")
        with _increasing(t), _tf.name_scope(method):
            if method not in _FIXED:
                raise ValueError(f"method not supported: {method}")
            return _fixed(_FIXED[method], func, y0, t, sizes, counts)


def _fixed(
    change: Callable[..., Any], func: Slope, y0: Tensor, t: Tensor, sizes: Tensor, counts: Tensor
) -> Any:
    exact = _call_forms.reaches("1.9")  # which did not add up the times

    def step(y: Tensor, time: Tensor, i: Tensor, interval: Tensor) -> Any:
        dt = sizes[interval - 1]
        more = _tf.cast(change(func, time, dt, y), y.dtype)
        return y + more, time + dt, i + 1, interval

    def reach(solution: Any, y: Tensor, time: Tensor, interval: Tensor) -> Any:
        if exact:
            time = t[interval - 1]
        y, time, *_ = _tf.while_loop(
            lambda _, __, i, interval: i < counts[interval - 1], step, (y, time, 0, interval)
        )
        return solution.write(interval, y), y, time, interval + 1

    times = _tf.size(t)
    solution = _tf.TensorArray(y0.dtype, times).write(0, y0)
    solution, *_ = _tf.while_loop(lambda _, __, ___, i: i < times, reach, (solution, y0, t[0], 1))
    y = solution.stack()
    y.set_shape(t.shape.concatenate(y0.shape))
    return y
