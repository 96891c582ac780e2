"""Records anew which names each release of TensorFlow 1 had: the first half of `make ledger`; `make_forms` is the second.

Needs Python 2.7, 3.6 and 3.7 (under pyenv, or on the PATH). Installs each release into a folder of its
own below `.golden/` once, has it write down its names (`record_names.py`), and puts what all said into
`public.txt.xz` and `exports.txt.xz` of `tfqueue/names/`, which are committed. Running it twice changes nothing.

    python -m tests.ledger.make
"""

from __future__ import annotations

import json
import lzma
import pathlib
import shutil

from tests.golden import make as golden

HERE = pathlib.Path(__file__).resolve().parent
NAMES = HERE.parent.parent / "tfqueue" / "names"
RELEASES = {
    "0.12": ("0.12.1", "2.7"),
    "1.0": ("1.0.1", "3.6"),
    "1.1": ("1.1.0", "3.6"),
    "1.2": ("1.2.1", "3.6"),
    "1.4": ("1.4.1", "3.6"),
    "1.8": ("1.8.0", "3.6"),
    "1.10": ("1.10.1", "3.6"),
    "1.12": ("1.12.3", "3.6"),
    "1.15": ("1.15.5", "3.7"),
}
"""Release -> the wheel, and the Python that it is for."""
EXACT = {"2.7": "2.7.18", "3.6": "3.6.15", "3.7": "3.7.16"}
PINS = "numpy<1.17 protobuf<3.18 absl-py<1 grpcio<1.42 markdown<3.4 werkzeug<1.1 mock six wheel"


def install(folder: pathlib.Path, wheel: str, python: str) -> None:
    """Puts one release into a plain folder.

    Args:
        folder: The folder, which is made.
        wheel: The release, as in "1.4.1".
        python: As in "3.6". Its pip may be too old for the wheels of the dependencies, so a newer one
            is put beside it.
    """
    base = golden.find_python(python, EXACT[python])
    tool = golden.HOME / f"pip-{python}"
    pip = "pip<21" if python == "2.7" else "pip==21.3.1"
    if not tool.exists():
        golden.run(base, "-m", "pip", "install", "-q", "--target", tool, pip)
    command = (base, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target")
    golden.run(*command, folder, f"tensorflow=={wheel}", *PINS.split(), PYTHONPATH=str(tool))
    # Installed with --target, the namespace package `google` is not recognised without this.
    (folder / "google" / "__init__.py").touch()
    # A copy of `enum` for older Pythons, which hides the one that Python 3.6 needs.
    shutil.rmtree(folder / "enum", ignore_errors=True)


def recorded(release: str) -> dict[str, dict]:
    """What `record_names.py` writes for one release, which is installed if it is not there."""
    wheel, python = RELEASES[release]
    folder = golden.HOME / f"names-{wheel}"
    golden.installed(folder, wheel, lambda folder: install(folder, wheel, python))
    out = folder.with_suffix(f"{folder.suffix}.json")
    base = golden.find_python(python, EXACT[python])
    golden.run(base, HERE / "record_names.py", out, PYTHONPATH=str(folder))
    return json.loads(out.read_text("utf-8"))


def public_lines(dumps: list[dict]) -> list[str]:
    """One line a name: the name, and where it changed the release's number, kind and signature.

    The fields have a tab between them. One is `number kind signature`, or `number -` from the release
    on that no longer had the name.
    """
    lines = []
    for name in sorted({name for dump in dumps for name in dump["names"]}):
        fields, before = [name], "-"
        for number, dump in enumerate(dumps):
            kind, signature = dump["names"].get(name, ("-", None))
            now = (
                kind if signature is None else f"{kind} {signature}" if signature else f"{kind} ()"
            )
            if now != before:
                fields.append(f"{number} {now}")
            before = now
        lines.append("\t".join(fields))
    return lines


def export_lines(dumps: list[dict]) -> list[str]:
    """One line a module: its name, and for each set of releases the names that it had in these.

    The fields have a tab between them. One is a set of releases as a whole number in hexadecimal, the
    bit `1 << number` for each, and the names, with a space between them.
    """
    lines = []
    for module in sorted({module for dump in dumps for module in dump["exports"]}):
        held: dict[str, int] = {}
        for number, dump in enumerate(dumps):
            for name in dump["exports"].get(module, ()):
                held[name] = held.get(name, 0) | 1 << number
        there = sum(1 << n for n, dump in enumerate(dumps) if module in dump["exports"])
        sets: dict[int, list[str]] = {there: []}
        for name in sorted(held):
            sets.setdefault(held[name], []).append(name)
        fields = [" ".join([f"{bits:x}", *names]) for bits, names in sorted(sets.items())]
        lines.append("\t".join([module, f"{there:x}", *fields]))
    return lines


def write(name: str, lines: list[str]) -> None:
    """Writes one data file; the first line says which releases it is about."""
    text = "\n".join([" ".join(RELEASES), *lines, ""])
    packed = lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME)
    (NAMES / name).write_bytes(packed)
    print(f"make ledger: {name}, {len(lines)} lines, {len(packed)} bytes", flush=True)


def main() -> None:
    """Records all releases, and writes the data files."""
    golden.HOME.mkdir(exist_ok=True)
    dumps = []
    for release in RELEASES:
        print(f"make ledger: TensorFlow {release}", flush=True)
        dumps.append(recorded(release))
    NAMES.mkdir(exist_ok=True)
    write("public.txt.xz", public_lines(dumps))
    write("exports.txt.xz", export_lines(dumps))


if __name__ == "__main__":
    main()
