"""The extractor, on texts of our own that have the documents' difficulties."""

from __future__ import annotations

import textwrap

from . import extract

MARKDOWN = textwrap.dedent(
    """
    # Title

    ```
    a ---> drawing
    ```

    ```python
    print(a)

    a
    ```

        1

        2
    ![png](one.png)

    ![png](two.png)

    Prose, and after it

        an indented quotation that is no output

     ```python

    b = 2
    ```

    ```python

    ```
    """
)

FLATTENED = textwrap.dedent(
    """
    Prose first.

    In [None]:

    ## comment
    def f(a):
        return a

    g(
      1)

    We've prose after a cell that was not run:

    tf . One
    Explains one.

    tf . Two

    More prose, about names.

    name = tf . One ("x")

    In [7]:
    import os

    print({1: 2})

    {1: 2}

    In [8]:
    e = [
        1]

      from .old import warning

    out {
      of: 1
    }
    """
)


def test_fences():
    """A fence with no language is no code; output and pictures belong to the fence before them."""
    first, second, empty = extract.blocks("900", MARKDOWN)
    assert (first.id, first.text, first.kind) == ("900.1", "print(a)\n\na", "fence")
    assert (first.shown, first.pictures) == ("1\n2", 2)
    assert (second.text, second.shown, second.pictures) == ("b = 2", "", 0)
    assert (empty.text, empty.title) == ("", "900.3 (empty)")


def test_flattened_cells():
    """Code, pasted output and prose are told apart, and code in the prose is found."""
    found = extract.blocks("901", FLATTENED)
    assert [block.kind for block in found] == ["cell", "snippet", "snippet", "cell", "cell"]
    never_run, names, assigned, dict_shown, warned = found
    assert never_run.text == "## comment\ndef f(a):\n    return a\n\ng(\n  1)"
    assert names.text == "tf . One\n\ntf . Two"
    assert assigned.text == 'name = tf . One ("x")'
    assert (dict_shown.text, dict_shown.shown) == ("import os\n\nprint({1: 2})", "{1: 2}")
    assert warned.text == "e = [\n    1]"
    assert warned.shown == "  from .old import warning\n\nout {\n  of: 1\n}"
