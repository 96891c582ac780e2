"""The common parts of tfqueue's HTML pages: frame and style, charts, words for numbers.

`frame` has the page and its style, `charts` the line charts, `words` what numbers and names are as text.
"""
