"""Programs of up to Python 3.6, in which `async` and `await` are names."""

import pytest

from tfqueue.port.code.compilation import compile_text
from tfqueue.port.program.facts import of_parsed
from tfqueue.port.rules import engine
from tfqueue.port.source import keywords, parsing

PROGRAM = """\
class Flags(object):
    def __init__(self, async, await=2): self.async = async; self.await = await
FLAGS = Flags(async=True)
async = vars(FLAGS), getattr(FLAGS, 'async')
"""


@pytest.mark.parametrize("last", ["", "print async\n"])
def test_a_program_that_has_them_as_names(last, capsys):
    names = {}
    exec(compile_text(PROGRAM + last, "old.py", "exec", None), names)
    assert names["async"] == ({"async": True, "await": 2}, True)
    assert capsys.readouterr().out == (f"{names['async']}\n" if last else "")
    ported = engine.translate(PROGRAM + last).text
    assert parsing.can_be_parsed(ported)
    again = {}
    exec(ported, again)
    assert again["async"] == names["async"]


def test_they_are_told_and_show_no_python():
    parsed = parsing.parse(PROGRAM)
    assert not parsed.converted
    assert [(found.line, found.col) for found in parsed.findings] == [
        *[(2, 24), (2, 31), (2, 46), (2, 54), (2, 66), (2, 74)],
        *[(3, 15), (4, 1)],
    ]
    assert {found.rule for found in parsed.findings} == {"std-keywords"}
    facts = of_parsed(parsed)
    assert (facts.hard, facts.soft, facts.python3) == ((), (), ())
    assert of_parsed(parsing.parse(PROGRAM + "print 1\n")).hard == (("`print`", 5),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("async def f():\n    async with a: await b\n", 0),
        ("async def f():\n    await b\nf(async=1)\n", 1),
        ("x = [async for async in y]\n", 1),
        ("'async'  # await\n", 0),
        ("f(async=1\n", 0),
        ("once upon a time\n", 0),
    ],
)
def test_keywords_stay(text, told):
    assert len(keywords.as_names(text)[1]) == told


def test_what_is_wrong_for_another_reason_is_told():
    with pytest.raises(parsing.Unreadable, match="neither as Python 3 nor as Python 2"):
        parsing.parse("f(async=1); once upon\n")
