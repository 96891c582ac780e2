"""`tf.contrib.training.HParams`. What is expected is what TensorFlow 1.15.5 does."""

import pytest

import tfqueue.v1 as tf

training = tf.contrib.training


@pytest.fixture
def params():
    return training.HParams(a=1, b=0.5, c="x", d=[1, 2, 3], e=True, f=None)


def test_hyperparameters_from_text(params):
    # All of this as 1.15.5 has it.
    assert str(params) == "a=1,b=0.5,c=x,d=[1, 2, 3],e=True,f=None"
    assert params.parse("a=3,b=2,c=hello,d=[4,5],e=false") is params
    assert params.values() == {"a": 3, "b": 2.0, "c": "hello", "d": [4, 5], "e": False, "f": None}
    assert params.parse("c=a b,a= 4 ,b=1e-3").values()["c"] == "a b"
    assert (params.a, params.b) == (4, 0.001)
    assert repr(training.HParams(a=1)) == "HParams([('a', 1)])"
    assert training.parse_values("q=1", {"a": int}, ignore_unknown=True) == {}
    text, types = "q=1,a=2,z=[1,2],b=3.5,c[1]=4", {"a": int, "b": float, "c": int}
    assert training.parse_values(text, types, ignore_unknown=True) == {
        "a": 2,
        "b": 3.5,
        "c": {1: 4},
    }
    assert training.HParams(s="x").parse("s=").s == ""
    assert training.HParams(d=False).parse("d=2").d is True  # 1.15.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("zz=3", "Unknown hyperparameter type for zz"),
        ("a=x", "Could not parse hparam 'a' of type 'int' with value 'x' in a=x"),
        ("a=1.5", "Could not parse hparam 'a' of type 'int' with value '1.5'"),
        ("d=7", "Must pass a list for multi-valued parameter: d"),
        ("d[1]=9", "Must pass a list for multi-valued parameter: d"),
        ("a=[1]", "Must not pass a list for single-valued parameter: a"),
        ("a=1,a=2", "Multiple assignments to variable 'a' in a=1,a=2"),
        ("b[0]=1,b[0]=2", "Multiple assignments to variable 'b[0]' in b[0]=1,b[0]=2"),
        ("b[0]=1,b=2", "Multiple assignments to variable 'b' in b[0]=1,b=2"),
        ("b=1,b[0]=2", "Multiple assignments to variable 'b"),
        ("e=x", "Could not parse hparam 'e'"),
        ("nonsense", "Malformed hyperparameter value: nonsense"),
    ],
)
def test_text_that_makes_no_sense(params, text, says):
    with pytest.raises(ValueError) as raised:
        params.parse(text)
    assert says in str(raised.value)


def test_hyperparameters_keep_their_type(params):
    for name, value in [("a", 2.0), ("a", "q"), ("d", [1.5]), ("d", 3), ("a", [3]), ("e", 1)]:
        with pytest.raises(ValueError):
            params.set_hparam(name, value)
    params.set_hparam("b", 3)
    assert params.b == 3.0
    for name, value in [("a", 1), ("values", 1), ("n", [])]:
        with pytest.raises(ValueError):
            params.add_hparam(name, value)
    assert (params.get("a"), params.get("q"), params.get("q", 5), "a" in params) == (
        1,
        None,
        5,
        True,
    )
    with pytest.raises(ValueError, match="incompatible with default=s"):
        params.get("a", "s")
    assert params.override_from_dict({"a": 7}).a == 7
    assert params.parse_json('{"a": 8, "c": "k"}').c == "k"
    assert params.to_json() == '{"a": 8, "b": 3.0, "c": "k", "d": [1, 2, 3], "e": true, "f": null}'
    params.del_hparam("a")
    assert "a" not in params
    with pytest.raises(TypeError, match=r"is gone since TensorFlow 2\.0"):
        training.HParams(object())


def test_a_subclass_may_take_parameters_out_itself():
    class Settings(training.HParams):
        def pop(self, name):
            value = getattr(self, name)
            delattr(self, name)
            del self._hparam_types[name]
            return value

    settings = Settings(rate=0.1, sizes=[1, 2])
    assert settings._hparam_types == {"rate": (float, False), "sizes": (int, True)}
    assert settings.pop("rate") == 0.1
    assert settings.values() == {"sizes": [1, 2]}


def test_a_value_that_is_asked_for_with_another():
    params = tf.contrib.training.HParams(a=1, b=[1, 2])
    assert (params.get("a", 2), params.get("b", [3]), params.get("c", "x")) == (1, [1, 2], "x")
    for name, default in (("a", "x"), ("a", [1]), ("b", 1), ("b", ["x"])):
        with pytest.raises(ValueError, match="is incompatible with default"):
            params.get(name, default)
