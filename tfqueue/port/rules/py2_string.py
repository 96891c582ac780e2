"""`string.letters` and the functions of `string` that are methods since Python 3.

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

WORDS = ("string",)
_NAMES = {
    "string.letters": "ascii_letters",
    "string.lowercase": "ascii_lowercase",
    "string.uppercase": "ascii_uppercase",
}
_METHODS = frozenset(
    [
        "upper",
        "lower",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "replace",
        "find",
        "rfind",
        "count",
        "zfill",
        "ljust",
        "rjust",
    ]
)


def find(module):
    """Finds what left the module `string`."""
    for node, dotted in module.references:
        if dotted in _NAMES and hasattr(node, "attr"):
            new = f"{module.source(node.value)}.{_NAMES[dotted]}"
            yield module.finding(node, f"{dotted} is {_NAMES[dotted]}", [module.replace(node, new)])
    for call, dotted in module.calls:
        head, _, name = dotted.partition(".")
        if head != "string" or not hasattr(call.func, "attr") or call.keywords or not call.args:
            continue
        if name in _METHODS:
            edits = [module.replace(call.func, f"str.{name}")]
        elif name in ("join", "joinfields") and len(call.args) <= 2 and module.is_line(call):
            words = module.source(call.args[0])
            between = module.source(call.args[1]) if len(call.args) == 2 else '" "'
            edits = [module.replace(call, f"({between}).join({words})")]
        elif name in ("atoi", "atof") and len(call.args) == 1:
            edits = [module.replace(call.func, "int" if name == "atoi" else "float")]
        else:
            continue
        yield module.finding(call, f"{dotted} is a method since Python 3", edits)
