"""What in a module shows which Python it was written for."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from tfqueue.port.program import reach
from tfqueue.port.program.module import GFILES, OF_ALL, Module, argument, caught
from tfqueue.port.source.files import declares_encoding

# Names that only Python 2 has.
_NAMES = frozenset(
    [
        *("xrange", "unicode", "raw_input", "basestring", "unichr", "reload", "execfile", "long"),
        *("StandardError", "file", "cmp", "apply", "reduce", "coerce", "intern", "buffer"),
    ]
)
# these are names that one's own variables have, too, and that are only read when called
_CALLED = frozenset(["file", "cmp", "apply", "reduce", "coerce", "intern", "buffer", "long"])
_METHODS = frozenset(["iteritems", "itervalues", "iterkeys", "has_key"])
# what gives a list in Python 2, and cannot be indexed in Python 3
_VIEWS = {name: f".{name}() as a list" for name in ("keys", "values", "items")}
MODULES = frozenset(
    [
        *("cPickle", "cStringIO", "StringIO", "urllib2", "urlparse", "ConfigParser", "Queue"),
        *("commands", "Tkinter", "httplib", "HTMLParser", "cookielib", "xmlrpclib", "anydbm"),
        *("__builtin__", "copy_reg", "exceptions", "thread", "SocketServer", "BaseHTTPServer"),
        *("SimpleHTTPServer", "md5", "sets"),
    ]
)
_ONLY = {
    "sys": frozenset(["maxint", "setdefaultencoding"]),
    "string": frozenset(["letters", "lowercase", "uppercase", "maketrans", "join", "atoi"]),
    "itertools": frozenset(["izip", "imap", "ifilter", "izip_longest", "ifilterfalse"]),
    "urllib": frozenset(
        [
            *("urlopen", "urlretrieve", "urlencode", "quote", "unquote", "quote_plus"),
            "unquote_plus",
        ]
    ),
    "os": frozenset(["getcwdu"]),
    "dict": frozenset(),
}
# what Python 2 has under no name, and no package of its day brings under this one
_PYTHON3 = frozenset(
    [
        *("urllib.request", "urllib.parse", "urllib.error", "collections.abc", "asyncio"),
        *("functools.lru_cache", "itertools.accumulate", "shutil.which"),
        *("time.perf_counter", "subprocess.run"),
    ]
)
_KEYWORDS3 = {"open": ("encoding", "errors", "newline"), "print": ("flush",)}
COMMA = "a comma behind print()"
"""It ended a print statement that went on in the same line; Python 3 makes a tuple, which does nothing."""
_SHEBANG = re.compile(r"#!.*\bpython([23])[.\d]*(?=\s|$)")
_MEANT = re.compile(r"# ?(?:/\w+)+/(?:env )?python(2)[.\d]*\s*$")
"""A first line without its `!`, or below the line of the encoding: no shell reads it, but it says who wrote it."""
_OF_LISTS = frozenset(["append", "count", "extend", "index", "insert", "pop", "remove", "sort"])
_PICKLES = {
    name: frozenset(f"{home}.{name}" for home in ("pickle", "cPickle", "six.moves.cPickle"))
    for name in ("load", "dump")
}
_VERSION = re.compile(
    r"\bversion_info\b|\bsys\.version\b|\bhasattr\(|\bPY(?:THON)?_?[23]\w*|python_version|\bpy[23]\b"
)
# where TensorFlow and numpy take a shape: the position of the argument
_SHAPES = {
    **{f"tensorflow.{name}": 0 for name in ("zeros", "ones", "random_normal", "random_uniform")},
    "tensorflow.truncated_normal": 0,
    "tensorflow.pad": 1,
    "tensorflow.reshape": 1,
    "tensorflow.placeholder": 1,
    **{f"numpy.{name}": 0 for name in ("zeros", "ones", "empty")},
}


def of_python2(module: Module) -> list[tuple[str, int]]:
    """Returns what a module that Python 3 can parse has of Python 2 only: (what, line).

    A name that stands behind a test for the version, or is the program's own, shows nothing.

    >>> of_python2(Module("for i in xrange(3):\\n  pass\\n"))
    [('xrange', 1)]
    >>> of_python2(Module("sizes = map(int, text)\\nfor i in range(len(sizes)):\\n  pass\\n"))
    [('map() as a list', 2)]
    >>> of_python2(Module("x = d.iteritems() if hasattr(d, 'iteritems') else d.items()\\n"))
    []
    """
    return _in_order(_of_python2(module) + _whole_attributes(module))


def run_by_python2(module: Module, *, as_program: bool) -> list[tuple[str, int]]:
    """Those signs of `of_python2` that Python 3 meets whenever the module runs, and ends at.

    Args:
        as_program: Whether it is the program itself, and not imported.

    >>> text = "def f():\\n  return xrange(3)\\ndef g():\\n  return unicode(3)\\nf()\\n"
    >>> run_by_python2(Module(text), as_program=False)
    [('xrange', 2)]
    """
    signs = [
        (what, node)
        for what, node in _of_python2(module)
        # some objects of Python 3 give lists
        if what not in (*_VIEWS.values(), COMMA)
        and not any(f" in {dotted}" in what for dotted in _whole_by_chance(module))
    ]
    return _reached(module, signs, as_program)


def _reached(
    module: Module, signs: list[tuple[str, ast.AST]], as_program: bool
) -> list[tuple[str, int]]:
    """Those signs that are met whenever the module runs."""
    reached = reach.nodes(module, as_program=as_program) if signs else ()
    return _in_order([(what, node) for what, node in signs if node in reached])


def _whole_by_chance(module: Module) -> set[str]:
    """How a module names the functions of TensorFlow 1 that took 2.0 for 2 in a shape."""
    return {
        ast.unparse(reference)
        for reference, dotted in module.references
        if dotted in _SHAPES and dotted.startswith("tensorflow.")
    }


def met_by_python3(module: Module) -> list[tuple[str, int]]:
    """Returns what Python 2 can parse but not run: names that it lacks, arguments that it does not take.

    What stands in a `try`, or behind a test for the version, shows nothing.

    >>> met_by_python3(Module("with open(path, encoding='utf-8') as file:\\n  pass\\n"))
    [('open(encoding=)', 1)]
    """
    return _in_order(_met_by_python3(module))


def run_by_python3(module: Module, *, as_program: bool) -> list[tuple[str, int]]:
    """Those signs of `met_by_python3` that Python 2 meets whenever the module runs, and ends at.

    Args:
        as_program: Whether it is the program itself, and not imported.

    >>> text = "def f():\\n  print(1, flush=True)\\nimport asyncio\\n"
    >>> run_by_python3(Module(text), as_program=False)
    [('asyncio', 3)]
    """
    return _reached(module, _met_by_python3(module), as_program)


def _met_by_python3(module: Module) -> list[tuple[str, ast.AST]]:
    found: list[tuple[str, ast.AST]] = [
        (dotted, reference) for reference, dotted in module.references if dotted in _PYTHON3
    ]
    starred = _star_imports(module)  # that may bring another `open`
    for node in module.nodes[ast.Import]:
        found += ((alias.name, node) for alias in node.names if alias.name in _PYTHON3)
    for node in module.nodes[ast.ImportFrom]:
        names = (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        found += ((str(name), node) for name in names if name in _PYTHON3 and not node.level)
    for name, keywords in _KEYWORDS3.items():
        found += (
            (f"{name}({word.arg}=)", call)
            for call in module.nodes[ast.Call]
            for word in call.keywords
            if word.arg in keywords and module.is_builtin(call.func, name) and not starred
        )
    found += (
        ("os.makedirs(exist_ok=)", call)
        for call, dotted in module.calls
        if dotted == "os.makedirs" and any(word.arg == "exist_ok" for word in call.keywords)
    )
    return [(what, node) for what, node in found if not _provided_for(module, node)]


def shebang(text: str, python: int) -> list[tuple[str, int]]:
    """The first line of a program, where it says that this Python runs it.

    >>> shebang("#!/usr/bin/env python2.7\\n", 2)
    [('#!/usr/bin/env python2.7', 1)]
    >>> shebang("# coding: utf-8\\n#/usr/bin/python2\\n", 2)
    [('#/usr/bin/python2', 2)]
    """
    for number, line in enumerate(text.split("\n", 3)[:3], 1):
        if said := (_SHEBANG.match(line) if number == 1 else None) or _MEANT.match(line):
            return [(said[0].strip(), number)] if said[1] == str(python) else []
        if line.strip() and not line.startswith("#"):
            break
    return []


def _in_order(found: list[tuple[str, ast.AST]]) -> list[tuple[str, int]]:
    return sorted(
        {(what, getattr(node, "lineno", 0)) for what, node in found},
        key=lambda sign: (sign[1], sign[0]),
    )


def _of_python2(module: Module) -> list[tuple[str, ast.AST]]:
    found: list[tuple[str, ast.AST]] = [*_statements(module)]
    pandas = "pandas" in module.packages
    own = module.bound | {
        node.id for node in module.nodes[ast.Name] if isinstance(node.ctx, ast.Store)
    }
    for node in module.nodes[ast.Name]:
        user = module.parents[node]
        called = node.id not in _CALLED or (isinstance(user, ast.Call) and user.func is node)
        if node.id in _NAMES and called and module.is_builtin(node, node.id):
            if not _star_imports(module) or node.id in ("xrange", "unicode", "raw_input"):
                found.append((node.id, node))
    for attribute in module.nodes[ast.Attribute]:
        call = module.parents[attribute]
        called = isinstance(call, ast.Call) and call.func is attribute
        if attribute.attr in _METHODS and called:
            if (
                attribute.attr not in own
                and module.dotted(attribute) is None
                and not (pandas and attribute.attr == "iteritems")
            ):
                found.append((f".{attribute.attr}()", attribute))
        if attribute.attr in _VIEWS and isinstance(call, ast.Call) and called:
            if not (call.args or pandas or attribute.attr in own):
                places = [one for one in _held_at(module, call) if _is_a_list(module, one)]
                found += ((_VIEWS[attribute.attr], place) for place in places)
    for reference, dotted in module.references:
        head, _, name = dotted.partition(".")
        if name in _ONLY.get(head, ()) and module.imported.get(head) == head:
            found.append((dotted, reference))
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name in MODULES and not names_file_of(module, alias.name):
                found.append((f"import {alias.name}", node))
    for node in module.nodes[ast.ImportFrom]:
        if node.level:
            continue
        if node.module in MODULES and not names_file_of(module, node.module):
            found.append((f"from {node.module} import", node))
        for alias in node.names:
            if alias.name in _ONLY.get(node.module, ()):
                found.append((f"{node.module}.{alias.name}", node))
    found += _whole_numbers(module)
    found += _lists(module)
    found += _pickles(module)
    found += _decoded(module)
    return [(what, node) for what, node in found if not _provided_for(module, node)]


def names_file_of(module: Module, name: str) -> bool:
    """Whether a program names the file of a module, which it may write before it imports it.

    >>> names_file_of(Module("f = open(os.path.join(d, 'commands.py'), 'w')\\n"), "commands")
    True
    """
    return any(
        isinstance(node.value, str) and re.split(r"[/\\\\]", node.value)[-1] == f"{name}.py"
        for node in module.nodes[ast.Constant]
    )


def _star_imports(module: Module) -> bool:
    return any(alias.name == "*" for node in module.nodes[ast.ImportFrom] for alias in node.names)


_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)


def _provided_for(module: Module, node: ast.AST) -> bool:
    """Whether the program handles the other Python at a node: by a version test or a `try`."""
    if module.guarded(node):
        return True
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.Try) and child in parent.body and len(parent.body) == 1:
            # `try: return unicode(x)` and `except Exception: return str(x)`
            if isinstance(child, _SIMPLE) and caught(parent) & OF_ALL:
                return True
        if isinstance(parent, ast.BoolOp) and _asks_for_text(parent, child):
            return True  # `type(x) == str or type(x) == unicode`: Python 3 may never get there
        child = parent
        if isinstance(parent, ast.If | ast.IfExp) and _VERSION.search(ast.unparse(parent.test)):
            return True
        if isinstance(parent, ast.BoolOp) and _VERSION.search(ast.unparse(parent)):
            return True
        if isinstance(parent, ast.FunctionDef):
            tests = (n.test for n in ast.walk(parent) if isinstance(n, ast.If | ast.IfExp))
            return any(_VERSION.search(ast.unparse(test)) for test in tests)
    return False


def _asks_for_text(test: ast.BoolOp, part: ast.AST) -> bool:
    """Whether a part of a test before another one asks for `str`."""
    before = itertools.takewhile(lambda one: one is not part, test.values)
    return any(getattr(inner, "id", "") == "str" for one in before for inner in ast.walk(one))


def print_statements(module: Module) -> list[ast.Expr]:
    """The statements that are Python 2's print though Python 3 takes them for something else.

    `print`, `print >>file, x`, `print ("%d") % x`, `print (a) == b`.
    """
    return [node for node in module.nodes[ast.Expr] if _print_statement(module, node)]


def _statements(module: Module) -> list[tuple[str, ast.Expr]]:
    if "print" not in module.words or module.has_future("print_function"):
        return []
    return [
        (COMMA if _ends_in_comma(node) else "the print statement", node)
        for node in print_statements(module)
    ]


def _ends_in_comma(statement: ast.Expr) -> bool:
    """Whether a statement is `print(x),`, which Python 3 runs as `print(x)`."""
    value = statement.value
    return (
        isinstance(value, ast.Tuple)
        and len(value.elts) == 1
        and isinstance(value.elts[0], ast.Call)
    )


def of_several(module: Module) -> list[tuple[str, int]]:
    """The calls `print(a, b)`, which show a tuple in Python 2.

    >>> of_several(Module("print('a:', 1)\\nprint('b')\\n"))
    [('print(a, b)', 1)]
    """
    if "print" not in module.words or module.has_future("print_function"):
        return []
    return [
        ("print(a, b)", call.lineno)
        for call in module.nodes[ast.Call]
        if len(call.args) > 1 and module.is_builtin(call.func, "print")
    ]


def _print_statement(module: Module, statement: ast.Expr) -> bool:
    value = statement.value
    while True:
        if isinstance(value, ast.Tuple) and value.elts:
            value = value.elts[0]
        elif isinstance(value, ast.BinOp | ast.Compare):
            value = value.left
        elif isinstance(value, ast.BoolOp):
            value = value.values[0]
        elif isinstance(value, ast.IfExp):
            value = value.body
        elif isinstance(value, ast.Attribute | ast.Subscript):
            value = value.value
        elif isinstance(value, ast.Call) and not isinstance(value.func, ast.Name):
            value = value.func
        else:
            break
    if isinstance(value, ast.Call):
        # `print(a), b` can be a slip in Python 3
        plain = statement.value is value or isinstance(statement.value, ast.IfExp)
        if isinstance(statement.value, ast.IfExp):
            # `print(a) if b else print(c)` is Python 3
            plain = any(
                isinstance(n, ast.Call) and module.is_builtin(n.func, "print")
                for n in ast.walk(statement.value.orelse)
            )
        if isinstance(statement.value, ast.BoolOp):
            plain = len(_prints(statement.value)) > 1
        return not plain and module.is_builtin(value.func, "print") and not value.keywords
    return module.is_builtin(value, "print") and not isinstance(statement.value, ast.Attribute)


def _prints(node: ast.AST) -> list[ast.AST]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == "print"]


def _whole_numbers(module: Module) -> list[tuple[str, ast.AST]]:
    """Divisions whose result must be a whole number, which they are in Python 2 only."""
    if module.has_future("division"):
        return []
    found: list[tuple[str, ast.AST]] = []
    for node in module.nodes[ast.BinOp]:
        if not isinstance(node.op, ast.Div) or not _of_whole_numbers(node):
            continue
        outermost, where = _needed_whole(module, node)
        if where is None and isinstance(module.parents[outermost], ast.Assign):
            # what any number would do for shows nothing; these two take no other
            for place in _held_at(module, outermost):
                where = _needed_whole(module, place)[1]
                if where in ("in range()", "times a list"):
                    found.append((f"`{ast.unparse(node)}` {where}", place))
                    break
        elif where is not None and (where == "in range()" or _of_names(node)):
            found.append((f"`{ast.unparse(node)}` {where}", node))
    return found


def _whole_attributes(module: Module) -> list[tuple[str, ast.AST]]:
    """Quotients that `self` keeps, and that a method takes for a whole number; a subclass may set another."""
    if module.has_future("division"):
        return []
    kept = [one for one in module.nodes[ast.Attribute] if getattr(one.value, "id", "") == "self"]
    stores: dict[str, list[ast.Attribute]] = {}
    for one in kept:
        if isinstance(one.ctx, ast.Store):
            stores.setdefault(one.attr, []).append(one)
    found: list[tuple[str, ast.AST]] = []
    for use in kept:
        if not isinstance(use.ctx, ast.Load) or len(stores.get(use.attr, ())) != 1:
            continue
        given = module.parents[stores[use.attr][0]]
        if not isinstance(given, ast.Assign) or not _is_quotient(given.value):
            continue
        where = _needed_whole(module, use)[1]
        if where in ("in range()", "times a list") and not _provided_for(module, use):
            found.append((f"`{ast.unparse(given.value)}` {where}", use))
    return found


def _is_quotient(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div) and _of_whole_numbers(value)
    )


def _needed_whole(module: Module, value: ast.expr) -> tuple[ast.expr, str | None]:
    """What is computed of a value and whole numbers, and where that must be a whole number, if it must."""
    child, listed = value, False
    for parent in module.ancestors(value):
        if isinstance(parent, ast.List | ast.Tuple):
            listed = True
        elif isinstance(parent, ast.Slice):
            return child, "in a slice"
        elif isinstance(parent, ast.Call):
            name = ast.unparse(parent.func)
            at = _SHAPES.get(module.dotted(parent.func) or "")
            shaped = at is not None and at < len(parent.args) and parent.args[at] is child
            ranged = name in ("range", "xrange") and child in parent.args
            return child, f"in {name}()" if ranged or (shaped and listed) else None
        elif isinstance(parent, ast.BinOp) and _is_repeated(parent):
            return child, "times a list"
        elif not isinstance(parent, ast.BinOp | ast.UnaryOp) or not _of_whole_numbers(parent):
            break
        child = parent
    return child, None


def _is_repeated(product: ast.BinOp) -> bool:
    return isinstance(product.op, ast.Mult) and any(
        isinstance(side, ast.List | ast.ListComp) for side in (product.left, product.right)
    )


def _lists(module: Module) -> list[tuple[str, ast.AST]]:
    """Where what `map`, `filter`, `zip` or `range` gives is used as a list, which it is in Python 2 only."""
    found: list[tuple[str, ast.AST]] = []
    for call in module.nodes[ast.Call]:
        kinds = ("map", "filter", "zip", "range")
        name = next((n for n in kinds if module.is_builtin(call.func, n)), None)
        if name is not None:
            found += (
                (f"{name}() as a list", place)
                for place in _held_at(module, call)
                if _is_a_list(module, place, ranged=name == "range")
                or (name != "range" and _is_measured(module, place))
            )
    return found


def _held_at(module: Module, value: ast.expr) -> list[ast.expr]:
    """A value, or where the variable is read that has this value, and no other, there."""
    held = module.parents[value]
    if isinstance(held, ast.Assign) and len(held.targets) == 1 and held.value is value:
        variable = held.targets[0]
        if isinstance(variable, ast.Name):
            if len(module.bindings(variable, variable.id)) == 1:
                return [*module.uses(variable, variable.id)]
            return list(_read_next(module, held, variable.id))
    return [value]


def _read_next(module: Module, held: ast.Assign, name: str) -> Iterator[ast.Name]:
    """Where a variable is read in the statements behind an assignment, up to the one that sets it again."""
    blocks = (v for _, v in ast.iter_fields(module.parents[held]) if isinstance(v, list))
    block = next(one for one in blocks if held in one)
    for statement in block[block.index(held) + 1 :]:
        named = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == name]
        again = any(not isinstance(one.ctx, ast.Load) for one in named)
        if not again or isinstance(statement, ast.Assign):
            yield from (one for one in named if isinstance(one.ctx, ast.Load))
        if again:
            return


def _is_a_list(module: Module, place: ast.expr, *, ranged: bool = False) -> bool:
    """Whether a value is used as only a list can be.

    Args:
        ranged: Whether it is a `range`, which Python 3 measures, indexes and searches, too.
    """
    user = module.parents[place]
    if isinstance(user, ast.Subscript) and user.value is place:
        return not (ranged and isinstance(user.ctx, ast.Load))
    if isinstance(user, ast.Attribute):
        return user.attr in _OF_LISTS and not (ranged and user.attr in ("count", "index"))
    if isinstance(user, ast.BinOp) and isinstance(user.op, ast.Add):
        other = user.right if user.left is place else user.left
        return _gives_a_list(module, other)
    return (
        isinstance(user, ast.Call)
        and place in user.args
        and module.dotted(user.func) in ("numpy.random.shuffle", "random.shuffle")
    )


def _is_measured(module: Module, place: ast.expr) -> bool:
    user = module.parents[place]
    return isinstance(user, ast.Call) and place in user.args and module.is_builtin(user.func, "len")


def _gives_a_list(module: Module, value: ast.expr) -> bool:
    """Whether an expression is a list in Python 2, for sure."""
    if isinstance(value, ast.List | ast.ListComp):
        return True
    if isinstance(value, ast.Name):
        places = [module.parents[one] for one in module.bindings(value, value.id)]
        return bool(places) and all(
            isinstance(one, ast.Assign) and isinstance(one.value, ast.List | ast.ListComp)
            for one in places
        )
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Mult):
        return any(_gives_a_list(module, side) for side in (value.left, value.right))
    listed = ("list", "sorted", "map", "filter", "zip", "range")
    return isinstance(value, ast.Call) and any(
        module.is_builtin(value.func, name) for name in listed
    )


def _pickles(module: Module) -> list[tuple[str, ast.AST]]:
    """Where a pickle is read from, or written to, a file that Python 3 opens as text."""
    found: list[tuple[str, ast.AST]] = []
    for call, dotted in module.calls:
        name = next((each for each in _PICKLES if dotted in _PICKLES[each]), None)
        if name is None or any(isinstance(one, ast.Try) for one in module.ancestors(call)):
            continue
        file = argument(call, {"load": 0, "dump": 1}[name], "file")
        # a gfile takes bytes, whatever its mode; what it gives is text in mode "r"
        if file is not None and _is_of_text(module, file, gfiles=name == "load"):
            found.append((f"pickle.{name} and a file of text", call))
    return found


def _is_of_text(module: Module, file: ast.expr, *, gfiles: bool = False) -> bool:
    """Whether an expression is a file that Python 3 opens as text, by `open` or, if asked, as a gfile."""
    opened: ast.expr | None = file
    if isinstance(file, ast.Name):
        places = module.bindings(file, file.id)
        opened = _opened(module, places[0]) if len(places) == 1 else None
    if not isinstance(opened, ast.Call):
        return False
    if not module.is_builtin(opened.func, "open"):
        if not gfiles or module.dotted(opened.func) not in GFILES:
            return False
    mode = argument(opened, 1, "mode") or ast.Constant("r")
    text = isinstance(mode, ast.Constant) and "b" not in str(mode.value)
    return text and not any(word.arg not in ("name", "mode") for word in opened.keywords)


def _decoded(module: Module) -> list[tuple[str, ast.AST]]:
    """Where what was read from a file that Python 3 opens as text is decoded."""
    found: list[tuple[str, ast.AST]] = []
    for call in module.nodes[ast.Call]:
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr != "decode":
            continue
        if any(isinstance(one, ast.Try) for one in module.ancestors(call)):
            continue
        read = [function.value]
        if isinstance(function.value, ast.Name):
            read = [
                held.iter if isinstance(held, ast.For) else held.value
                for place in module.bindings(function.value, function.value.id)
                if isinstance(held := module.parents[place], ast.For | ast.Assign)
                and place is getattr(held, "target", place)
            ]
        if any(_is_read(module, one) for one in read):
            found.append(("decode() of text that was read", call))
    return found


def _is_read(module: Module, value: ast.expr) -> bool:
    """Whether an expression is a file of text, or what was read from one."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in ("read", "readline", "readlines") and _is_of_text(
            module, value.func.value
        )
    return _is_of_text(module, value)


