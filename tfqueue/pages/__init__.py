"""The common parts of tfqueue's HTML pages: frame and style, charts, words for numbers."""
