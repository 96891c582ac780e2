"""How a program's code is run, and what it leaves."""

import os
import traceback
import types

from tfqueue.port.code import execution


def test_a_program_that_fails_shows_its_own_lines_alone():
    text = "try:\n    {}[1]\nexcept KeyError as error:\n    raise ValueError from error\n"
    caught = []

    def ended(error):
        caught.append(error)
        return 3

    main = types.ModuleType("__main__")
    program = compile(text, "program.py", "exec")
    for given in (program, lambda: program):
        assert execution.execute(given, main, ended, lambda before: None) == 3
    assert len(caught) == 2
    for error in caught:
        for one, line in ((error, 4), (error.__cause__, 2)):
            frames = traceback.extract_tb(one.__traceback__)
            assert [(frame.filename, frame.lineno) for frame in frames] == [("program.py", line)]


def test_a_program_that_cannot_be_compiled_shows_no_line_of_what_tried():
    def start():
        raise SyntaxError("no")

    def ended(error):
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        return int([os.path.basename(file) for file in files] == ["test_execution.py"])

    assert execution.execute(start, types.ModuleType("__main__"), ended, lambda before: None) == 1
