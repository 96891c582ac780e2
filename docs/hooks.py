"""What `make docs` fills into the pages: the classes behind packages that can be called."""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def class_behind(package):
    """The dotted name of the class that makes a package a function."""
    path = ROOT.joinpath(*package.split("."), "__init__.py")
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and any("ModuleType" in ast.dump(b) for b in node.bases):
            return f"{package}.{node.name}"
    raise LookupError(f"{package} cannot be called")


def on_page_markdown(markdown, **_):
    """mkdocs calls this for each page: `{behind tfqueue.dataset}` becomes a name."""
    return re.sub(r"\{behind ([\w.]+)\}", lambda found: class_behind(found[1]), markdown)
