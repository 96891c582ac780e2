"""Names that became keywords: `async` and `await`, which were names like others up to Python 3.6."""

from __future__ import annotations

import io
import tokenize

from tfqueue.port.source.finding import Finding

WORDS = frozenset(["async", "await"])
_BEHIND_ASYNC = frozenset(["def", "for", "with"])


def as_name(word: str) -> str:
    """A keyword, written so that Python reads it as a name.

    Python reads a wide letter in a name as the letter that it shows, and takes no such name for a keyword.

    >>> as_name("async").isidentifier(), as_name("async") == "async"
    (True, False)
    """
    return chr(ord(word[0]) + 0xFEE0) + word[1:]


def told(word: str, line: int, column: int) -> Finding:
    """What is said of such a name at a place; the column counts from 0."""
    message = f"{word} is a keyword since Python 3.7: a wide letter makes a name of it"
    return Finding("std-keywords", line, column + 1, message, True)


def as_names(text: str) -> tuple[str, list[Finding]]:
    """Writes `async` and `await` as names where they are no keywords.

    Args:
        text: What Python cannot parse as it is.

    Returns:
        The new text, and what was found; nothing where the text has no tokens.

    >>> text, _ = as_names("flags.async = f(async=True)  # async\\n")
    >>> import ast
    >>> print(ast.unparse(ast.parse(text)))
    flags.async = f(async=True)
    """
    if not any(word in text for word in WORDS):
        return text, []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text, []
    following = [token.string for token in tokens[1:]] + [""]
    functions = ("async", "def") in zip((token.string for token in tokens), following, strict=True)
    lines = text.split("\n")
    found = []
    for token, behind in zip(tokens, following, strict=True):
        if token.type != tokenize.NAME or token.string not in WORDS:
            continue
        if functions if token.string == "await" else behind in _BEHIND_ASYNC:
            continue
        line, column = token.start
        row = lines[line - 1]
        # one letter for one letter: the columns behind it stay
        lines[line - 1] = row[:column] + as_name(token.string) + row[token.end[1] :]
        found.append(told(token.string, line, column))
    return "\n".join(lines), found
