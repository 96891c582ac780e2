"""Writes `tfqueue/names/forms.txt`: the forms of old calls that differ from today's.

Run by `make ledger`, in the environment of tfqueue.

    python -m tests.ledger.make_forms
"""

from __future__ import annotations

import inspect
import pathlib
import warnings

from tests.ledger import measure
from tfqueue.names import forms, ledger, moved, older_forms

MADE_OTHERWISE = frozenset(["QueueBase", "Variable", "VariableScope", "keras.optimizers.Optimizer"])
"""Classes whose objects are not made by a program's call of them."""
OUT = pathlib.Path(forms.__file__).with_name("forms.txt")


def forms_of(name: str) -> list[tuple[str, str]]:
    """The last release and the arguments of each form that a name had, the oldest first."""
    found = [*older_forms.forms().get(name, ())]
    for release in ledger.releases():
        for text in _signatures(name, release):
            if found and found[-1][1] == text:
                found.pop()
            found.append((release, text))
    return found


def _signatures(name: str, release: str) -> list[str]:
    """The arguments that a name took in a release: two forms where `tf.contrib.keras` had another."""
    names = [name]
    if name.startswith("keras.") and not (
        name.startswith("keras.optimizers.") and release == "1.15"
    ):
        names.append(f"contrib.{name}")
    found: list[str] = []
    for each in names:
        entry = ledger.entry(each, release)
        if entry is None or entry.signature is None or entry.kind not in ("function", "class"):
            continue
        if name.startswith("keras.") and entry.signature == "*args, **kwargs":
            continue  # it passes on what the package of its time took
        if entry.signature not in found:
            found.append(entry.signature)
    return found


def differs(name: str, old: inspect.Signature, today: inspect.Signature) -> bool:
    """Whether a call of this form means something else today, or nothing."""
    calls, expected = measure.both_calls("", old, today)
    strict = measure.place_of(name) == "tf.keras"
    states = [
        measure._state_of_call(None, today, *call, expected, strict=strict)[0] for call in calls
    ]
    plain = [one for one in old.parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    is_open = any(one.kind is one.VAR_KEYWORD for one in today.parameters.values())
    lost = [one.name for one in plain if one.name not in today.parameters]
    return states != ["works", "works"] or (bool(lost) and not is_open)


def line(name: str) -> str | None:
    """The line of a name, or None if its calls are today's."""
    old = forms_of(name)
    found = measure.look_up(name)
    if not old or isinstance(found, Exception) or name in MADE_OTHERWISE:
        return None
    if name.startswith("contrib.keras."):  # `tf.keras`, whose row has its forms
        return None
    known = measure.forms_of(found)
    today = known.today.signature if known else measure.today_of(name, found)
    if today is None or name.startswith("raw_ops.") or name in moved.REORDERED:
        return None
    kinds = {one.kind for one in today.parameters.values()}
    if inspect.Parameter.VAR_POSITIONAL in kinds or kinds == {inspect.Parameter.VAR_KEYWORD}:
        return None  # what it takes today cannot be told
    if not any(differs(name, ledger.parsed(text), today) for _, text in old):
        return None
    if any("*" in text.replace("**", "") for _, text in old):
        return None
    return "\t".join([name, *(f"{last} {text}" for last, text in old)])


def main() -> None:
    """Writes the file."""
    warnings.simplefilter("ignore")
    lines = [text for text in map(line, ledger.public()) if text]
    OUT.write_text("\n".join([*lines, ""]), "utf-8")
    print(f"make ledger: {OUT.name}, {len(lines)} lines, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
