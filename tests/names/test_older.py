"""What TensorFlow 0.6 to 0.11 took, as its source has it, and that these calls bind or are refused."""

import ast

import pytest

from tests.ledger import measure, read_older
from tfqueue.names import ledger, older_forms

OTHERWISE = {
    "QueueBase", "Variable", "VariableScope",  # TensorFlow makes their objects
    "contrib.layers.utils.static_cond", "contrib.learn.monitors.ValidationMonitor",
    "contrib.learn.graph_actions.train",  # it is a module, once that is imported
}  # fmt: skip
"""Names whose old forms are neither bound nor refused."""


def test_a_form_of_before_0_12_has_another_order_than_that_of_0_12():
    for name, old in older_forms.forms().items():
        after = list(ledger.signature(name, "0.12").parameters)
        for last, text in old:
            assert last in older_forms.RELEASES
            assert ledger.entry(name, last) == (last, ledger.find(name)[0].kind, text)
            before = list(ledger.parsed(text).parameters)
            assert after[: len(before)] != before


@pytest.mark.parametrize("name", [each for each in older_forms.forms() if each not in OTHERWISE])
def test_a_call_of_before_0_12_arrives_or_is_refused(name):
    if name.startswith(("contrib.layers", "contrib.slim")):
        pytest.importorskip("tf_slim")
    found = measure.look_up(name)
    if isinstance(found, Exception):
        assert measure.is_sentence(found)
        return
    for last, text in older_forms.forms()[name]:
        for state, why in measure.state_of_calls(name, ledger.parsed(text), last):
            assert state in ("works", "refused"), (last, why)


def test_a_release_of_before_0_12_has_the_arguments_of_its_own():
    assert ledger.entry("train.batch", "0.6").signature.startswith("tensor_list, batch_size")
    assert ledger.entry("train.batch", "0.9").signature.startswith("tensors, batch_size")
    assert "allow_smaller_final_batch" not in ledger.entry("train.batch", "0.9").signature
    assert "allow_smaller_final_batch" in ledger.entry("train.batch", "0.10").signature
    assert ledger.entry("variable_scope", "0.7").signature == (
        "name_or_scope, reuse=None, initializer=None"
    )


FUNCTION = "def f(x, axes=[0], keep=False, name='f', *rest, **more): pass"
OP = """
    .Input("values: N * T")
    .Input("in: int64")
    .Output("output: T")
    .Attr("N: int >= 1")
    .Attr("T: type")
    .Attr("axis: int = -1")
    .Attr("flag: bool = false")
    .Attr("mode: {'a', 'b'} = 'a'")
    .Attr("kind: type = DT_INT32")
    .Attr(
        "wanted: "
        "list(int)")
"""


def test_a_definition_is_read_as_the_ledger_writes_it():
    text = read_older.arguments(ast.parse(FUNCTION).body[0])
    assert text == "x, axes=..., keep=False, name='f', *rest, **more"
    assert read_older.without_defaults(text) == "x, axes=, keep=, name=, *rest, **more"
    assert read_older.names_of(text) == ["x", "axes", "keep", "name", "*rest", "**more"]


def test_a_registration_is_read_as_the_function_that_was_made_of_it():
    assert read_older._op_arguments(OP) == (
        "values, in_, wanted, axis=-1, flag=False, mode='a', kind=..., name=None"
    )
    names = {"MatrixSolve": "matrix_solve", "FFT2D": "fft2_d", "TopKV2": "top_kv2", "LRN": "lrn"}
    assert {op: read_older._as_function(op) for op in names} == names


class Source(read_older.Source):
    """Source of a release, given as modules."""

    def __init__(self, modules, ops=()):
        self._given, self.ops = modules, dict(ops)
        self.places = {}
        for path, made in modules.items():
            for name in made:
                self.places.setdefault(name, []).append(path)

    def definitions(self, path):
        return self._given.get(path, {})


def rows_of(name, now, reference, **others):
    return read_older.rows_of(name, now, reference, {f"0.{n[1:]}": s for n, s in others.items()})


@pytest.fixture
def reference():
    return Source({"python/ops/a.py": {"f": "x, axis=None, name=None"}}, {"g": "x, y, name=None"})


def test_a_form_counts_up_to_the_last_release_that_has_it(reference):
    old = Source({"python/ops/b.py": {"f": "x, name=None"}})
    same = Source({"python/ops/a.py": {"f": "x, axis=None"}})  # only added to, at the end
    found = rows_of("f", "x, axis=None, name=None", reference, r6=old, r7=old, r8=same)
    assert found == ["0.7 x, name=None"]


def test_a_function_of_the_same_name_in_another_folder_is_another(reference):
    other = Source({"python/training/b.py": {"f": "x, name=None"}})
    assert rows_of("f", "x, axis=None, name=None", reference, r6=other) == []


def test_what_the_ledger_does_not_confirm_is_left_out(reference):
    old = Source({"python/ops/a.py": {"f": "x, name=None"}})
    assert rows_of("f", "x, dim=None, name=None", reference, r6=old) == []
    assert rows_of("contrib.f", "x, axis=None, name=None", reference, r6=old) == []


def test_an_op_without_python_is_read_from_its_registration(reference):
    old = Source({}, {"g": "x, name=None"})
    assert rows_of("g", "x, y, name=None", reference, r6=old) == ["0.6 x, name=None"]
    assert rows_of("contrib.g", "x, y, name=None", reference, r6=old) == []
