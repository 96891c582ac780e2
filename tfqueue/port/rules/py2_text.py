"""`unicode` becomes `str`, `unichr` becomes `chr`, and `ur''` becomes `r''`.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from tfqueue.port.edits import Finding

WORDS = ("unicode", "unichr", "ur'", 'ur"', "uR", "UR", "Ur")
_NEW = {"unicode": "str", "unichr": "chr"}


def visit(tree):
    """Yields what is changed in a tree of lib2to3, changing it. `u''` is Python 3 and stays."""
    for leaf in tree.leaves():
        word = leaf.value
        before = leaf.prev_sibling
        if word in _NEW and not (before is not None and str(before).strip() == "."):
            leaf.value = _NEW[word]
        elif word[:2].lower() == "ur" and word[2:3] in ("'", '"'):
            leaf.value = word[1:]
        else:
            continue
        leaf.changed()
        yield Finding("", leaf.lineno, leaf.column + 1, f"{word[:7]}: all text is unicode")
