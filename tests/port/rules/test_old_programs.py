"""What rules do in programs of which it is known that they are for Python 2, or from whatever day."""

import pytest

from tests.port.rules.test_rules import NAMES
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine

TF = "import tensorflow as tf\n"
NP = "import numpy as np\n"
PANDAS = f"{TF}import pandas as pd\n"


def alone(rule, text, package=None):
    """What one rule makes of a program for Python 2: the lines, without imports of ours."""
    left_out = [name for name in NAMES if name != rule]
    result = engine.translate(
        text,
        "program.py",
        written_for=WrittenFor(python2=True),
        leave_out=left_out,
        package=package,
    )
    lines = result.text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("from tfqueue.port")), result


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b = x.tobytes()\n", "b = tostring(x)\n"),
        ("b = x.tobytes('C')\n", "b = tostring(x, 'C')\n"),
        ("b = x.tobytes(order='F')\n", "b = tostring(x, order='F')\n"),
        ("b = x.tostring()\n", "b = tostring(x)\n"),
        ("b = np.load(p).tostring()\n", "b = tostring(np.load(p))\n"),
        ("b = x.tostring(n), y.tobytes()\n", "b = x.tostring(n), tostring(y)\n"),
        ("tostring = f\nb = x.tobytes()\n", "tostring = f\nb = tfq_tostring(x)\n"),
        ("b = np.frombuffer(x)\n", "b = np.frombuffer(encoded(x))\n"),
        ("b = np.frombuffer(x, 'f', 2)\n", "b = np.frombuffer(encoded(x), 'f', 2)\n"),
        ("b = np.frombuffer()\n", "b = np.frombuffer()\n"),
        ("b = np.fromstring(x, 'f')\n", "b = np.frombuffer(encoded(x), 'f').copy()\n"),
        ("b = np.fromstring()\n", "b = np.frombuffer().copy()\n"),
        ("b = np.fromstring(x, sep=' ')\n", "b = np.fromstring(x, sep=' ')\n"),
        ("b = np.fromstring(x, 'f', 2, ' ')\n", "b = np.fromstring(x, 'f', 2, ' ')\n"),
        ("b = np.fromstring(x, 'f', 2)\n", "b = np.frombuffer(encoded(x), 'f', 2).copy()\n"),
        (
            "b = np.fromstring(x, sep=' ')\nc = np.fromstring(x)\n",
            "b = np.fromstring(x, sep=' ')\nc = np.frombuffer(encoded(x)).copy()\n",
        ),
        ("import Image\nb = Image.tostring()\nb = Image.tobytes()\n", "same"),
        ("b = tobytes(x), tostring(x)\n", "same"),
    ],
)
def test_what_gives_bytes_gives_text(before, after):
    after = before if after == "same" else after
    assert alone("np-bytes", NP + before)[0] == NP + after


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("x = df.append(y)", "append"),
        ("x = df.drop('a', 1)", "drop"),
        ("x = df.fillna(method='ffill')", "fillna"),
        ("df.to_csv(p, line_terminator='n', header=False)", "to_csv"),
        ("df.to_csv(p, index=False)", "to_csv"),
        ("df['a'].to_csv(p)", "to_csv"),
        ("x = pd.to_datetime(y, infer_datetime_format=True)", "to_datetime"),
        *((f"x = df.{name}()", name) for name in ("mean", "std", "median", "var")),
        ("x = pd.date_range(a, b)", "date_range"),
        ("x = df.resample('M')", "resample"),
        ("x = df.applymap(f)", "applymap"),
        ("x = pd.get_dummies(y)", "get_dummies"),
        ("x = pd.datetime.now()", "pandas.datetime"),
        ("x = pd.scatter_matrix(y)", "pandas.scatter_matrix"),
        ("x = pd.ExcelWriter(y)", "pandas.ExcelWriter"),
        ("x = df.dtypes", "dtypes"),
        ("import numpy as np\nx = np.mean(), df.ix[0]", "ix"),
    ],
)
def test_what_pandas_is_given_back(line, name):
    text = f"{PANDAS}{line}\n"
    _, result = alone("pandas-changed", text)
    assert result.text == f"import tfqueue.port.libraries.pandas_methods\n{text}"
    assert [one.message for one in result.findings] == [f"{name} is not what it was in pandas"]
    assert engine.translate(text.replace(TF, ""), "p.py").text == text.replace(TF, "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = np.int(1), np.float\n", "x = int(1), float\n"),
        ("x = np.sctypes\ny = np.NINF\n", "x = sctypes()\ny = -np.inf\n"),
        ("x = np.cast\ny = np.cast['f'](z)\n", "x = np.cast\ny = np.asarray(z).astype('f')\n"),
        ("x = np.cast['f']\ny = np.cast['f'](z, 1)\ng(np.cast['f'])\n", "same"),
        ("y = np.asscalar(z)\n", "y = z.item()\n"),
        ("x = np.alen(*z)\ny = np.alen(z)\n", "x = np.alen(*z)\ny = len(z)\n"),
        (
            "x = np.msort(z), np.asfarray(z)\n",
            "x = np.sort(z, axis=0), np.asarray(z, dtype=float)\n",
        ),
        ("x = np.random.random_integers(5)\n", "x = np.random.randint(1, 5 + 1)\n"),
        ("x = np.random.random_integers(2, 5)\n", "x = np.random.randint(2, 5 + 1)\n"),
        ("x = np.random.random_integers(2, 5, n)\n", "x = np.random.randint(2, 5 + 1, n)\n"),
        ("x = np.random.random_integers(low=2)\n", "same"),
        ("try: x = np.int\nexcept AttributeError: x = 2\n", "same"),
        (
            "try: x = y.n.astype(np.int)\nexcept AttributeError: x = np.float(2)\n",
            "try: x = y.n.astype(int)\nexcept AttributeError: x = float(2)\n",
        ),
        ("x = np.ones(1), np.float32(2)\n", "same"),
    ],
)
def test_names_that_are_gone_from_numpy(before, after):
    after = before if after == "same" else after
    assert alone("np-aliases", NP + before)[0] == NP + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import a\n", "from . import a\n"),
        ("import a, os\n", "import os; from . import a\n"),
        ("import a as b\n", "from . import a as b\n"),
        ("import b.c\n", "from .b import c as tfq_b_c; from . import b\n"),
        ("import b.c as d\n", "from .b import c as d\n"),
        ("import b.c.e\n", "from .b.c import e as tfq_b_c_e; from . import b\n"),
        ("import a, b.c as d\n", "from . import a; from .b import c as d\n"),
        ("from a import x\n", "from .a import x\n"),
        ("from b.c import x as y\n", "from .b.c import x as y\n"),
        ("import os\nfrom os import path\nfrom . import a\n", "same"),
    ],
)
def test_modules_beside_are_imported_from_the_package(before, after, tmp_path):
    folder = tmp_path / "one"
    (folder / "b" / "c").mkdir(parents=True)
    for name in ("__init__", "a", "program", "b/__init__", "b/c/__init__", "b/c/e"):
        (folder / f"{name}.py").write_text("")
    written_for = WrittenFor(python2=True)
    path = str(folder / "program.py")
    leave_out = [name for name in NAMES if name != "py2-relative"]
    found = engine.translate(
        before, path, written_for=written_for, package="one", leave_out=leave_out
    )
    assert found.text == (before if after == "same" else after)
