"""What `tfqueue.port.libraries.gym_environments` gives back to gym, on a stand-in with the parts of gym 0.26.

The same programs were tried with gym 0.26.2; what 0.12.1 does was read in its source.
"""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import gym_environments
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine

STAND_IN = """
import dataclasses
import numpy as np
__version__ = "0.26.2"

class Env:
    render_mode = None
    np_random = None
    unwrapped = property(lambda self: self)

    def reset(self, *, seed=None, options=None):
        pass

    def close(self):
        self.closed = True

class Wrapper(Env):
    unwrapped = property(lambda self: self.env.unwrapped)
    spec = property(lambda self: self.env.spec)

    def __init__(self, env):
        self.env = env

    def step(self, action):
        return self.env.step(action)

    def reset(self, **words):
        return self.env.reset(**words)

    def render(self, *args, **words):
        return self.env.render(*args, **words)

class ObservationWrapper(Wrapper):
    pass

class RewardWrapper(Wrapper):
    pass

class NoDisplay(Exception):
    pass

class Counting(Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at = 0
        return np.zeros(2), {}

    def step(self, action):
        self.at += action
        return np.full(2, self.at), 1.0, self.at > 9, False, {}

    def render(self):
        if self.render_mode == "human":
            raise NoDisplay("no display")
        return self.render_mode

@dataclasses.dataclass
class EnvSpec:
    id: str
    entry_point: object = None
    reward_threshold: float = 0.0
    max_episode_steps: int = None
    order_enforce: bool = True
    disable_env_checker: bool = False
    kwargs: dict = dataclasses.field(default_factory=dict)
    version = property(lambda self: int(self.id.rpartition("-v")[2]))

registry = {name: EnvSpec(name, Counting, 0.0, 3) for name in ("Counting-v1", "Counting-v3")}

def register(id, entry_point, **words):
    registry[id] = EnvSpec(id, entry_point, **words)

def make(spec, **words):
    assert spec.disable_env_checker and not spec.order_enforce and not spec.max_episode_steps
    env = spec.entry_point(**spec.kwargs, **words)
    env.unwrapped.spec = spec
    return env

def spec(name):
    raise LookupError(name)

def set_level(level):
    pass

class Discrete:
    def __init__(self, n):
        assert n > 0, "n (counts) have to be positive"
        self.n = n

class MultiDiscrete:
    shape = property(lambda self: self.nvec.shape)

    def __init__(self, nvec):
        self.nvec = np.array(nvec)
        assert (self.nvec > 0).all(), "nvec (counts) have to be positive"
"""
NAMES = (
    *("gym", "gym.envs", "gym.envs.registration", "gym.logger", "gym.spaces", "gym.utils"),
    *("gym.utils.seeding", "gym.wrappers", "gym.wrappers.time_limit"),
)
OLD = """
import tensorflow as tf
import numpy as np
import gym
from gym import wrappers
from gym.envs.toy_text import discrete

class Own(gym.Env):
    def __init__(self):
        self.seed(7)

    def _seed(self, seed=None):
        self.np_random, seed = gym.utils.seeding.np_random(seed)
        return [seed]

    def _reset(self):
        return "begun", {}

    def _step(self, action):
        return np.ones(3), float(self.np_random.randint(2, size=(4,)).max() < 2), False, {}

class First(gym.ObservationWrapper):
    def _observation(self, seen):
        return seen[:1].tolist()

class Double(gym.RewardWrapper):
    def reward(self, reward):
        return 2 * reward

class Plain(gym.Wrapper):
    def _step(self, action):
        return super(Plain, self)._step(action + 1)

gym.envs.registration.register(id="Own-v0", entry_point=Own, timestep_limit=2, trials=5)
"""


@pytest.fixture
def gym(monkeypatch):
    """The stand-in, as an old program finds it."""
    home = types.ModuleType("gym.envs.registration")
    held = vars(home)  # the classes bear the module's name
    exec(STAND_IN, held)
    for name in NAMES:
        module = home if name == home.__name__ else types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        vars(module).update({key: one for key, one in held.items() if not key.startswith("__")})
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)
    toys = types.ModuleType("gym.envs.toy_text")
    monkeypatch.setitem(sys.modules, toys.__name__, toys)
    toys.__path__ = []
    for name in ("gym.envs.toy_text.discrete", "gym.spaces.prng"):
        monkeypatch.setitem(sys.modules, name, None)
        del sys.modules[name]
    monkeypatch.setattr(gym_environments, "_told", set())
    sys.modules["gym"].__version__ = held["__version__"]
    gym_environments.install()
    return sys.modules["gym"]


