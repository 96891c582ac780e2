"""Records in which order functions of the day's libraries took arguments that have to be named today.

    python -m tests.port.libraries.record_arguments OLD_PYTHON OLD_FOLDER NEW_FOLDER

OLD_PYTHON imports the libraries of OLD_FOLDER (scikit-learn 0.19.2, scikit-image 0.14.5, seaborn 0.9.0, matplotlib 3.1.3, pandas 0.24.2),
this Python those of NEW_FOLDER (`pip install --target`). Writes `tfqueue/names/libraries.txt`.
"""

import json
import os
import pathlib
import subprocess
import sys

from tfqueue.names import libraries
from tfqueue.port.rules.libraries import skimage_moved, sklearn_moved

OUT = pathlib.Path(libraries.__file__).with_name("libraries.txt")
LIBRARIES = ("sklearn", "skimage", "seaborn", "matplotlib", "pandas")
# It runs on Python 3.7, too.
_READ = r"""
import importlib, inspect, json, pkgutil, sys, warnings
warnings.simplefilter("ignore")
found = {}
def read(name, depth):
    try:
        module = importlib.import_module(name)
    except Exception:
        return
    names = getattr(module, "__all__", None) or dir(module)
    for one in names if isinstance(names, (list, tuple)) else dir(module):
        value = getattr(module, one, None)
        home = str(getattr(value, "__module__", ""))
        # the old ones are asked for where they are made, not where they are only used
        inner = home == name or home.startswith(name + ".") or depth == 0 or sys.version_info > (3, 9)
        if one.startswith("_") or not inner or not home.startswith(name.partition(".")[0]):
            continue
        function = value.__init__ if inspect.isclass(value) else value
        if inspect.isfunction(function):
            held = list(inspect.signature(function).parameters.values())[inspect.isclass(value):]
            if any(p.kind == 2 for p in held):
                continue  # `*args` takes what is given by position
            found[name + "." + one] = [p.name for p in held if p.kind in (0, 1)]
    if name == "pandas":  # its functions, and the methods of frames and series
        for kind in (module.DataFrame, module.Series):
            for one, method in inspect.getmembers(kind, inspect.isfunction):
                held = list(inspect.signature(inspect.unwrap(method)).parameters.values())[1:]
                old = sys.version_info < (3, 9)  # where `*args` is what numpy gives
                if not one.startswith("_") and (old or not any(p.kind == 2 for p in held)):
                    found[name + "." + kind.__name__ + "." + one] = [p.name for p in held if p.kind in (0, 1)]
        return
    skipped = ("tests", "setup", "conftest", "externals", "external", "data", "viewer", "estimator_checks")
    for info in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not info.name.startswith("_") and info.name not in skipped and depth < 2:
            read(name + "." + info.name, depth + 1)
for name in sys.argv[1:]:
    read(name, 0)
print(json.dumps(found))
"""


def signatures(python: str, folder: str) -> dict[str, list[str]]:
    """The positional arguments of a folder's public functions and classes."""
    environment = {**os.environ, "PYTHONPATH": folder, "MPLBACKEND": "Agg"}
    ran = subprocess.run(
        [python, "-c", _READ, *LIBRARIES], env=environment, stdout=subprocess.PIPE, check=True
    )
    return json.loads(ran.stdout.splitlines()[-1])


def main(python: str, old_folder: str, new_folder: str) -> None:
    """Writes the file."""
    old, new = signatures(python, old_folder), signatures(sys.executable, new_folder)
    lines = []
    with_defaults = {
        f"{rule.WORDS[0]}.{name}"
        for rule in (skimage_moved, sklearn_moved)
        for name, form in rule._CALL_FORMS.items()
        if "=" in form
    }
    for dotted, order in sorted(old.items()):
        now = new.get(dotted)
        if now is None:
            continue
        free = 0
        while free < min(len(order), len(now)) and (
            order[free] == now[free] or (order[free] not in now and now[free] not in order)
        ):
            free += 1  # also one that has another name today
        if free == len(order) and dotted not in with_defaults:
            continue
        lines.append(" ".join([dotted, *order[:free], "|", *order[free:]]) + "\n")
    by_hand = [
        line for line in OUT.read_text("utf-8").splitlines(True) if line.startswith("imblearn.")
    ]
    OUT.write_text("".join(sorted(lines + by_hand)), "utf-8")
    print(f"{len(lines)} of {len(old)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
