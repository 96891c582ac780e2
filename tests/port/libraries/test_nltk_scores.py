"""How BLEU is smoothed: expected values are NLTK 3.3's."""

import pytest

from tfqueue.port.libraries import nltk_scores

REFERENCE, HYPOTHESIS = "the cat sat on the mat today".split(), "the cat is on the mat".split()


def test_scores_are_smoothed_as_they_were():
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    smoothing = nltk_scores.SmoothingFunction()

    def score(method, hypothesis):
        return bleu_score.sentence_bleu([REFERENCE], hypothesis, smoothing_function=method)

    assert score(smoothing.method1, HYPOTHESIS) == pytest.approx(0.215063, abs=1e-6)
    assert score(smoothing.method2, HYPOTHESIS) == pytest.approx(0.413864, abs=1e-6)
    assert score(smoothing.method4, HYPOTHESIS) == pytest.approx(0.324463, abs=1e-6)
    assert score(smoothing.method2, HYPOTHESIS[:3]) == pytest.approx(0.156736, abs=1e-6)
    assert score(smoothing.method4, HYPOTHESIS[:3]) == pytest.approx(0.0755225, abs=1e-6)
    assert score(smoothing.method7, HYPOTHESIS[:3]) == pytest.approx(0.0972028, abs=1e-6)


def test_any_other_name_is_none():
    with pytest.raises(AttributeError, match="bleu"):
        nltk_scores.bleu  # noqa: B018
