"""What setup.py says of the package, and what the package says of its types."""

import ast
import pathlib
import re
import runpy

import pytest
import setuptools

from tests import matrix

ROOT = pathlib.Path(__file__).parent.parent


@pytest.fixture(scope="module")
def metadata():
    given = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setuptools, "setup", given.update)
        runpy.run_path(str(ROOT / "setup.py"))
    return given


def test_no_link_or_picture_of_the_description_needs_the_project_s_files(metadata):
    text = metadata["long_description"]
    assert len(text) > 2000
    targets = re.findall(r"\]\(([^)]+)\)|(?:src|href|srcset)=[\"']([^\"']+)", text)
    for target in map("".join, targets):
        assert target.startswith(("https://", "http://", "#", "mailto:")), target
    assert "![" not in re.sub(r"!\[[^\]]*\]\(https?:", "", text)


def test_what_is_required(metadata):
    names = {re.match(r"[\w-]+", line)[0] for line in metadata["install_requires"]}
    assert names == {"tensorflow", "numpy", "protobuf", "google-crc32c", "rich"}
    assert set(metadata["extras_require"]) == {
        *("images", "port", "slim", "keras", "completion", "docs", "test")
    }


def test_the_classifiers_are_the_pythons_of_the_matrix(metadata):
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(metadata["classifiers"]))
    assert named == [wheel.python for wheel in matrix.WHEELS]
    assert "Typing :: Typed" in metadata["classifiers"]
    assert not any(line.startswith("License") for line in metadata["classifiers"])
    assert metadata["license_expression"] == "Apache-2.0"


def test_the_package_says_that_it_is_typed(metadata):
    assert metadata["package_data"] == {"tfqueue": ["py.typed"], "tfqueue.names": ["*.txt", "*.xz"]}
    assert (ROOT / "tfqueue" / "py.typed").is_file()


def typed():
    """The modules that `make lint` gives to mypy."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    names = re.search(r"^\[tool\.mypy\]$.*?^files = \[(.*?)\]", text, re.MULTILINE | re.DOTALL)[1]
    paths = [ROOT / name for name in re.findall(r'"(.+?)"', names)]
    assert ROOT / "tfqueue" in paths
    for path in paths:
        found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        # The recorder runs on Python 2.7, so its types stand in comments.
        yield from (each for each in found if each.name != "record_tf1.py")


def public(body, inside=()):
    """The functions that are public, and the methods of public classes, each with its class."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body, (node,))
        elif isinstance(node, ast.FunctionDef):
            if not node.name.startswith("_") or (inside and node.name in ("__init__", "__call__")):
                yield node, bool(inside)


@pytest.mark.parametrize("path", [*typed()], ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_public_has_type_hints(path):
    for function, is_method in public(ast.parse(path.read_text("utf-8")).body):
        named = function.args
        decorators = [getattr(one, "id", "") for one in function.decorator_list]
        arguments = [*named.posonlyargs, *named.args][
            is_method and "staticmethod" not in decorators :
        ]
        arguments += [*named.kwonlyargs, *filter(None, (named.vararg, named.kwarg))]
        bare = [argument.arg for argument in arguments if argument.annotation is None]
        assert bare == [], function.name
        assert function.returns is not None, function.name