@pytest.fixture
def old(gym):
    """The names of an old program."""
    names: dict = {"__name__": "__main__"}
    exec(OLD.replace("import tensorflow as tf\n", ""), names)
    return types.SimpleNamespace(**names)


def test_a_step_gives_four_values_and_a_beginning_the_observation(gym):
    env = gym.make("Counting-v3")
    assert env.reset().tolist() == [0, 0]
    seen, reward, done, info = env.step(2)
    assert (seen.tolist(), reward, done, info) == ([2, 2], 1.0, False, {})
    assert env.step(8)[2:] == (True, {})
    env.reset()
    ends = [env.step(1)[2:] for _ in range(4)]
    assert [done for done, _ in ends] == [False, False, True, True]
    assert ends[2][1] == {"TimeLimit.truncated": True}
    assert len(env.unwrapped.step(1)) == 4
    assert (env.spec.timestep_limit, env._max_episode_steps, env.spec.tags) == (3, 3, {})
    assert env.spec.id == "Counting-v3"


def test_a_step_before_the_beginning_is_refused(gym):
    with pytest.raises(AssertionError, match="before calling reset"):
        gym.make("Counting-v3").step(1)


def test_a_class_that_a_program_derives_sees_four_values(gym):
    class Mine(gym.Counting):
        def step(self, action):
            seen, reward, done, info = super().step(action)
            return seen, reward + 1, done, info

    env = Mine()
    env.reset()
    assert env.step(1)[1:] == (2.0, False, {})


def test_environments_and_wrappers_of_a_program_are_as_they_were(gym, old):
    env = gym.make("Own-v0")
    assert env.seed(3) == [3]
    assert env.reset() == ("begun", {})
    assert [env.step(0)[1:3] for _ in range(2)] == [(1.0, False), (1.0, True)]
    first = old.First(old.Double(gym.make("Counting-v1")))
    assert first.reset() == [0]
    assert first.step(1)[:2] == ([1], 2.0)
    plain = old.Plain(gym.Counting())
    plain.reset()
    assert plain.step(1)[0].tolist() == [2, 2]


def test_a_helper_of_a_program_that_looks_like_an_old_method_stays_one(gym):
    class Base(gym.Env):
        def step(self, action):
            return "base", self._step(action)

    class Below(Base):
        def _step(self, action):
            return action

    assert Below().step(3) == ("base", 3)


def test_random_numbers_have_the_methods_of_before(gym):
    random, seed = gym.utils.seeding.np_random(np.int64(5))
    again, _ = gym.utils.seeding.np_random(5)
    assert seed == 5
    assert random.rand(2, 3).tolist() == again.random((2, 3)).tolist()
    assert random.randn(2).tolist() == again.standard_normal(2).tolist()
    assert isinstance(random.rand(), float)
    assert set(random.randint(2, 4, size=30).tolist()) == {2, 3}
    assert random.randint(1) == 0
    assert gym.utils.seeding.hash_seed(7) == gym.utils.seeding.hash_seed(7) < 2**64
    env = gym.make("Counting-v3")
    assert env.seed(4) == [4]
    assert env.unwrapped.np_random.rand() == gym.utils.seeding.np_random(4)[0].rand()


def test_a_version_that_is_gone_is_the_next_one_and_that_is_told(gym, capsys):
    assert gym.make("Counting-v0").spec.id == "Counting-v1"
    assert gym.make("Counting-v2").spec.id == "Counting-v3"
    said = capsys.readouterr().err
    assert "gym has no Counting-v0 today: this is Counting-v1, whose numbers can be others" in said
    with pytest.raises(LookupError):
        gym.make("Counting-v4")
    assert "Counting-v3" in [spec.id for spec in gym.envs.registry.all()]


def test_what_cannot_be_shown_is_told_once(gym, capsys):
    env = gym.make("Counting-v3")
    assert env.render(mode="rgb_array") == "rgb_array"
    assert env.render() is env.render() is None
    assert env.unwrapped.render_mode is None
    assert (
        capsys.readouterr().err.count("an environment of gym can't be shown here: no display") == 1
    )


