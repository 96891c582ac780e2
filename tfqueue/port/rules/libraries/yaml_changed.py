"""PyYAML: `load` takes a loader since 6.0.

https://github.com/yaml/pyyaml/blob/6.0/announcement.msg
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("yaml",)


def find(module: Module) -> Iterator[Finding]:
    """Finds calls of `yaml.load` that name no loader."""
    for call, dotted in module.calls:
        if dotted in ("yaml.load", "yaml.load_all") and _only_stream(call):
            yield module.finding(call, "yaml.load takes a Loader since PyYAML 6.0")
            if isinstance(call.func, ast.Attribute):
                loader = module.attribute(module.base(call.func, dotted, "yaml"), "FullLoader")
            else:
                loader = module.use("yaml", "FullLoader")
            keyword = ast.keyword("Loader", loader)
            call.keywords.append(keyword)
            module.settle(keyword, call, call)


def _only_stream(call: ast.Call) -> bool:
    """Whether `yaml.load` is given what it reads, and nothing else."""
    return len(call.args) + len(call.keywords) == 1 and all(
        keyword.arg == "stream" for keyword in call.keywords
    )
