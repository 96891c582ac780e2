"""Runs random pipelines on TensorFlow as it is: `python -m tests.differential.plain_pipelines`.

Each line of stdin is a pipeline as JSON, with a folder; the answer is a line of JSON.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import select
import subprocess
import sys
from typing import Any

from . import pipelines

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Hang(Exception):
    """The original does not end."""


class Plain:
    """A process with TensorFlow as it is; another one after a hang.

    Args:
        patience: The seconds that a pipeline may take.
    """

    def __init__(self, patience: float = 60) -> None:
        self.patience = patience
        self.process: subprocess.Popen | None = None

    def run(self, pipeline: pipelines.Pipeline, folder: str) -> pipelines.Outcome:
        """What the pipeline gives.

        Raises:
            Hang: It does not end.
        """
        if self.process is None:
            words = [sys.executable, "-m", "tests.differential.plain_pipelines"]
            pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
            self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=quiet, cwd=ROOT)
            self._answer()  # that it has started
        line = json.dumps([dataclasses.asdict(pipeline), folder])
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        answer = self._answer()
        answer["rows"] = [tuple(row) for row in answer["rows"]]
        return pipelines.Outcome(**answer)

    def _answer(self) -> Any:
        if not select.select([self.process.stdout], [], [], self.patience)[0]:
            self.close()
            raise Hang
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """Ends the process."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


def main() -> None:
    """Answers each line of stdin."""
    from . import record

    tf = record.plain()
    print("null", flush=True)
    for line in sys.stdin:
        fields, folder = json.loads(line)
        with contextlib.redirect_stdout(sys.stderr):
            found = pipelines.run(tf, pipelines.Pipeline.of(fields), folder)
        print(json.dumps(dataclasses.asdict(found)), flush=True)


if __name__ == "__main__":
    main()
