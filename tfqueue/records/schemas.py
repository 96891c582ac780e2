"""What is in TFRecord files: keys, kinds, lengths, shares; and the `features={...}` to parse them."""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import math
from typing import Any

from tfqueue.records import messages
from tfqueue.records.errors import ExampleError
from tfqueue.records.files import Paths, Progress, read

_LOOKS = 256  # values per key whose content is looked at
_TENSORFLOW = {"bytes": "string", "float": "float32", "int64": "int64"}

# What encoded data begins with, and what to call it.
_MAGIC = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"BM": "BMP",
    b"RIFF": "RIFF",
}


def looks_like(data: bytes) -> str:
    """What one bytes value seems to be: `JPEG`, `PNG`, `GIF`, `BMP`, `RIFF`, `text` or `raw`.

    >>> looks_like("Ærø".encode()), looks_like(bytes(4))
    ('text', 'raw')
    """
    for magic, name in _MAGIC.items():
        if data.startswith(magic) and (
            magic != b"BM" or int.from_bytes(data[2:6], "little") == len(data)
        ):
            return name
    try:
        text = data[:4096].decode("utf-8")
    except UnicodeDecodeError as error:
        # A character may be cut by the limit.
        if len(data) <= 4096 or error.start < 4090:
            return "raw"
        text = data[: error.start].decode("utf-8")
    return "text" if all(char.isprintable() or char in "\t\r\n" for char in text) else "raw"


@dataclasses.dataclass(slots=True)
class FeatureSchema:
    """One key.

    Attributes:
        key: Its name.
        kinds: In how many features each kind was found: `bytes`, `float`, `int64`, or `empty`.
        present: In how many records the key is.
        lengths: Fewest and most values of a feature (of a step, in a feature list).
        sizes: Fewest and most bytes of one value; None if there was no bytes value.
        looks: What the first bytes values seem to be, and how many of them (see `looks_like`).
        steps: Fewest and most steps; None if it is not in the feature lists.
    """

    key: str
    kinds: dict[str, int] = dataclasses.field(default_factory=dict)
    present: int = 0
    lengths: tuple[int, int] | None = None
    sizes: tuple[int, int] | None = None
    looks: dict[str, int] = dataclasses.field(default_factory=dict)
    steps: tuple[int, int] | None = None

    @property
    def kind(self) -> str:
        """`bytes`, `float`, `int64`; `empty` if it never has a value; else `mixed`."""
        named = [kind for kind in self.kinds if kind != "empty"]
        return "mixed" if len(named) > 1 else named[0] if named else "empty"

    def _add(self, feature: messages.Feature) -> None:
        kind, values = feature
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.lengths = _widen(self.lengths, len(values))
        if kind == "bytes":
            for value in values:
                self.sizes = _widen(self.sizes, len(value))
                if sum(self.looks.values()) < _LOOKS:
                    look = looks_like(value)
                    self.looks[look] = self.looks.get(look, 0) + 1


def _widen(span: tuple[int, int] | None, value: int) -> tuple[int, int]:
    return (min(span[0], value), max(span[1], value)) if span else (value, value)


