"""gym as it was up to 0.25: what its environments gave, took and were called. Translated programs import this.

Since 0.26 `reset` gives a pair and `step` five values, and what `gym.make` lays around an environment
asks numpy for a name that numpy 2 lacks. Here the classes of environments are changed themselves, so that
`env.unwrapped`, a class that a program derives from one, and a wrapper all see four values.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import logging
import os
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

_OLD_METHODS = ("step", "reset", "render", "close", "seed", "observation", "reward", "action")
"""What programs of before 0.10 defined with an underscore in front."""
_told: set[str] = set()


def _tell(message: str) -> None:
    if message not in _told:
        _told.add(message)
        sys.stderr.write(f"tfqueue: {message}\n")


def of_step(found: Any) -> Any:
    """What a step gave: the end and the time limit are one value.

    >>> of_step(("seen", 1.0, False, True, {}))
    ('seen', 1.0, True, {})
    >>> of_step(("seen", 1.0, False, {}))
    ('seen', 1.0, False, {})
    """
    if not (isinstance(found, tuple) and len(found) == 5 and isinstance(found[4], dict)):
        return found
    seen, reward, ended, cut, info = found
    return seen, reward, bool(ended or cut), info


def of_reset(found: Any) -> Any:
    """What a beginning gave: the observation alone.

    >>> of_reset(("seen", {})), of_reset("seen")
    ('seen', 'seen')
    """
    pair = isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], dict)
    return found[0] if pair else found


def _giving(method: Callable[..., Any], adapt: Callable[[Any], Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def called(*args: Any, **words: Any) -> Any:
        return adapt(method(*args, **words))

    return called


def _rendering(method: Callable[..., Any]) -> Callable[..., Any]:
    """`render(mode)` of an environment that is told its mode when it is made."""

    @functools.wraps(method)
    def render(self: Any, mode: str = "human", **_words: Any) -> Any:
        before, self.render_mode = self.render_mode, mode
        try:
            return method(self)
        except Exception as error:
            home = type(error).__module__.partition(".")[0]
            if mode != "human" or home not in ("gym", "pygame"):
                raise
            _tell(f"an environment of gym can't be shown here: {error}")
        finally:
            self.render_mode = before

    return render


def _called_by(name: str) -> Callable[..., Any]:
    return lambda self, *args, **words: getattr(self, name)(*args, **words)


def _is_new(kind: Any) -> bool:
    """Whether a class of environments is written for gym 0.26: only then `reset` takes a seed."""
    try:
        return "seed" in inspect.signature(kind.reset).parameters
    except (TypeError, ValueError):
        return False


def _is_gyms(kind: type, name: str) -> bool:
    """Whether a class has a method from gym, or none, and not from the program."""
    owner = next((one for one in kind.__mro__ if name in vars(one)), None)
    return owner is None or owner.__module__.partition(".")[0] == "gym"


def adapt(kind: Any, wrapper: type) -> None:
    """Lets a class of environments, or of wrappers, be as it was.

    Args:
        kind: The class.
        wrapper: `gym.Wrapper`.
    """
    held = vars(kind)
    if "_tfqueue" in held:
        return
    kind._tfqueue = True
    for name in _OLD_METHODS:
        if callable(held.get(f"_{name}")) and _is_gyms(kind, name):
            setattr(kind, name, _called_by(f"_{name}"))
    if issubclass(kind, wrapper) or not _is_new(kind):
        return
    if "step" in held:
        kind.step = _giving(held["step"], of_step)
    if "reset" in held:
        kind.reset = _giving(held["reset"], of_reset)
    if "render" in held and "mode" not in inspect.signature(held["render"]).parameters:
        kind.render = _rendering(held["render"])


def _all_below(kind: type) -> list[type]:
    found: list[type] = [kind]
    for one in found:  # it grows on the way
        below: list[type] = one.__subclasses__()
        found += [kind for kind in below if kind not in found]
    return found


def _seeding(gym: Any) -> None:
    class Random(np.random.Generator):
        """The generator of today with the methods of `RandomState` that environments called."""

        def rand(self, *shape: int) -> Any:
            return self.random(shape or None)

        def randn(self, *shape: int) -> Any:
            return self.standard_normal(shape or None)

        def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
            return self.integers(low, high, size, dtype)

        random_sample = np.random.Generator.random

    def np_random(seed: Any = None) -> tuple[Any, Any]:
        sequence = np.random.SeedSequence(None if seed is None else int(seed))
        return Random(np.random.PCG64(sequence)), sequence.entropy

    def hash_seed(seed: Any = None, max_bytes: int = 8) -> int:
        if seed is None:
            seed = int.from_bytes(os.urandom(max_bytes), "little")
        return int.from_bytes(hashlib.sha512(str(seed).encode()).digest()[:max_bytes], "little")

    gym.utils.seeding.np_random = np_random
    gym.utils.seeding.hash_seed = hash_seed

    def seed_environment(self: Any, seed: Any = None) -> list[Any]:
        self.np_random, used = np_random(seed)
        return [used]

    gym.Env.seed = seed_environment
    gym.Wrapper.seed = lambda self, seed=None: self.env.seed(seed)


def _wrappers(gym: Any) -> None:
    """The wrappers that programs derive their own from."""

    def reset(self: Any, **words: Any) -> Any:
        return self.observation(self.env.reset(**words))

    def step(self: Any, action: Any) -> Any:
        seen, *rest = self.env.step(action)
        return (self.observation(seen), *rest)

    def step_rewarded(self: Any, action: Any) -> Any:
        seen, reward, *rest = self.env.step(action)
        return (seen, self.reward(reward), *rest)

    gym.ObservationWrapper.reset, gym.ObservationWrapper.step = reset, step
    gym.RewardWrapper.step = step_rewarded
    for name in ("step", "reset", "render", "close", "seed"):
        setattr(gym.Wrapper, f"_{name}", _of_inner(name))


def _of_inner(name: str) -> Callable[..., Any]:
    return lambda self, *args, **words: getattr(self.env, name)(*args, **words)


def _time_limit(gym: Any) -> type:
    base: Any = gym.Wrapper

    class TimeLimit(base):  # type: ignore[misc]
        """Ends an episode after a number of steps."""

        def __init__(self, env: Any, max_episode_steps: int | None = None) -> None:
            super().__init__(env)
            self._max_episode_steps = max_episode_steps
            self._elapsed_steps: int | None = None

        def step(self, action: Any) -> Any:
            assert self._elapsed_steps is not None, "Cannot call env.step() before calling reset()"
            seen, reward, done, info = self.env.step(action)
            self._elapsed_steps += 1
            limit = self._max_episode_steps
            if limit is not None and self._elapsed_steps >= limit:
                info["TimeLimit.truncated"] = not done
                done = True
            return seen, reward, done, info

        def reset(self, **words: Any) -> Any:
            self._elapsed_steps = 0
            return self.env.reset(**words)

    return TimeLimit


def _monitor(gym: Any) -> type:
    base: Any = gym.Wrapper

    class Monitor(base):  # type: ignore[misc]
        """Counts steps and rewards; it writes nothing, which is told."""

        def __init__(
            self, env: Any, directory: str | None = None, *_args: Any, **_words: Any
        ) -> None:
            super().__init__(env)
            self.start(directory)

        def start(self, directory: str | None = None, *_args: Any, **_words: Any) -> None:
            """Begins, as `env.monitor.start` did."""
            self._rewards: list[float] = []
            self._lengths: list[int] = []
            if directory:
                os.makedirs(directory, exist_ok=True)
            _tell("gym's Monitor is gone: no video and no statistics are written")

        def step(self, action: Any) -> Any:
            found = self.env.step(action)
            self._rewards[-1] += float(found[1])
            self._lengths[-1] += 1
            return found

        def reset(self, **words: Any) -> Any:
            self._rewards.append(0.0)
            self._lengths.append(0)
            return self.env.reset(**words)

        def configure(self, *_args: Any, **_words: Any) -> None:
            """Nothing is written that could be told where."""

        def get_episode_rewards(self) -> list[float]:
            return self._rewards

        def get_episode_lengths(self) -> list[int]:
            return self._lengths

        def get_total_steps(self) -> int:
            return sum(self._lengths)

    return Monitor


class _Registry(dict[str, Any]):
    """The environments that there are."""

    def all(self) -> Any:
        return self.values()

    @property
    def env_specs(self) -> dict[str, Any]:
        return self

    def spec(self, name: str) -> Any:
        return self[name]


def _spec(gym: Any, name: str) -> Any:
    """What is known of an environment; of the next version where the one that is asked for is gone."""
    held = gym.envs.registration.registry
    if name in held:
        return held[name]
    stem, _, version = name.rpartition("-v")
    later = [
        one
        for one in held.values()
        if one.id.rpartition("-v")[0] == stem and version.isdigit() and one.version > int(version)
    ]
    if not later:
        return gym.spec(name)  # which says what there is
    found = min(later, key=lambda one: one.version)
    _tell(f"gym has no {name} today: this is {found.id}, whose numbers can be others")
    return found


def _registering(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def register(id: str, entry_point: Any = None, **words: Any) -> None:
        steps = words.pop("timestep_limit", None)
        tags = words.pop("tags", None) or {}
        steps = steps or tags.get("wrapper_config.TimeLimit.max_episode_steps")
        for gone in ("trials", "local_only", "max_episode_seconds"):
            words.pop(gone, None)
        if steps is not None:
            words.setdefault("max_episode_steps", steps)
        original(id=id, entry_point=entry_point, **words)

    return register


def _registration(gym: Any) -> None:
    home = gym.envs.registration
    limit, make = _time_limit(gym), home.make

    def make_old(id: Any, **words: Any) -> Any:
        if isinstance(id, str):
            module, _, id = id.rpartition(":")
            if module:
                __import__(module)
        spec = _spec(gym, id) if isinstance(id, str) else id
        plain = type(spec)(
            **{name: getattr(spec, name) for name in ("id", "entry_point", "kwargs")},
            order_enforce=False,
            disable_env_checker=True,
        )
        env = make(plain, **words)
        env.unwrapped.spec = spec
        return env if spec.max_episode_steps is None else limit(env, spec.max_episode_steps)

    home.registry = _Registry(home.registry)
    register = _registering(home.register)
    for owner in (gym, gym.envs, home):
        owner.make, owner.register = make_old, register
    gym.envs.registry = home.registry
    home.EnvSpec.make = lambda self, **words: make_old(self, **words)
    home.EnvSpec.timestep_limit = property(lambda self: self.max_episode_steps)
    home.EnvSpec.tags = property(lambda self: {})
    home.EnvSpec.trials = 100
    gym.wrappers.TimeLimit = gym.wrappers.time_limit.TimeLimit = limit


def _discrete(gym: Any) -> None:
    """`gym.envs.toy_text.discrete`, a module that is gone."""

    def categorical_sample(prob_n: Any, np_random: Any) -> Any:
        return (np.cumsum(np.asarray(prob_n)) > np_random.rand()).argmax()

    base: Any = gym.Env

    class DiscreteEnv(base):  # type: ignore[misc]
        """States and actions that are numbers, and a table of transitions."""

        def __init__(self, nS: int, nA: int, P: Any, isd: Any) -> None:
            self.P, self.isd, self.nS, self.nA = P, isd, nS, nA
            self.action_space = gym.spaces.Discrete(nA)
            self.observation_space = gym.spaces.Discrete(nS)
            self.seed()
            self.reset()

        def reset(self) -> Any:
            self.s, self.lastaction = categorical_sample(self.isd, self.np_random), None
            return self.s

        def step(self, a: Any) -> Any:
            transitions = self.P[self.s][a]
            at = categorical_sample([row[0] for row in transitions], self.np_random)
            p, self.s, reward, done = transitions[at]
            self.lastaction = a
            return self.s, reward, done, {"prob": p}

    module = types.ModuleType("gym.envs.toy_text.discrete")
    vars(module).update(DiscreteEnv=DiscreteEnv, categorical_sample=categorical_sample)
    sys.modules.setdefault(module.__name__, module)


def _common_generator(gym: Any) -> None:
    """`gym.spaces.prng`, the generator that all spaces drew from up to 0.10."""
    module = types.ModuleType("gym.spaces.prng")

    def seed(seed: Any = None) -> None:
        _tell("gym.spaces.prng.seed: spaces have generators of their own since gym 0.11")
        module.np_random.seed(seed)

    vars(module).update(np_random=np.random.RandomState(0), seed=seed)
    gym.spaces.prng = sys.modules.setdefault(module.__name__, module)


def _empty_spaces(gym: Any) -> None:
    """`Discrete(0)`, which 0.10 took."""
    original = gym.spaces.Discrete.__init__

    @functools.wraps(original)
    def initialize(self: Any, n: int, *args: Any, **words: Any) -> None:
        original(self, n or 1, *args, **words)
        self.n = n and self.n

    gym.spaces.Discrete.__init__ = initialize


def _spaces_of_ranges(gym: Any) -> None:
    """`MultiDiscrete([[low, high], ...])`, which it took up to 0.9.5; counts are never below 1."""
    base: Any = getattr(gym.spaces, "MultiDiscrete", None)
    if base is None:
        return
    original = base.__init__

    class Ranges(base):  # type: ignore[misc]
        """Whole numbers, each from its `low` to its `high`; its `shape` is how many they are."""

        shape = property(lambda self: self.num_discrete_space)

        def sample(self, *_args: Any, **_words: Any) -> list[int]:
            drawn = gym.spaces.prng.np_random.rand(self.num_discrete_space)
            return [int(one) for one in np.floor((self.high - self.low + 1.0) * drawn + self.low)]

        def contains(self, x: Any) -> bool:
            if len(x) != self.num_discrete_space:
                return False
            return bool((np.array(x) >= self.low).all() and (np.array(x) <= self.high).all())

        def __repr__(self) -> str:
            return f"MultiDiscrete{self.num_discrete_space}"

        def __eq__(self, other: object) -> bool:
            if not isinstance(other, Ranges):
                return False
            return np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)

    @functools.wraps(original)
    def initialize(self: Any, nvec: Any, *args: Any, **words: Any) -> None:
        given = np.array(nvec)
        is_old = given.ndim == 2 and given.shape[1] == 2 and (given[:, 0] <= given[:, 1]).all()
        if not is_old or (given > 0).all():
            if is_old:
                sys.stderr.write(
                    f"tfqueue: gym's MultiDiscrete({given.tolist()}) has so many choices in each place; up to gym 0.9.5 "
                    "these were ranges\n"
                )
            original(self, nvec, *args, **words)
            return
        self.low, self.high = given.T
        self.num_discrete_space = len(given)
        original(self, np.ones(len(given), int), *args, **words)
        del self.nvec
        self.__class__ = Ranges

    base.__init__ = initialize


def install() -> None:
    """Gives gym 0.26 back what it was; an older gym is left alone."""
    import gym

    if not hasattr(gym.envs.registration, "EnvSpec") or hasattr(gym.Env, "_tfqueue"):
        return
    if tuple(map(int, gym.__version__.split(".")[:2])) < (0, 26):
        return
    import gym.utils.seeding

    gym.Env._tfqueue = gym.Wrapper._tfqueue = True
    _seeding(gym)
    _wrappers(gym)
    _registration(gym)
    _discrete(gym)
    _common_generator(gym)
    _empty_spaces(gym)
    _spaces_of_ranges(gym)
    gym.wrappers.Monitor = _monitor(gym)
    gym.Env.monitor = property(lambda self: gym.wrappers.Monitor(self))
    gym.undo_logger_setup = lambda: None
    gym.logger.setLevel = gym.logger.set_level
    gym.logging = logging
    before = gym.Env.__init_subclass__

    def init_subclass(cls: type, /, **words: Any) -> None:
        before(**words)
        adapt(cls, gym.Wrapper)

    gym.Env.__init_subclass__ = classmethod(init_subclass)
    for kind in _all_below(gym.Env):
        adapt(kind, gym.Wrapper)
