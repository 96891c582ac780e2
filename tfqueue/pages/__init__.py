"""What the pages that tfqueue writes have in common: their frame and style, charts, numbers in words."""
