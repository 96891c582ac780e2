"""`tfqueue completion SHELL`: prints what makes a shell complete commands, options and files."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tfqueue.commands import Parser, whole_parser
from tfqueue.errors import MissingExtraError

_SHELLS = ("bash", "fish", "zsh", "tcsh")
_ONCE = """\
Once for a session, or in the shell's start-up file:
  bash   source <(tfqueue completion bash)
  zsh    source <(tfqueue completion zsh)      (after compinit)
  fish   tfqueue completion fish | source
  tcsh   tfqueue completion tcsh > ~/.tfqueue.tcsh; source ~/.tfqueue.tcsh
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of ``tfqueue completion``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _ONCE
    parser.add_argument("shell", choices=_SHELLS, help="for which shell")


def run(args: argparse.Namespace) -> int:
    """Prints what makes a shell complete commands, options and files; returns the exit code.

    Raises:
        MissingExtraError: Without shtab, which writes it.
    """
    try:
        import shtab
    except ImportError:
        raise MissingExtraError(
            "completion needs shtab: pip install 'tfqueue[completion]'"
        ) from None

    class Completed(Parser):
        """A parser whose arguments are files, where nothing says otherwise."""

        def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
            action = super().add_argument(*names, **options)
            if not {"action", "choices", "type"} & set(options):
                setattr(action, "complete", shtab.FILE)  # noqa: B010  (shtab looks there)
            return action

    sys.stdout.write(shtab.complete(whole_parser(Completed), args.shell) + "\n")
    return 0
