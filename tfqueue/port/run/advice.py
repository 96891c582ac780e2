"""What a failure of a program has to do with its translation, in one sentence for the user."""

from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import NamedTuple

from tfqueue.names.sentence import GoneError
from tfqueue.port.program import refusals
from tfqueue.port.program.folders import is_library
from tfqueue.port.rules import engine
from tfqueue.port.rules.libraries import std_moved
from tfqueue.port.source.files import install_folder

_ARCHIVES = (".gz", ".tgz", ".tar", ".zip", ".bz2")


def sentence(
    files: dict[str, engine.Translation],
    error: BaseException,
    also: frozenset[str] = frozenset(),
) -> str | None:
    """The sentence that explains an exception of a translated program, or None.

    Args:
        files: What was translated, by the file that tracebacks name.
        also: Installed packages that were translated, too.
    """
    if isinstance(error, GoneError):
        return None  # its message says what to use
    if type(error).__name__ == "URLError":
        return _download(error)
    places = [(frame.f_code.co_filename, line) for frame, line in _frames(error)]
    for path, translation in files.items():
        for found in translation.findings:
            if (path, found.line) in places and refusals.foretold(found, error):
                return f"{os.path.relpath(path)}:{found.line}: {found.message}"
    for part in (
        _division,
        _list,
        _iterator,
        _text,
        _order,
        _former,
        _read_only,
        _out_of_range,
        _keras,
        _brought,
    ):
        if said := part(files, places, error):
            return said
    return _library(error, also)


_FLOAT = re.compile(r"\bfloat\b|numpy\.float64")  # no dtype=float32


