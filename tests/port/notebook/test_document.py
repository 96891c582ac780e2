"""A notebook's file: what of its cells is Python, and what is put aside and put back."""

import json

import pytest

from tfqueue.port.notebook import document
from tfqueue.port.source.files import Unreadable, decode


def cell(source, kind="code", **more):
    return {"cell_type": kind, "source": source, **more}


def read(*cells, indent=1, **fields):
    text = json.dumps({"cells": cells, **fields}, indent=indent)
    return document.read_document(decode(text.encode(), "nb.ipynb"))


def aside(source):
    """A cell as it stands in the joined program, and what was put aside."""
    magics = []
    return document._put_aside(source, magics), magics


@pytest.mark.parametrize(
    ("source", "text", "magics"),
    [
        ("x = 1", "x = 1", []),
        ("!ls", "tfq_magic(0)", ["!ls"]),
        ("%time f()", "tfq_magic(0)", ["%time f()"]),
        ("?name", "tfq_magic(0)", ["?name"]),
        ("a.b??\nc?", "tfq_magic(0)\ntfq_magic(1)", ["a.b??", "c?"]),
        ("x = !ls", "x = tfq_magic(0)", ["!ls"]),
        ("a, b[0] = %time f()", "a, b[0] = tfq_magic(0)", ["%time f()"]),
        ("for i in x:\n    !echo {i}\ny", "for i in x:\n    tfq_magic(0)\ny", ["!echo {i}"]),
        ("!a \\\n b\nx = 1", "tfq_magic(0)\n\nx = 1", ["!a \\\n b"]),
        ("x = !a \\\n b\ny", "tfq_magic(0)\n\ny", ["x = !a \\\n b"]),
        ("!a \\", "tfq_magic(0)", ["!a \\"]),
        ("%%bash\nls\n", "tfq_magic(0)\n\n", ["%%bash\nls\n"]),
        ("%%\nls", "tfq_magic(0)\n", ["%%\nls"]),
        ("\n%%time\nx = 1", "\ntfq_magic(0)\nx = 1", ["%%time"]),
        ("x = 1\n%%time", "x = 1\ntfq_magic(0)", ["%%time"]),
        ("", "", []),
        # a line within a string or brackets is no magic
        ("x = '''\n%d\n'''\n%d", "x = '''\n%d\n'''\ntfq_magic(0)", ["%d"]),
        ('x = """a\n!b""" + """\n%d"""\n!c', 'x = """a\n!b""" + """\n%d"""\ntfq_magic(0)', ["!c"]),
        ("x = '''a'''\n!b", "x = '''a'''\ntfq_magic(0)", ["!b"]),
        ("x = (y\n% z)\n!b", "x = (y\n% z)\ntfq_magic(0)", ["!b"]),
        ("x = [{(\n%a\n)}\n%b\n]\n%c", "x = [{(\n%a\n)}\n%b\n]\ntfq_magic(0)", ["%c"]),
        ("x = 1  # it's (\n!b", "x = 1  # it's (\ntfq_magic(0)", ["!b"]),
        ("x = 'a(' + \"b'(\"\n!b", "x = 'a(' + \"b'(\"\ntfq_magic(0)", ["!b"]),
        ("x = 'a\\'(', (\n%b)", "x = 'a\\'(', (\n%b)", []),
        ("x = 'a#', (\n%b)", "x = 'a#', (\n%b)", []),
        ("x = ')'\ny = ('', (\n%b))", "x = ')'\ny = ('', (\n%b))", []),
        ("x)\n(\n%b)", "x)\n(\n%b)", []),
    ],
)
def test_what_is_put_aside(source, text, magics):
    assert aside(source) == (text, magics)


def test_cells_have_their_numbers_and_lines():
    found = read(cell("a\nb"), cell("prose", "markdown"), cell(["!x\n", "c"]), cell("half ("))
    assert found.text == "a\nb\ntfq_magic(0)\nc\ntfq_magic(1)"
    assert [(one.number, one.start, one.lines, one.source) for one in found.cells] == [
        (1, 1, 2, "a\nb"),
        (3, 3, 2, "!x\nc"),
        (4, 5, 1, "half ("),
    ]
    assert found.magics == ["!x", "half ("]
    assert [found.cell_of(line).number for line in range(1, 7)] == [1, 1, 3, 3, 4, 4]
    assert found.cell_of(0).number == 1
    assert found.cells[1].raw is found.json["cells"][2]
    assert read(cell("half (\nof\n")).text == "tfq_magic(0)\n\n"


@pytest.mark.parametrize("source", ["x = 1", "!ls \\\n -l\nx = !pwd\n%%time", "%%bash\nls\nps\n"])
def test_what_is_put_back(source):
    found = read(cell(source), cell("!more"))
    masked = "\n".join(found.text.split("\n")[: found.cells[0].lines])
    assert found.put_back(masked) == source


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        (
            {"cells": [cell("x"), cell("y", "raw"), cell(["a\n", "b\n", "\n"])]},
            {1: "x\n", 3: "a\nb\n"},
        ),
        ({"cells": []}, {}),
        ({"cells": [{"cell_type": "code"}]}, {1: "\n"}),
        ({"worksheets": [{"cells": [{"cell_type": "code", "input": "x"}]}]}, {1: "x\n"}),
        ({}, {}),
    ],
)
def test_the_code_of_any_format(fields, code):
    assert document.code(json.dumps(fields)) == code


@pytest.mark.parametrize(
    ("text", "indent", "tail"),
    [
        ('{\n  "cells": []\n}\n', "  ", "\n"),
        ('{\n\t"cells": []\n}', "\t", ""),
        ('{ "cells": []}', 1, ""),
        ('{"cells": []}\n', 1, "\n"),
    ],
)
def test_a_file_is_written_as_it_was(text, indent, tail):
    found = document.read_document(decode(text.encode(), "nb.ipynb"))
    assert (found.indent, found.tail) == (indent, tail)
    assert (
        found.dumped({"a": "é"}, tail) == f'{{\n{" " if indent == 1 else indent}"a": "é"\n}}{tail}'
    )


@pytest.mark.parametrize("text", ["x", "[1]", '{"cells": [1]}', '{"worksheets": [{}]}'])
def test_what_is_no_notebook(text):
    with pytest.raises(Unreadable, match=r"nb\.ipynb: is no notebook"):
        document.read_document(decode(text.encode(), "nb.ipynb"))
