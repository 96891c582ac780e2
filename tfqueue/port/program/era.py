"""Which TensorFlow a program was written for: a range of releases, and what narrowed it, or `--era`.

What narrows it is found by `tensorflow_signs`, file by file; `tell` narrows the range; `written_for` puts the files together. The era decides twice.
The rules below `rules/tensorflow` ask it how to read what changed its meaning, such as
the axis of `tf.concat`. And `tfqueue.release`, which `v1` asks at run time, is told it: by `run.importer`,
and in a ported program by what `rules/tensorflow/release.py` writes.
"""

from __future__ import annotations

import dataclasses
import re

Version = tuple[int, ...]
Evidence = tuple[str, int, Version, Version]
"""What a name or call says: (name, line, first release, last release)."""
FIRST, LAST = (0, 5), (1, 15)


@dataclasses.dataclass(frozen=True)
class Era:
    """A range of TensorFlow releases, with the names that narrowed it.

    Attributes:
        low: The first release that the program can be from.
        high: The last one.
        why: The names that decided, as ``name (line)``.
        given: Whether ``--era`` set it.
        two: Whether the file is a TensorFlow 2 program, and to be left alone.
        shows_tensorflow_1: Whether a file of the program is seen to import TensorFlow itself, or has a module, a name or an
            argument that the package keras had on TensorFlow 1, and that Keras 3 refuses.
        later_keras: Whether it imports keras, not TensorFlow, and shows a later Keras than 2.2.
        guesses_keras_2: Whether it imports keras, nothing shows which, and it is run as one for 2.2.
        imports_keras: Whether a file of the program imports the package keras.
        shows_keras_1: Whether the files of the program show that it is Keras 1.
    """

    low: Version = FIRST
    high: Version = LAST
    why: tuple[str, ...] = ()
    given: bool = False
    two: bool = False
    shows_tensorflow_1: bool = False
    later_keras: bool = False
    guesses_keras_2: bool = False
    imports_keras: bool = False
    shows_keras_1: bool = False

    @property
    def shown(self) -> bool:
        """Whether anything shows that the program is for TensorFlow 1, and not from any day."""
        return bool(self.given or self.shows_tensorflow_1 or self.why) and not self.two

    @property
    def is_taken_for_1(self) -> bool:
        """Whether it is run as one for TensorFlow 1, with the libraries of its day: that is shown, or a guess."""
        return self.shown or self.guesses_keras_2

    @property
    def old(self) -> bool:
        """Surely before 1.0: the axis first, losses by (logits, labels)."""
        return self.high < (1, 0)

    @property
    def new(self) -> bool:
        """Surely 1.0 or later."""
        return self.low >= (1, 0)

    @property
    def decided(self) -> bool:
        """Whether any name said something."""
        return self.low != FIRST or self.high != LAST

    def __str__(self) -> str:
        if self.two:
            return "TensorFlow 2"
        low, high = (".".join(map(str, version)) for version in (self.low, self.high))
        if not self.decided:
            if self.later_keras:
                return "Keras 2.3 or later"
            guess = " (a guess: nothing shows which Keras)" if self.guesses_keras_2 else ""
            return f"any TensorFlow before 2{guess}"
        if self.low == self.high:
            text = f"TensorFlow {low}"
        elif self.low == FIRST:
            text = f"TensorFlow up to {high}"
        elif self.high == LAST:
            text = f"TensorFlow {low} or later"
        else:
            text = f"TensorFlow {low} to {high}"
        if self.given:
            return f"{text}: set by --era"
        return f"{text}: {', '.join(self.why[:4])}" if self.why else text


UNKNOWN = Era()


def parse(text: str) -> Era:
    """Returns the era that ``--era`` names.

    Raises:
        ValueError: The text is no TensorFlow release before 2.

    >>> parse("0.12").old, parse("1.4").new
    (True, True)
    """
    match = re.fullmatch(r"([01])\.(\d+|x)(\.\d+)?", text)
    if not match:
        raise ValueError(f"{text!r} is not a TensorFlow release before 2.0, such as 0.12 or 1.4")
    if match[2] == "x":
        return Era((1, 0), LAST, given=True) if match[1] == "1" else Era(high=(0, 12), given=True)
    version = (int(match[1]), int(match[2]))
    return Era(version, version, given=True)


def narrowed(found: list[Evidence]) -> Era:
    """The era that evidence leaves.

    Where one name is of before 1.0 alone and another of 1.0 or later alone, the side with more
    names has it, and before 1.0 where neither has more.

    >>> narrowed([("tf.pack", 3, (0, 5), (0, 12))]).old
    True
    """
    before = [row for row in found if row[3] < (1, 0)]
    after = [row for row in found if row[2] >= (1, 0)]
    if before and after:
        # A program with both was ported by half: names are ported before the order of arguments.
        found = [row for row in found if row not in (before if len(after) > len(before) else after)]
    low = max([row[2] for row in found], default=FIRST)
    high = min([row[3] for row in found], default=LAST)
    if low > high:
        low = high = max(low, (0, 12)) if low < (1, 0) else low
    decisive = [row for row in found if row[2] == low != FIRST or row[3] == high != LAST]
    why = tuple(f"{name} (line {line})" for name, line, *_ in sorted(decisive, key=lambda r: r[1]))
    return Era(low, high, why)
