"""README, docs/ and the files beside them: links lead somewhere, commands and names exist."""

import ast
import doctest
import importlib
import importlib.util
import json
import pathlib
import re
import shlex

import pytest
from markdown.extensions.toc import slugify

import tfqueue
from tfqueue import cli, errors, records
from tfqueue.commands import COMMANDS, parser_of

ROOT = pathlib.Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
PAGES += sorted(DOCS.glob("*.md"))
README_WORDS = 1200
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\(([^)\s]+)\)")
# What a page names that is made, or belongs to the reader.
MADE = ("out/", "dist/", "photos/", "logs/", "ported/")


def prose(path):
    """A page without its fenced blocks."""
    return FENCE.sub("", path.read_text("utf-8"))


def fences(path, *languages):
    return [text for kind, text in FENCE.findall(path.read_text("utf-8")) if kind in languages]


def anchors(path):
    titles = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {slugify(title.replace("`", ""), "-") for title in titles}


def module_of(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=PAGES, ids=lambda path: path.name)
def page(request):
    return request.param


def test_the_readme_is_one_page():
    words = (ROOT / "README.md").read_text("utf-8").split()
    assert len(words) <= README_WORDS


def test_links_lead_somewhere(page):
    for target in LINK.findall(prose(page)):
        if target.startswith(("https://keepachangelog.com/", "https://semver.org/")):
            continue
        assert "://" not in target, target
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.is_file(), target
        if page.parent == DOCS and there.suffix == ".md":
            assert there.parent == DOCS, f"{target} is no part of the built documentation"
        if anchor:
            assert anchor in anchors(there), target


def test_every_page_and_picture_is_used():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    text = "".join(path.read_text("utf-8") for path in PAGES)
    for path in DOCS.glob("*.md"):
        assert f": {path.name}" in navigation, path.name
    for path in (DOCS / "pictures").iterdir():
        assert path.name in text + navigation, path.name


# -- commands --------------------------------------------------------------------------------------


def commands(path):
    """The command lines of a page: of its blocks, and those that stand in its text."""
    for block in fences(path, "sh"):
        yield from block.splitlines()
    for code in CODE.findall(prose(path)):
        if code.startswith(("tfqueue ", "make ", "python ")):
            yield code


def check_command(line):
    """Fails if a command line names what there is not."""
    for part in line.split("&&"):
        words = shlex.split(part, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            words.pop(0)
        if not words:
            continue
        program, *rest = words
        if program == "tfqueue":
            known = {command.name: command for command in COMMANDS}
            if rest == ["--help"] or rest == ["--version"]:
                continue
            assert rest[0] in known, line
            if len(rest) > 1:
                module = importlib.import_module(known[rest[0]].module)
                parser, given = parser_of(known[rest[0]]), rest[1:]
                if hasattr(module, "divide"):  # behind a program stand its own arguments
                    given, _ = module.divide(parser, given)
                parser.parse_args(given)  # SystemExit if it is wrong
        elif program == "make":
            targets = re.findall(
                r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
            )
            wanted = [word for word in rest if "=" not in word]
            assert set(wanted) <= set(targets), line
        elif program.endswith("python"):
            script = rest[0] if rest[0] != "-m" else None
            assert script in (None, "train.py", "record_tf1.py") or (ROOT / script).is_file(), line
            assert script or rest[1] in ("build", "pytest", "pip"), line
            paths = [word for word in rest[2:] if word.endswith(".py")] if not script else []
            assert all((ROOT / word).is_file() for word in paths), line
        else:
            assert program == "pip", line
            assert rest[0] == "install", line


def test_commands_are_true(page, capsys):
    for line in commands(page):
        try:
            check_command(line)
        except SystemExit:
            pytest.fail(f"{line}: {capsys.readouterr().err}")


OLD = """\
import tensorflow as tf

names = tf.train.string_input_producer(["train.tfrecord"])
key, record = tf.TFRecordReader().read(names)
batch = tf.train.batch([record], 4)
print "built"
"""


def test_cheap_commands_do_what_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "other.py").write_text(OLD)
    records.write("train.tfrecord", [{"label": n} for n in range(3)])
    data = pathlib.Path("train.tfrecord").read_bytes()
    pathlib.Path("train-0.tfrecord").write_bytes(data)
    pathlib.Path("broken.tfrecord").write_bytes(data + b"no record")
    done = []
    for path in PAGES:
        for line in commands(path):
            words = shlex.split(line, comments=True)
            if len(words) < 3:
                continue
            cheap = words[:2] in (["tfqueue", "check"], ["tfqueue", "port"]) or (
                words[:2] == ["tfqueue", "records"] and words[2] not in ("images", "write")
            )
            if cheap and "--to-tf-data" not in words:
                code = cli.main(words[1:])
                said = capsys.readouterr()
                assert code in (0, 1), (line, said)
                done.append(" ".join(words[:3]))
    assert len(set(done)) >= 7
    assert list(records.read("saved.tfrecord")) == list(records.read("train.tfrecord"))


# -- names -----------------------------------------------------------------------------------------


def test_python_blocks_are_python(page):
    for block in fences(page, "python"):
        ast.parse(block)


def test_names_exist(page):
    text = "\n".join([*CODE.findall(prose(page)), *fences(page, "python")])
    for dotted in set(re.findall(r"\btfqueue(?:\.[A-Za-z_]\w*)+", text)):
        if dotted.startswith("tfqueue.v1.") or dotted.endswith((".py", ".whl")):
            continue
        value, path = tfqueue, dotted.split(".")[1:]
        for depth, name in enumerate(path, 1):
            if not hasattr(value, name):
                value = importlib.import_module(".".join(["tfqueue", *path[:depth]]))
            else:
                value = getattr(value, name)