@dataclasses.dataclass
class Schema:
    """What some files hold.

    Attributes:
        read: How many records were read.
        records: How many of them were looked at.
        examples: How many of those are Examples.
        sequences: How many are SequenceExamples.
        others: How many are neither.
        features: By key, the features of Examples, or the context of SequenceExamples.
        feature_lists: By key, the feature lists of SequenceExamples.
    """

    read: int = 0
    records: int = 0
    examples: int = 0
    sequences: int = 0
    others: int = 0
    features: dict[str, FeatureSchema] = dataclasses.field(default_factory=dict)
    feature_lists: dict[str, FeatureSchema] = dataclasses.field(default_factory=dict)

    def add(self, data: bytes) -> None:
        """Takes one record into account."""
        self.read += 1
        self.records += 1
        try:
            features, lists = messages.items(data)
        except ExampleError:
            self.others += 1
            return
        if lists is None and not features and data not in (b"", b"\n\0"):
            self.others += 1  # unknown fields only: some other message, or text
            return
        known = self.features
        for key, feature in features:
            entry = known.get(key)
            if entry is None:
                entry = known[key] = FeatureSchema(key)
            entry.present += 1
            entry._add(messages.read(feature))
        if lists is None:
            self.examples += 1
            return
        self.sequences += 1
        for key, steps in lists:
            entry = self.feature_lists.setdefault(key, FeatureSchema(key))
            entry.present += 1
            entry.steps = _widen(entry.steps, len(steps))
            for step in steps:
                entry._add(messages.read(step))

    def share(self, entry: FeatureSchema) -> float:
        """The part of the records that could have a key and have it, from 0 to 1."""
        of = self.sequences if entry.steps else self.examples + self.sequences
        return entry.present / of

    def _spec(self, entry: FeatureSchema) -> tuple[str, list[int] | None, str] | None:
        """Class, shape (if the class has one) and dtype of a key; None if it has no one kind."""
        dtype = _TENSORFLOW.get(entry.kind)
        if dtype is None:
            return None
        fewest, most = entry.lengths or (0, 0)
        if fewest != most or not most or self.share(entry) < 1:
            return "VarLenFeature", None, dtype
        name = "FixedLenSequenceFeature" if entry.steps else "FixedLenFeature"
        return name, [] if most == 1 else [most], dtype

    def _paste(
        self, name: str, entries: dict[str, FeatureSchema], indent: str, most: int | None
    ) -> str:
        lines = [f"{name}={{"]
        # The first ones of millions are found sooner than all are sorted.
        for key in sorted(entries) if most is None else heapq.nsmallest(most, entries):
            entry = entries[key]
            spec = self._spec(entry)
            if spec is None:
                found = ", ".join(f"{kind} in {n}" for kind, n in sorted(entry.kinds.items()))
                lines.append(f"{indent}# {key!r} cannot be parsed as one kind: {found}")
                continue
            kind, shape, dtype = spec
            arguments = f"tf.{dtype}" if shape is None else f"{shape}, tf.{dtype}"
            lines.append(f"{indent}{key!r}: tf.{kind}({arguments}),")
        if most is not None and len(entries) > most:
            lines.append(f"{indent}# and {len(entries) - most:,} more keys")
        return "\n".join([*lines, "}"])

    def code(self, indent: str = "    ", most: int | None = None) -> str:
        """The argument for `tf.parse_single_example`, ready to paste (`tf` is `tfqueue.v1`).

        For SequenceExamples the two arguments of `tf.parse_single_sequence_example`. A key that is
        not in every record, or not always as long, is a `VarLenFeature`; one that holds different
        kinds cannot be parsed, and is a comment.

        Args:
            indent: What each line begins with.
            most: How many keys at the most; None: all.

        >>> from tfqueue.records import encode
        >>> schema = Schema()
        >>> for label in range(2):
        ...     schema.add(encode({"label": label, "pixels": [0.5, 0.25]}))
        >>> print(schema.code())
        features={
            'label': tf.FixedLenFeature([], tf.int64),
            'pixels': tf.FixedLenFeature([2], tf.float32),
        }
        """
        if not self.sequences:
            return self._paste("features", self.features, indent, most)
        return ",\n".join(
            (
                self._paste("context_features", self.features, indent, most),
                self._paste("sequence_features", self.feature_lists, indent, most),
            )
        )

    def __str__(self) -> str:
        return self.code()

    def parsing(self) -> dict[str, Any]:
        """The same as objects: `tf.io.parse_single_example(record, **schema.parsing())`.

        Imports TensorFlow.

        Returns:
            `{"features": {...}}`, or `{"context_features": {...}, "sequence_features": {...}}`.
        """
        import tensorflow as tf

        def objects(entries: dict[str, FeatureSchema]) -> dict[str, Any]:
            specs = {}
            for key, entry in sorted(entries.items()):
                if spec := self._spec(entry):
                    kind, shape, dtype = spec
                    arguments = (dtype,) if shape is None else (shape, dtype)
                    *shapes, name = arguments
                    specs[key] = getattr(tf.io, kind)(*shapes, getattr(tf, name))
            return specs

        if not self.sequences:
            return {"features": objects(self.features)}
        return {
            "context_features": objects(self.features),
            "sequence_features": objects(self.feature_lists),
        }

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it, with each key's `kind` and `share`."""
        result: dict[str, Any] = {name: getattr(self, name) for name in _COUNTS}
        for part in ("features", "feature_lists"):
            result[part] = {
                key: {name: getattr(entry, name) for name in _ABOUT_A_KEY}
                | {"kind": entry.kind, "share": self.share(entry)}
                for key, entry in getattr(self, part).items()
            }
        return result


_COUNTS = ("read", "records", "examples", "sequences", "others")
_ABOUT_A_KEY = tuple(field.name for field in dataclasses.fields(FeatureSchema))
_DENSE = 1000  # records that a sample holds of each stretch from one number to e times that number


def schema(
    paths: Paths,
    compression: str | int | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
    sample: bool = False,
) -> Schema:
    """What the records of one or more files hold.

    Args:
        paths: A name, a pattern, or several (see `expand`).
        compression: `"GZIP"`, `"ZLIB"`, `""`; None looks at each file.
        limit: Read so many records at most; None: all.
        progress: Called now and then with the number of records so far.
        sample: Read and check every record, but look into a sample of them only: the first 2,000,
            then ever fewer (about 7,000 of 400,000), and each that is shorter or longer than all
            before it.

    Raises:
        DamagedRecordError, SourceError, OSError: As for `read`.

    >>> import tempfile
    >>> from tfqueue import records
    >>> path = tempfile.mkdtemp() + "/a.tfrecord"
    >>> written = records.write(path, ({"n": n} for n in range(10_000)))
    >>> found = schema(path, sample=True)
    >>> found.read, found.records < 5000
    (10000, True)
    """
    result = Schema()
    shortest, longest, due = math.inf, -1, 0
    for number, data in enumerate(itertools.islice(read(paths, compression), limit)):
        length = len(data)
        # A record of a new length tells of features that vary in length.
        if number == due or not sample or not shortest <= length <= longest:
            result.add(data)
            shortest, longest = min(shortest, length), max(longest, length)
            if number == due:
                due += max(1, number // _DENSE)
        else:
            result.read += 1
        if progress and not number & 0xFF:
            progress(number)
    return result
