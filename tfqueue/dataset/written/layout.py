"""Lines of Python laid out: indented, and broken where they are long."""

import textwrap


def indented(text):
    """The text, one level deeper."""
    return textwrap.indent(text, "    ")


def wrapped(line, width=96):
    """A long call, one argument a line."""
    if len(line) <= width or "\n" in line:
        return line
    if line.startswith("return ") and line != (parts := _broken(f"return ({line[7:]})")):
        return parts
    return _broken(line)


def filled(items, width=88):
    """Many short items, as many to a line as go.

    Args:
      items: What stands between the commas, as text. None is ever broken: what is quoted in
        one may hold anything.

    >>> print(filled(["'a'", "'b, c'", "3"], width=12))
    'a', 'b, c',
    3,
    """
    lines = [""]
    for item in items:
        longer = f"{lines[-1]} {item}," if lines[-1] else f"{item},"
        if lines[-1] and len(longer) > width:
            lines.append(f"{item},")
        else:
            lines[-1] = longer
    return "\n".join(lines)


def pieces(text):
    r"""What stands between the commas of a list or a call; None where a bracket ends before it.

    >>> pieces(r"[1, 2], f(a, b), 'c, d', 'it\\', 'e'")
    ['[1, 2]', 'f(a, b)', "'c, d'", "'it\\\\'", "'e'"]
    """
    depth, parts, start, quoted, escaped = 0, [], 0, None, False
    for place, letter in enumerate(text):
        if quoted:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == quoted:
                quoted = None
        elif letter in "'\"":
            quoted = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth < 0:
                return None
        elif letter == "," and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _broken(line):
    opening = line.find("(")
    if opening < 0 or not line.endswith(")"):
        return line
    parts = pieces(line[opening + 1 : -1])
    if parts is None:
        return line
    inner = "".join(f"\n    {part}," for part in parts)
    return f"{line[: opening + 1]}{inner}\n)"