def _opened(module: Module, place: ast.AST) -> ast.expr | None:
    """What a name is given where it stands, by `=` or by `with`."""
    held = module.parents.get(place)
    if isinstance(held, ast.withitem):
        return held.context_expr
    return held.value if isinstance(held, ast.Assign) and place in held.targets else None


def _of_names(node: ast.AST) -> bool:
    """Whether an expression holds no call but those of `len`."""
    return all(
        getattr(inner.func, "id", "") == "len"
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call)
    )


def _of_whole_numbers(node: ast.AST) -> bool:
    """Whether an expression holds no number that is not whole."""
    return all(
        isinstance(inner.value, int) for inner in ast.walk(node) if isinstance(inner, ast.Constant)
    )


def of_python3(module: Module) -> list[tuple[str, int]]:
    """Returns what Python 2 can't parse, and calls that it does not know: (what, line).

    >>> of_python3(Module("x = f'{y}'\\n"))
    [('an f-string', 1)]
    """
    kinds = {
        ast.JoinedStr: "an f-string",
        ast.AnnAssign: "an annotation",
        ast.Nonlocal: "nonlocal",
        ast.YieldFrom: "yield from",
        ast.AsyncFunctionDef: "async",
        ast.NamedExpr: ":=",
    }
    found = [(what, node.lineno) for kind, what in kinds.items() for node in module.nodes[kind]]
    found += _unpacked(module)
    found += (("@", n.lineno) for n in module.nodes[ast.BinOp] if isinstance(n.op, ast.MatMult))
    for node in module.nodes[ast.arguments]:
        if node.kwonlyargs or node.posonlyargs:
            found.append(
                ("a keyword-only parameter", (node.kwonlyargs + node.posonlyargs)[0].lineno)
            )
    found += (("an annotation", node.lineno) for node in module.nodes[ast.arg] if node.annotation)
    found += (("an annotation", n.lineno) for n in module.nodes[ast.FunctionDef] if n.returns)
    found += (("raise ... from", node.lineno) for node in module.nodes[ast.Raise] if node.cause)
    found += (("a metaclass", n.lineno) for n in module.nodes[ast.ClassDef] if n.keywords)
    found += (
        ("a starred target", node.lineno)
        for node in module.nodes[ast.Starred]
        if not isinstance(module.parents[node], ast.Call)
    )
    found += (
        ("super() without arguments", node.lineno)
        for node in module.nodes[ast.Call]
        if not node.args and not node.keywords and module.is_builtin(node.func, "super")
    )
    if "print_function" not in module.imported:
        found += (
            ("print(..., keyword=)", node.lineno)
            for node in module.nodes[ast.Call]
            if node.keywords and module.is_builtin(node.func, "print")
        )
    return sorted(set(found), key=lambda sign: (sign[1], sign[0]))


def _unpacked(module: Module) -> Iterator[tuple[str, int]]:
    """Where `*` and `**` stand as up to Python 3.4 they could not."""
    for call in module.nodes[ast.Call]:
        stars = [isinstance(one, ast.Starred) for one in call.args]
        if any(stars[:-1]):
            yield "an argument after *", call.lineno
        words = [word.arg for word in call.keywords]
        if None in words[:-1]:
            yield "an argument after **", call.lineno
    for table in module.nodes[ast.Dict]:
        if None in table.keys:
            yield "** in a dict", table.lineno


def undeclared(text: str, path: str) -> list[tuple[str, int]]:
    """Where a file has text that is not ASCII and says no encoding, which Python 2 can't import."""
    if text.isascii() or not path.endswith(".py"):
        return []
    try:
        with open(path, "rb") as file:
            if declares_encoding(file.read(1024)):
                return []
    except OSError:
        return []
    line = next(number for number, one in enumerate(text.split("\n"), 1) if not one.isascii())
    return [("text that is not ASCII, without an encoding", line)]
