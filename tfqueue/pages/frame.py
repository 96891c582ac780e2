"""The frame and the style of a page: one file, for light and dark screens."""

from __future__ import annotations

import html
from collections.abc import Iterable


def page(title: str, body: Iterable[str]) -> str:
    """A whole page.

    Args:
        title: What the browser shows, as plain text.
        body: The parts of its body, as HTML.

    >>> page("a < b", ["<p>c</p>"]).count("a &lt; b")
    1
    """
    return _FRAME.format(title=text(title), style=_STYLE, body="\n".join(body))


def text(of: object) -> str:
    """Plain text as HTML.

    >>> text("a < b")
    'a &lt; b'
    """
    return html.escape(str(of))


_FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --text: #1f2933; --soft: #616e7c;
  --line: #e4e7eb; --card: #f7f9fb; --fill: #2b6cb0; --put: #2f855a; --taken: #c05621;
  --bad: #b42318; --badcard: #fef3f2; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14181d; --text: #e4e7eb; --soft: #9aa5b1; --line: #323f4b; --card: #1f262d;
    --fill: #63b3ed; --put: #68d391; --taken: #f6ad55; --bad: #fda29b; --badcard: #2d1a19; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 28px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 22px; margin: 36px 0 4px; }
h3 { font-size: 17px; margin: 30px 0 6px; overflow-wrap: anywhere; }
.command { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14px;
  color: var(--soft); margin: 2px 0; overflow-wrap: anywhere; }
.facts, .caption { color: var(--soft); font-size: 14px; margin: 2px 0; }
.verdict.bad { color: var(--bad); }
.verdict { font-size: 20px; line-height: 1.4; font-weight: 600; margin: 22px 0 14px; }
.figures { display: flex; flex-wrap: wrap; gap: 12px; margin: 0 0 20px; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 18px; }
dt { color: var(--soft); font-size: 13px; }
dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
.words td { white-space: normal; overflow-wrap: anywhere; }
td.number { font-variant-numeric: tabular-nums; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: 14px; margin-bottom: 4px; }
.picture { overflow-x: auto; margin: 20px 0; }
.picture svg { min-width: 640px; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr));
  gap: 16px 28px; }
.charts svg { display: block; width: 100%; height: auto; overflow: visible; }
.charts svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.charts svg .grid { stroke: var(--line); }
.charts svg .mark { stroke: var(--soft); stroke-dasharray: 4 4; }
.charts svg polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.charts svg .fill { stroke: var(--fill); }
.charts svg .put { stroke: var(--put); stroke-width: 6; opacity: 0.45; }
.charts svg .taken { stroke: var(--taken); }
.charts svg polygon.area { fill: var(--fill); opacity: 0.16; stroke: none; }
.key { margin-left: 10px; font-weight: 600; }
.key.fill { color: var(--fill); } .key.put { color: var(--put); } .key.taken { color: var(--taken); }
.bar { display: flex; height: 14px; border-radius: 4px; overflow: hidden; gap: 1px;
  margin: 4px 0; }
.part { min-width: 2px; }
.keys { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 0; padding: 0;
  font-size: 14px; }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 6px; }
.part0 { background: #2b6cb0; } .part1 { background: #dd6b20; } .part2 { background: #38a169; }
.part3 { background: #805ad5; } .part4 { background: #d69e2e; } .part5 { background: #b83280; }
.part6 { background: #a0aec0; }
.failure { background: var(--badcard); border-left: 4px solid var(--bad); border-radius: 4px;
  padding: 4px 18px 10px; margin: 18px 0; }
.failure h3 { color: var(--bad); margin-top: 10px; }
.failure p { margin: 6px 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 6px 0;
  font: 14px/1.45 ui-monospace, Menlo, Consolas, monospace; }
"""
