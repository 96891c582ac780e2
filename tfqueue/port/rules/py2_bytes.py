"""`BytesList(value=["text"])`: a `str` of Python 2 was bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

import ast

from tfqueue.port.edits import Edit

WORDS = ("BytesList",)
PYTHON2 = True
_BYTES = frozenset(["tobytes", "tostring", "encode", "SerializeToString", "as_bytes"])


def find(module):
    """Finds lists of bytes whose elements may be text."""
    for call, dotted in module.calls:
        if not dotted.endswith(".BytesList"):
            continue
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg != "value" or _sure(module, value):
                continue
            message = "BytesList takes bytes; a str of Python 2 is text now, and becomes UTF-8"
            start = module.start(keyword) + len("value")
            start += module.text[start:].index("=") + 1
            end = module.end(keyword)
            edits = [Edit(start, start, "tfq_runtime.bytes_list("), Edit(end, end, ")")]
            yield module.finding(value, message, edits, needs=("bytes_list",))


def _sure(module, value):
    """Whether a value is seen to be a list of bytes already, or was repaired."""
    if isinstance(value, ast.Call):
        return module.source(value.func).endswith("bytes_list")
    if not isinstance(value, ast.List | ast.Tuple):
        return False
    return all(
        (isinstance(item, ast.Constant) and isinstance(item.value, bytes))
        or (isinstance(item, ast.Call) and module.source(item.func).rpartition(".")[2] in _BYTES)
        for item in value.elts
    )
