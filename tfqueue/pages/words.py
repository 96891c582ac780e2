"""Numbers and names as people read them."""


def rate(value: float | None) -> str:
    """Elements a second: `12,300/s`, `2.5/s`, `-` for None."""
    return "-" if value is None else f"{number(value)}/s"


def number(value: float) -> str:
    """A count or a rate in at most six characters or so.

    >>> [number(x) for x in (0, 0.31, 7.5, 42.2, 1280, 98_765, 1_234_567, 98_765_432)]
    ['0', '0.31', '7.5', '42', '1,280', '98,765', '1.23M', '98.8M']
    """
    if value == 0:
        return "0"
    if value < 1:
        return f"{value:.2g}"
    if value < 10 and value != int(value):
        return f"{value:.1f}"
    if value < 1e6:
        return f"{value:,.0f}"
    return f"{value / 1e6:.3g}M"


def clock(seconds: float) -> str:
    """Minutes and seconds.

    >>> clock(5.2), clock(75), clock(3700)
    ('0:05', '1:15', '1:01:40')
    """
    minutes, left = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def duration(seconds: float) -> str:
    """A length of time.

    >>> duration(0.0312), duration(0.41), duration(12.34), duration(95)
    ('31 ms', '410 ms', '12.3 s', '1:35 min')
    """
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return (
        f"{seconds:.1f} s"
        if seconds < 60
        else f"{clock(seconds)} {'min' if seconds < 3600 else 'h'}"
    )


def shortened(text: str, width: int) -> str:
    """`text` in at most `width` characters, its middle left out.

    >>> shortened("input_producer/limit_epochs", 15)
    'input_p…_epochs'
    """
    if len(text) <= width:
        return text
    if width < 3:
        return text[:width]
    left = width // 2
    return f"{text[:left]}…{text[len(text) - (width - left - 1) :]}"


def level(size: int | None, capacity: int) -> str:
    """How full a queue is, in numbers: `12/32`, `12` where there is no limit."""
    if size is None:
        return "-"
    return f"{size:,}/{capacity:,}" if capacity >= 0 else f"{size:,}"
