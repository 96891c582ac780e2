"""Examples in docstrings (`>>>`) become blocks of code in the reference; mkdocs.yml loads this."""

import griffe


def fenced(text):
    """A docstring with each run of lines that begins with `>>>` as a block of code.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2").splitlines()
    ['Adds.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    lines, inside = [], False
    for line in [*text.splitlines(), ""]:
        if inside and not line.strip():
            lines.append("```")
            inside = False
        elif not inside and line.startswith(">>>"):
            lines.append("```pycon")
            inside = True
        lines.append(line)
    return "\n".join(lines).rstrip()


class Doctests(griffe.Extension):
    """Changes the docstrings that the reference is made of."""

    def on_object(self, *, obj, **_):
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