def test_another_failure_of_a_picture_is_raised(gym):
    class Broken(gym.Counting):
        def render(self):
            raise ValueError(self.render_mode)

    with pytest.raises(ValueError, match="human"):
        Broken().render()


def test_a_monitor_counts_and_says_that_it_writes_nothing(gym, tmp_path, capsys):
    env = gym.wrappers.Monitor(gym.make("Counting-v3"), str(tmp_path / "a" / "b"), force=True)
    env.reset()
    env.step(1)
    env.step(1)
    env.reset()
    assert (tmp_path / "a" / "b").is_dir()
    assert env.get_episode_rewards() == [2.0, 0.0]
    assert (env.get_episode_lengths(), env.get_total_steps()) == ([2, 0], 2)
    env.env.monitor.start(str(tmp_path / "c"), force=True)
    env.env.monitor.configure(lambda _: True)
    assert (tmp_path / "c").is_dir()
    assert capsys.readouterr().err.count("gym's Monitor is gone") == 1


def test_the_logger_is_set_by_names_of_logging(gym):
    """As up to 0.9.5, whose logger was one of logging."""
    assert gym.logging.WARNING < gym.logging.ERROR
    gym.logger.setLevel(gym.logging.WARNING)


def test_discrete_environments_are_there(gym, old):
    rows = {0: {0: [(1.0, 1, 0.5, True)]}, 1: {0: [(1.0, 0, 1.0, False)]}}
    env = old.discrete.DiscreteEnv(2, 1, rows, [1.0, 0.0])
    assert env.reset() == 0
    assert env.step(0) == (1, 0.5, True, {"prob": 1.0})
    assert (env.action_space.n, env.lastaction) == (1, 0)


def test_spaces_are_those_of_0_10(gym, capsys):
    """As 0.10.5: a space of no element, and the generator of all spaces, which begins with seed 0."""
    assert [gym.spaces.Discrete(n).n for n in (0, 3)] == [0, 3]
    from gym.spaces import prng

    drawn = np.random.RandomState(0).rand(2)
    assert prng.np_random.rand(2).tolist() == drawn.tolist()
    prng.seed(0)
    assert prng.np_random.rand(2).tolist() == drawn.tolist()
    assert capsys.readouterr().err.count("spaces have generators of their own") == 1


def test_a_space_of_ranges_is_that_of_0_9(gym, capsys):
    """What 0.9.5 printed. `[[1, 2]]` can be counts of 2 dimensions, and `[[3, 0]]` is no range."""
    pairs = [[0, 4], [0, 1], [-2, 9]]
    space = gym.spaces.MultiDiscrete(pairs)
    assert (space.shape, space.low.tolist(), space.high.tolist()) == (3, [0, 0, -2], [4, 1, 9])
    assert [space.contains(x) for x in ([4, 1, -2], [5, 1, 0], [1, 1])] == [True, False, False]
    assert [space.sample() for _ in range(3)] == [[2, 1, 5], [2, 0, 5], [2, 1, 9]]
    assert space == gym.spaces.MultiDiscrete(pairs)
    assert space != gym.spaces.MultiDiscrete([[0, 4], [0, 1], [-2, 8]])
    assert (str(space), isinstance(space, gym.spaces.MultiDiscrete)) == ("MultiDiscrete3", True)
    assert gym.spaces.MultiDiscrete([[1, 2]]).shape == (1, 2)
    assert "up to gym 0.9.5 these were ranges" in capsys.readouterr().err
    assert gym.spaces.MultiDiscrete([5, 2, 2]).shape == (3,)
    for bad in ([[3, 0]], [0, 2]):
        with pytest.raises(AssertionError, match="counts"):
            gym.spaces.MultiDiscrete(bad)


def test_an_older_gym_is_left_alone(gym, monkeypatch):
    kind = type("Env", (), {})
    monkeypatch.setattr(gym, "Env", kind)
    monkeypatch.setattr(gym, "__version__", "0.21.0")
    gym_environments.install()
    assert not hasattr(kind, "seed")


def test_old_programs_install_it_before_gym_is_imported():
    text = engine.translate(OLD, written_for=WrittenFor()).text
    assert text.index("import tfqueue.port.libraries.gym_methods") < text.index("import gym")
