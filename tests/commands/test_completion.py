"""Shell completion: the scripts offer what the parsers know, and the shells take them."""

import shutil
import subprocess
import sys

import pytest

from tests import command_lines
from tfqueue import cli


@pytest.fixture(params=["bash", "fish", "tcsh", "zsh"])
def script(request, capsys):
    assert cli.main(["completion", request.param]) == 0
    return request.param, capsys.readouterr().out


def test_every_command_and_option_is_in_the_script(script):
    shell, text = script
    for words, parser in command_lines.nodes():
        assert words[-1] in text
        for action in parser._actions:
            for name in action.option_strings:
                assert (name if shell in ("bash", "zsh") else name.lstrip("-")) in text


def test_the_shell_can_read_it(script, tmp_path):
    shell, text = script
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    (tmp_path / "script").write_text(text)
    done = subprocess.run([shell, "-n", "script"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_shtab(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert cli.main(["completion", "bash"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        "tfqueue: completion needs shtab: pip install 'tfqueue[completion]'\n",
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["rec"], "recorder records"),
        (["records", "sal"], "salvage"),
        (["records", "head", "--comp"], "--compression"),
        (["records", "head", "--compression", "g"], "gzip"),
        (["records", "head", "--compression", "gzip", "--js"], "--json"),
        (["records", "head", "-"], "-h --help --json --compression -n"),
        (["run", "--wat"], "--watch"),
        (["run", "--era", "--watch", "--repo"], "--report"),
        (["run", "old"], "old.py"),
        (["records", "salvage", "x", "-o", "ol"], "old.py"),
        (["completion", "z"], "zsh"),
        (["--ver"], "--version"),
        (["check", ""], "old.py"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_bash_offers(typed, offered, capsys, tmp_path):
    cli.main(["completion", "bash"])
    script = tmp_path / "script"
    script.write_text(
        capsys.readouterr().out
        + '\nCOMP_WORDS=(tfqueue "$@")\nCOMP_CWORD=$#\n_shtab_tfqueue\necho "${COMPREPLY[*]}"\n'
    )
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old.py").touch()
    done = subprocess.run(
        ["bash", str(script), *typed], cwd=tmp_path / "there", capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == (f"{offered}\n", "")
