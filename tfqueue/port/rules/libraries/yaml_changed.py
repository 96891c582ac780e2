"""PyYAML: `load` takes a loader since 6.0, and `dump` writes each value into a line of its own since 5.1.

https://github.com/yaml/pyyaml/blob/6.0/announcement.msg
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("yaml",)
_DUMPS = ("yaml.dump", "yaml.dump_all", "yaml.safe_dump", "yaml.safe_dump_all")


def find(module: Module) -> Iterator[Finding]:
    """Finds calls of `yaml.load` that name no loader, and of `yaml.dump` that name no style."""
    for call, dotted in module.calls:
        said = {keyword.arg for keyword in call.keywords} & {"default_flow_style", None}
        if dotted in _DUMPS and module.is_old and not said:
            yield module.finding(call, "yaml.dump wrote short lists in one line up to PyYAML 5.0")
            module.add_argument(call, "default_flow_style", "None")
        if dotted in ("yaml.load", "yaml.load_all") and _only_stream(call):
            yield module.finding(call, "yaml.load takes a Loader since PyYAML 6.0")
            if isinstance(call.func, ast.Attribute):
                loader = module.attribute(module.base(call.func, dotted, "yaml"), "FullLoader")
            else:
                loader = module.use("yaml", "FullLoader")
            module.add_argument(call, "Loader", loader)


def _only_stream(call: ast.Call) -> bool:
    """Whether `yaml.load` is given what it reads, and nothing else."""
    return len(call.args) + len(call.keywords) == 1 and all(
        keyword.arg == "stream" for keyword in call.keywords
    )
