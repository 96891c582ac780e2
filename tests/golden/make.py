"""Makes the goldens anew: what TensorFlow 1.15.5 and 0.12.1 themselves do.

Run by `make golden`. Needs Python 3.7 and 2.7 (under pyenv, or as `python3.7` and `python2.7` on the
PATH); installs the two releases into `.golden/` once. The files it writes are committed, so only who
adds a scenario needs to run it, and running it twice leaves `git status` clean.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
HOME = HERE.parent.parent / ".golden"
TIMEOUT = 900  # seconds for one era; it takes about ten


def find_python(version: str, exact: str) -> pathlib.Path:
    """Finds an interpreter.

    Args:
        version: As in "3.7".
        exact: The pyenv version that is tried first, as in "3.7.16".

    Raises:
        SystemExit: There is none; the message says what to install.
    """
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    candidates = [pyenv / exact, *sorted(pyenv.glob(version + ".*"), reverse=True)]
    for folder in candidates:
        if (folder / "bin" / "python").exists():
            return folder / "bin" / "python"
    on_path = shutil.which("python" + version)
    if on_path:
        return pathlib.Path(on_path)
    sys.exit(f"make golden: Python {version} is missing (try: pyenv install {exact})")


def run(*command: object, **more: str) -> None:
    """Runs a command with its output shown, ending in one clear line if it fails."""
    # What a user's environment adds to the path does not belong into an old release's process.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment.update(more, PYTHONDONTWRITEBYTECODE="1", TF_CPP_MIN_LOG_LEVEL="3")
    words = [str(word) for word in command]
    try:
        # Both releases warn at length about numpy, protobuf and deprecation: kept for a failure only.
        log = HOME / "last.log"
        with log.open("w") as errors:
            subprocess.run(words, check=True, env=environment, stderr=errors, timeout=TIMEOUT)
    except subprocess.CalledProcessError as failed:
        print(log.read_text(errors="replace")[-3000:], file=sys.stderr)
        sys.exit(f"make golden: {words[0]} failed (exit code {failed.returncode})")
    except subprocess.TimeoutExpired:
        sys.exit(f"make golden: {words[-1]} did not end within {TIMEOUT} s")


def install_115(folder: pathlib.Path) -> None:
    """Makes a virtual environment with TensorFlow 1.15.5."""
    run(find_python("3.7", "3.7.16"), "-m", "venv", folder)
    pip = (folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check")
    run(*pip, "tensorflow==1.15.5", "numpy==1.18.5", "protobuf<3.21")


def install_012(folder: pathlib.Path) -> None:
    """Puts TensorFlow 0.12.1 into a plain folder (Python 2.7 has no venv)."""
    pip = (
        find_python("2.7", "2.7.18"),
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
    )
    packages = ("tensorflow==0.12.1", "numpy<1.17", "protobuf==3.17.3", "mock", "six", "wheel")
    run(*pip, "--target", folder, *packages)
    # Installed with --target, the namespace package `google` is not recognised without this.
    (folder / "google" / "__init__.py").touch()


def installed(folder: pathlib.Path, release: str, install) -> None:
    """Installs a release unless that was done already; a broken installation is done again."""
    stamp = folder / ".ready"
    if stamp.exists():
        return
    print(
        f"make golden: installing TensorFlow {release} into {folder} (a minute, once)", flush=True
    )
    shutil.rmtree(folder, ignore_errors=True)
    install(folder)
    stamp.touch()


def main() -> None:
    """Installs what is missing, then records both eras."""
    HOME.mkdir(exist_ok=True)
    new, old = HOME / "tf115", HOME / "tf012"
    python27 = find_python("2.7", "2.7.18")
    installed(new, "1.15.5", install_115)
    installed(old, "0.12.1", install_012)
    print("make golden: TensorFlow 1.15.5 on Python 3.7", flush=True)
    run(new / "bin" / "python", HERE / "make_115.py")
    print("make golden: TensorFlow 0.12.1 on Python 2.7", flush=True)
    run(python27, HERE / "make_012.py", PYTHONPATH=str(old))
    print("make golden: done; `git status tests/golden` shows whether anything changed", flush=True)


if __name__ == "__main__":
    main()
