"""Pickles that Python 2 wrote need an encoding to be read.

https://docs.python.org/3/library/pickle.html#pickle.loads
"""

from tfqueue.port.edits import Edit

WORDS = ("pickle",)
PYTHON2 = True


def find(module):
    """Finds `pickle.load` without an encoding in a Python 2 program."""
    for call, dotted in module.calls:
        words = {keyword.arg for keyword in call.keywords}
        if dotted in ("pickle.load", "pickle.loads") and len(call.args) == 1 and not words:
            end = module.end(call) - 1
            message = "a pickle of Python 2 is read as latin-1, so that arrays survive"
            inside = module.text[module.end(call.args[0]) : end]
            edit = Edit(end, end, "encoding='latin1'" if "," in inside else ", encoding='latin1'")
            yield module.finding(call, message, [edit])
