"""NLTK as it was up to 3.3: how BLEU is smoothed. Translated programs import this."""

from __future__ import annotations

import math
from typing import Any

from tfqueue.port.libraries import installed


class _SmoothingFunction:
    """`SmoothingFunction`, whose methods 2, 4 and 7 gave other scores."""

    def method2(self, p_n: Any, *args: Any, **words: Any) -> list[Any]:
        """One more of each, also of single words."""
        return [(one.numerator + 1) / (one.denominator + 1) for one in p_n]

    def method4(
        self: Any,
        p_n: Any,
        references: Any,
        hypothesis: Any,
        hyp_len: Any = None,
        *args: Any,
        **words: Any,
    ) -> Any:
        """Less for what is not there at all, by the length of the text."""
        hyp_len = hyp_len or len(hypothesis)
        for place, one in enumerate(p_n):
            if one.numerator == 0 and hyp_len:
                p_n[place] = 1 / (place + self.k / math.log(hyp_len))
        return p_n


_BASE = "nltk.translate.bleu_score.SmoothingFunction"
__getattr__ = installed.classes(__name__, {"SmoothingFunction": (_SmoothingFunction, _BASE)})