def test_files_that_are_named_exist(page):
    for code in CODE.findall(prose(page)):
        if re.fullmatch(r"(examples|tests|docs|tfqueue)(/[\w.*]+)*/?", code) and "/" in code:
            assert list(ROOT.glob(code.rstrip("/"))), code


def test_the_teachers_table_has_every_program_and_notebook():
    text = (DOCS / "teachers.md").read_text("utf-8")
    for path in [*ROOT.glob("examples/[0-9]*.py"), *ROOT.glob("examples/notebooks/*.ipynb")]:
        assert f"`{path.name}`" in text, path.name


def test_every_error_and_warning_is_in_a_table():
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "failures.md").read_text("utf-8"), re.MULTILINE)
    bases = {"TFQueueError", "TFQueueWarning", "AcceleratorWarning"}
    assert set(rows) == set(errors.__all__) - bases


def test_every_extra_is_named():
    text = (DOCS / "index.md").read_text("utf-8")
    block = (
        (ROOT / "setup.py").read_text("utf-8").partition("extras_require={")[2].partition("}")[0]
    )
    extras = re.findall(r'"(\w+)":', block)
    assert {"images", "port", "slim", "completion"} <= set(extras)
    for extra in set(extras) - {"docs", "test"}:
        assert f"| `{extra}` |" in text, extra


# -- how the pages are built -----------------------------------------------------------------------


def test_packages_that_can_be_called_have_a_class():
    hooks = module_of(DOCS / "hooks.py")
    name = hooks.class_behind("tfqueue.dataset")
    assert f"::: {name}.__call__" in hooks.on_page_markdown(
        (DOCS / "reference.md").read_text("utf-8")
    )
    with pytest.raises(LookupError):
        hooks.class_behind("tfqueue.records")


def test_examples_in_docstrings_become_blocks():
    module = module_of(DOCS / "doctests.py")
    assert doctest.testmod(module) == (0, 1)
    assert module.fenced("No example.") == "No example."
    assert module.fenced(">>> 1\n1\n\nMore.") == "```pycon\n>>> 1\n1\n```\n\nMore."


# -- what is made of data --------------------------------------------------------------------------


def test_the_bench_s_table_and_chart_are_made_of_its_numbers():
    bench = module_of(DOCS / "bench.py")
    data = json.loads(bench.DATA.read_text("utf-8"))
    text = bench.PAGE.read_text("utf-8")
    assert bench.page(text, data) == text, "make pictures"
    assert bench.chart(data) == bench.CHART.read_text("utf-8"), "make pictures"


def test_every_pipeline_of_the_bench_has_a_title():
    bench = module_of(DOCS / "bench.py")
    text = (ROOT / "tests" / "benchmarks" / "pipelines.py").read_text("utf-8")
    listed = re.search(r"^PIPELINES = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)[1]
    assert list(bench.TITLES) == re.findall(r"\w+", listed)
    rows = json.loads(bench.DATA.read_text("utf-8"))["rows"]
    titles = list(bench.TITLES.values())
    assert [row[0] for row in rows] == [t for t in titles if t in {row[0] for row in rows}]


def test_the_bench_s_numbers_can_be_taken_over(tmp_path):
    bench = module_of(DOCS / "bench.py")
    # A round's ratio by time, and by CPU time, which the page does not tell.
    ratios = {"compat.v1": [[1, 1]] * 2, "tfqueue": [[10, 2], [15, 3]], "tf.data": [[1.5, 9]] * 2}
    path = tmp_path / "bench.json"
    alone = {"compat.v1": [[1, 1]], "tfqueue": [[7, 2]], "tf.data": [[3.5, 9]]}
    measured = {"ratios": {"csv_cond": ratios}, "ratios_by_cores": {"1": {"csv_cond": alone}}}
    path.write_text(json.dumps(measured))
    assert bench.taken_over(path, {})["rows"] == [
        ["CSV with a tf.cond", 12.0, None, 1.5, None, None, 7.0, 3.5]
    ]


def test_the_bench_s_numbers_of_cores_can_be_taken_over(tmp_path):
    bench = module_of(DOCS / "bench.py")
    one = {"tfqueue": [[7, 2], [9, 2], [8, 2]], "tf.data": [[3.5, 9], [2, 9], [2, 9]]}
    four = {"tfqueue": [[30, 2]], "tf.data": [[60, 9]]}
    path = tmp_path / "bench.json"
    path.write_text(json.dumps({"ratios_by_cores": {"1": {"slices": one}, "4": {"slices": four}}}))
    assert bench.cores_taken_over(path, {"cores": {"about": "Here."}})["cores"] == {
        "about": "Here.",
        "columns": [
            "compat.v1, 1 core",
            "compat.v1, 4 cores",
            "tf.data, 1 core",
            "tf.data, 4 cores",
        ],
        # The quotients of each round are 2, 4.5 and 4.
        "rows": [["slice_input_producer", 8.0, 30.0, 4.0, 0.5]],
    }


def test_the_pictures_of_the_packages_are_made_of_their_tables():
    house = module_of(DOCS / "house.py")
    for name, text in house.pictures().items():
        assert (DOCS / "pictures" / name).read_text("utf-8") == text, "make pictures"


def test_the_packages_are_those_of_the_layers():
    house = module_of(DOCS / "house.py")
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    layers = re.search(r"^layers = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)[1]
    named = set(re.findall(r"\w+", layers))
    drawn = {key for key in house.HOUSE if key != "base"} | {
        "records",
        "_tensorflow",
        "errors",
        "names",
    }
    assert drawn == {name for name in named if name not in ("__main__", "release")}
