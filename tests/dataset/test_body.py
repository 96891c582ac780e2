"""How long an expression is that stands in the line of its user."""

import pytest

import tfqueue.v1 as tf
from tfqueue.dataset.body import Body
from tfqueue.dataset.literals import Expression


@pytest.mark.parametrize(("digits", "lines"), [(12, 0), (13, 0), (14, 1)])
def test_an_expression_of_up_to_48_characters_is_a_part_of_its_users_line(digits, lines):
    text = tf.placeholder(tf.string, [], name="text")
    buckets = tf.string_to_hash_bucket_fast(text, 10 ** (digits - 1))
    result = tf.negative(buckets)
    call = f"tf.strings.to_hash_bucket_fast(x, {10 ** (digits - 1)})"
    assert len(call) == 35 + digits
    body = Body({text.name: Expression("x")}, {"x"}, {}, lambda name, _: name)
    body.write([buckets.op, result.op], [result])
    assert sum(line.endswith(f"= {call}") for line in body.lines) == lines
    assert "".join([*body.lines, body.of(result)]).count(call) == 1


@pytest.mark.parametrize(("digits", "lines"), [(5, 0), (6, 0), (7, 1)])
def test_an_operand_of_up_to_30_characters_stands_beside_its_operator(digits, lines):
    given = tf.placeholder(tf.float32, [None], name="given")
    result = tf.tile(given, [10 ** (digits - 1)]) + 1.0
    tile, one = (tensor.op for tensor in result.op.inputs)
    call = f"tf.tile(some_values, [{10 ** (digits - 1)}])"
    assert len(call) == 24 + digits
    body = Body({given.name: Expression("some_values")}, {"some_values"}, {}, lambda name, _: name)
    body.write([tile.inputs[1].op, tile, one, result.op], [result])
    assert body.of(result) == (body.lines[0].split()[0] if lines else call) + " + 1.0"
    assert [line.endswith(f"= {call}") for line in body.lines] == [True] * lines


def test_a_value_has_the_name_that_the_program_gave_it():
    given = tf.placeholder(tf.float32, [None], name="given")
    repeated = tf.tile(given, [1000000])
    result = repeated + 1.0
    body = Body({given.name: Expression("some_values")}, {"some_values"}, {}, lambda name, _: name)
    constants = [op for op in tf.get_default_graph().get_operations() if op.type == "Const"]
    body.write([*constants, repeated.op, result.op], [result])
    assert body.lines == ["repeated = tf.tile(some_values, [1000000])"]
    assert body.of(result) == "repeated + 1.0"