def _division(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """A float where a whole number is wanted, in a program that nothing shows to be Python 2."""
    if not isinstance(error, TypeError) or not _FLOAT.search(str(error)):
        return None
    found = [(path, each) for path in _perhaps_python2(files) for each in _divisions(files[path])]
    spans = [
        (path, node.lineno, node.end_lineno or node.lineno)
        for path in _perhaps_python2(files)
        for node in files[path].module.nodes[ast.FunctionDef]
        if any(path == file and node.lineno <= line <= node.end_lineno for file, line in places)
    ]
    # the line itself, then a function that the error passes, then what is halved elsewhere
    for near in (
        [(path, node) for path, node in found if (path, node.lineno) in places],
        [
            (path, node)
            for path, node in found
            if any(path == file and low <= node.lineno <= high for file, low, high in spans)
        ],
        [(path, node) for path, node in found if _by_a_whole_number(node)],
    ):
        for path, node in near[:1]:
            return (
                f"{os.path.relpath(path)}:{node.lineno}: nothing tells whether this is Python "
                "2, where `/` divides whole numbers: run with --python 2 if it is"
            )
    return None


def _divisions(translation: engine.Translation) -> Iterator[ast.BinOp | ast.AugAssign]:
    """The places where a file divides, but not by a float that it writes out."""
    nodes = translation.module.nodes
    for node in (*nodes[ast.BinOp], *nodes[ast.AugAssign]):
        if isinstance(node.op, ast.Div) and not any(
            isinstance(each, ast.Constant) and isinstance(each.value, float)
            for each in ast.iter_child_nodes(node)
        ):
            yield node


def _by_a_whole_number(node: ast.BinOp | ast.AugAssign) -> bool:
    by = node.right if isinstance(node, ast.BinOp) else node.value
    return isinstance(by, ast.Constant) and isinstance(by.value, int)


_LAZY = r"(?:map|filter|zip|range|dict_\w+|\w+View)"
_NO_LIST = re.compile(
    rf"'{_LAZY}' (?:object|and)|and '{_LAZY}'|\(not \"?{_LAZY}\"?\) to list|[Oo]f type '?{_LAZY}\b"
    rf"|, not '?{_LAZY}\b|<(?:map|filter|zip) object at|<class '{_LAZY}'>"
)
# numpy's words, which name no type, where it was given what is no list
_NO_SEQUENCE = re.compile(
    r"setting an array element with a sequence|len\(\) of unsized object"
    r"|first input argument needs to be a sequence"
)


def _list(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """A `map` or `keys()` that is used as a list, in a program that nothing proves to be Python 3."""
    if not isinstance(error, TypeError | AttributeError | ValueError):
        return None
    unnamed = _NO_SEQUENCE.search(str(error)) and any(
        re.search(r"\b(?:map|filter|zip)\(", each.original) for each in files.values()
    )
    if not unnamed and not _NO_LIST.search(str(error)):
        return None
    return _in_one_of(
        _perhaps_python2(files),
        places,
        "nothing tells whether this is Python 2, where map, range, keys and their kin give lists: run "
        "with --python 2 if it is",
    )


def _iterator(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """An iterator that is asked for `next()`, in a program that nothing proves to be Python 3."""
    if not isinstance(error, AttributeError) or error.name != "next":
        return None
    if not isinstance(error.obj, Iterator):
        return None
    return _in_one_of(
        _perhaps_python2(files),
        places,
        "nothing tells whether this is Python 2, where an iterator has next(): run with --python 2 "
        "if it is",
    )


def _perhaps_python2(files: dict[str, engine.Translation]) -> Iterator[str]:
    """The files that nothing proves to be Python 3, which they run as."""
    for path, each in files.items():
        if each.written_for.guessed and not each.module.python2:
            yield path


_OF_BYTES = re.compile(
    r"'str' object has no attribute 'decode'|a bytes-like object is required, not 'str'"
    r"|cannot use a (?:string pattern on a bytes|bytes pattern on a string)-like object"
    r"|can't concat str to bytes|can only concatenate str \(not \"bytes\"\) to str"
    r"|first arg must be (?:bytes|str) or a tuple of"
    r"|expected (?:str instance, (?:bytes|ByteString)|a bytes-like object, str) found"
    r"|argument must be str, not bytes|argument should be integer or bytes-like object, not 'str'"
)


def _text(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """Text that is decoded, or bytes that are none, in a program that nothing proves to be Python 3."""
    read = isinstance(error, UnicodeDecodeError)  # a picture that is opened as text, say
    of_bytes = isinstance(error, TypeError | AttributeError) and _OF_BYTES.search(str(error))
    if not read and not of_bytes:
        return None
    return _in_one_of(
        _perhaps_python2(files),
        places,
        "nothing tells whether this is Python 2, where text is bytes: run with --python 2 if it is",
    )


_BUILTIN = r"'(?:NoneType|bool|complex|dict|float|int|list|str|tuple)'"
_UNORDERED = re.compile(rf"not supported between instances of {_BUILTIN} and {_BUILTIN}")


def _order(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """A comparison of unlike things, in a program that nothing proves to be Python 3."""
    if not isinstance(error, TypeError) or not _UNORDERED.search(str(error)):
        return None
    return _in_one_of(
        _perhaps_python2(files),
        places,
        "nothing tells whether this is Python 2, which orders any two things: run with --python 2 if it is",
    )


def _in_one_of(paths: Iterable[str], places: list[tuple[str, int]], advice: str) -> str | None:
    """Advice with the innermost place of a traceback that is in one of some files, or None."""
    known = frozenset(paths)
    for file, line in reversed(places):
        if file in known:
            return f"{os.path.relpath(file)}:{line}: {advice}"
    return None


class _Former(NamedTuple):
    """What an older TensorFlow did in another way, by the error that a program from then ends in."""

    error: type[BaseException] | tuple[type[BaseException], ...]
    says: re.Pattern[str]
    """What the error says."""
    uses: re.Pattern[str]
    """What the program's text holds."""
    since: tuple[int, int]
    """The first release that did it as today's does."""
    advice: str


_FORMER = [
    _Former(
        AttributeError,
        re.compile(r"'(?:tuple|LSTMStateTuple)' object has no attribute '(?:get_)?shape'"),
        re.compile("LSTM|MultiRNN"),
        (0, 11),
        "up to TensorFlow 0.10 the state of LSTM cells was one tensor: run with --era 0.10 if it is "
        "from then",
    ),
    # its size, which was a number
    _Former(
        (TypeError, ValueError),
        re.compile(
            "setting an array element with a sequence|Shapes must be equal rank, but are 0 and [12]|"
            "Dimension value must be integer.*(?:LSTMStateTuple|got value '\\()|"
            "'(?:tuple|LSTMStateTuple)' object cannot be interpreted as an integer"
        ),
        re.compile(r"(?s)(?:LSTM|MultiRNN).*\bstate_size\b"),
        (0, 11),
        "up to TensorFlow 0.10 the state of LSTM cells was one tensor, and its size a number: run with "
        "--era 0.10 if it is from then",
    ),
    # `tf.layers.dense` behind a product with a tensor of unknown rank
    _Former(
        ValueError,
        re.compile("last dimension of the inputs to a? ?`?Dense`?"),
        re.compile(r"\bmatmul\b"),
        (1, 14),
        "up to TensorFlow 1.13 a product with a tensor of unknown rank had the shape of the other one: run with "
        "--era 1.13 if it is from then",
    ),
    # a cell that is called in a second scope has the variables of the first
    _Former(
        ValueError,
        re.compile("Trying to share variable"),
        re.compile(r"(?:RNN|LSTM|GRU)Cell\b"),
        (1, 1),
        "up to TensorFlow 1.0 a cell that was called in two scopes had variables in each: run with "
        "--era 1.0 if it is from then",
    ),
]


def _former(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """What TensorFlow did in another way, in a program that may be from then."""
    for row in _FORMER:
        if isinstance(error, row.error) and row.says.search(str(error)):
            if any(row.uses.search(each.original) for each in files.values()):
                old = (path for path, each in files.items() if each.module.era.low < row.since)
                return _in_one_of(old, places, row.advice)
    return None


def _read_only(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """An array of pandas 3, which can't be written, as it could up to pandas 2."""
    pandas = sys.modules.get("pandas")
    if not isinstance(error, ValueError) or "read-only" not in str(error) or pandas is None:
        return None
    if int(pandas.__version__.partition(".")[0]) < 3:
        return None
    return _in_one_of(
        files,
        places,
        "an array that pandas 3 gives can't be written. If this one is from pandas: "
        "pip install 'pandas<3'",
    )


_OUT_OF_RANGE = re.compile(r"Python integer (-?\d+) out of bounds for (u?)int(\d+)")


def _out_of_range(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """A number of Python's that an array's type has no room for, which numpy 1 took."""
    found = _OUT_OF_RANGE.search(str(error)) if isinstance(error, OverflowError) else None
    if found is None:
        return None
    number, bits = int(found[1]), int(found[3])
    rest = number % 2**bits
    if not found[2] and rest >= 2 ** (bits - 1):
        rest -= 2**bits
    return _in_one_of(
        files,
        places,
        f"numpy 1 wrote {rest} where {number} has no room, and widened an array that it computed with: "
        f"write {rest}, or compute with .astype(np.int64)",
    )


_BROUGHT = frozenset(
    "astor bleach html5lib keras_applications keras_preprocessing markdown mock tensorboard werkzeug".split()
)
"""What pip installed with a TensorFlow between 0.12 and 1.15, and installs with 2.21 no longer."""


def _brought(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """A package that came with TensorFlow 1."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    package = (error.name or "").partition(".")[0]
    if package not in _BROUGHT or package in sys.modules:
        return None
    return _in_one_of(
        files,
        places,
        f"{package} was installed with TensorFlow 1, and is not with today's: pip install {package}",
    )


_OF_KERAS = re.compile(r"\bkeras[.'_]")
_OF_TWO = re.compile(
    r"\btf\.function\b|\bGradientTape\b|\benable_v2_|\.distribute\b|\.random\.set_seed\b"
)


def _keras(
    files: dict[str, engine.Translation], places: list[tuple[str, int]], error: BaseException
) -> str | None:
    """What Keras 3 refuses, in a program that shows a later Keras than 2.2."""
    if any(each.written_for.era.is_taken_for_1 for each in files.values()):
        return None
    if any(each.written_for.era.two and _OF_TWO.search(each.original) for each in files.values()):
        return None
    folders = [(install_folder(file), file) for file, _ in places]
    inside = any(folder and _below(file, folder) == "keras" for folder, file in folders)
    inside = inside or bool(_OF_KERAS.search(str(error))) or _made_of_keras(error)
    if not isinstance(error, _OLD_USE) or not inside:
        return None
    return _in_one_of(
        (path for path, each in files.items() if "keras" in each.original),
        places,
        "this is Keras 3. A program for Keras 1 or 2 on TensorFlow 1: run with --era 1.15",
    )


def _made_of_keras(error: BaseException) -> bool:
    """Whether a class of keras refuses its arguments, which leaves no frame of keras: the call is in the program."""
    made, keras = re.match(r"(\w+)\.__init__\(\) ", str(error)), sys.modules.get("keras")
    if made is None or keras is None:
        return False
    homes = [getattr(keras, home) for home in ("layers", "optimizers", "callbacks", "models")]
    kinds = [getattr(home, made[1], None) for home in homes]
    for frame, _ in _frames(error):
        kinds = [frame.f_globals.get(made[1], kind) for kind in kinds]
    return any(f"{getattr(kind, '__module__', '')}.".startswith("keras.") for kind in kinds)


def _below(file: str, folder: str) -> str:
    """The package of a file in a folder of packages."""
    return os.path.relpath(os.path.realpath(file), folder).split(os.sep)[0].removesuffix(".py")


# What the use of something old ends in: a name or an argument that is gone, a syntax, a refused tensor.
_OLD_USE = (ImportError, AttributeError, NameError, TypeError, ValueError, SyntaxError)
_IMPORT = re.compile(rb"^\s*(?:import|from)\s+(?:tensorflow|keras)\b", re.MULTILINE)
# These run on TensorFlow 2: translated, they would not be other programs.
_NEVER = ("tensorflow", "tfqueue", "keras", "tf_keras", "tf_slim", "numpy", "google", "absl")


def _library(error: BaseException, also: frozenset[str]) -> str | None:
    """An error of an installed package, which was not translated, in its use of something old."""
    if not isinstance(error, _OLD_USE):
        return None
    names = [frame.f_code.co_filename for frame, _ in _frames(error)]
    if isinstance(error, SyntaxError) and error.filename:
        names.append(error.filename)
    for name in reversed(names):
        folder = install_folder(name)
        if folder is None:
            if os.path.isfile(name) and not is_library(name):
                return None  # the program's own code, which the package calls
            continue
        package = _below(name, folder)
        if package in _NEVER or package in also:
            continue
        old = (
            isinstance(error, SyntaxError)
            or _is_numpys(error)
            or _is_protobufs(error)
            or _is_of_the_standard_library(error)
        )
        if old or _uses_tensorflow(name):
            return (
                f"{package} is an installed package and was not translated; "
                f"--also {package} translates it"
            )
        return None
    return None


def _is_protobufs(error: BaseException) -> bool:
    """Whether protobuf refuses a `_pb2.py` of a protoc before 3.20, which is translated, too."""
    return str(error).startswith("Descriptors cannot be created directly")


def _is_numpys(error: BaseException) -> bool:
    """Whether a name is wanted that numpy has given up."""
    frames = [frame for frame, _ in _frames(error)]
    asked = frames and frames[-1].f_code.co_name == "__getattr__"
    return bool(asked and frames[-1].f_globals.get("__name__") == "numpy")


_MOVED = re.compile(
    r"cannot import name '(\w+)' from '([\w.]+)'|module '([\w.]+)' has no attribute '(\w+)'"
    r"|No module named '([\w.]+)'"
)


def _is_of_the_standard_library(error: BaseException) -> bool:
    """Whether a name is wanted that the standard library moved, and that is found when translated."""
    found = _MOVED.match(str(error))
    if found is None:
        return False
    name, home, module, attribute, gone = found.groups()
    asked = gone or (f"{home}.{name}" if name else f"{module}.{attribute}")
    return any(old == asked or old.startswith(f"{asked}.") for old in std_moved.MOVED)


def _uses_tensorflow(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _IMPORT.search(file.read()) is not None
    except OSError:
        return False


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """The frames of a traceback, outermost first, each with its line."""
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _download(error: BaseException) -> str | None:
    """What a program wanted to fetch, and where to put it so that it need not."""
    for frame, _ in _frames(error):
        # the two functions of urllib.request, by their parameters
        if frame.f_code.co_name in ("urlretrieve", "urlopen") and "url" in frame.f_locals:
            url, target = frame.f_locals["url"], frame.f_locals.get("filename")
            folder, name = os.path.split(str(target))
            if folder == tempfile.gettempdir() and name.startswith(tempfile.gettempprefix()):
                target = None  # another name each time, from which the program copies it
            where = f"put it at {os.path.abspath(target)}" if target else "put it where it looks"
            if target and str(target).endswith(_ARCHIVES):
                where += ", and unpack it there"  # many do so only after the download
            url = getattr(url, "full_url", url)
            return f"the program downloads {url}, which can't be reached from here: {where}"
    return None
