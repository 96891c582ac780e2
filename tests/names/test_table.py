"""docs/names.md is what the ledger and `tfqueue.v1` give today."""

import subprocess
import sys
from collections import Counter

import pytest
import tensorflow

from tests.ledger import measure, table
from tests.suite import samples
from tfqueue.names import forms, ledger, older


@pytest.mark.slow
@pytest.mark.skipif(
    not tensorflow.__version__.startswith("2.21."), reason="the page is about TensorFlow 2.21"
)
def test_the_page_is_current():
    pytest.importorskip("tf_slim")
    pytest.importorskip("tf_keras")
    code = "from tests.ledger import table; raise SystemExit(table.OUT.read_text() != table.page())"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("release", samples.some(ledger.releases(), 4))
def test_every_name_and_call_outside_contrib_works_or_is_refused_by_a_sentence(release):
    rows = [row for row in table.findings(release) if (row.place, row.what) != ("tf", "member")]
    rows = [row for row in rows if row.place == "tf"]
    assert [row for row in rows if row.state == "neither"] == []
    count = Counter(row.state for row in rows)
    assert count["works"] > 0.98 * sum(count.values())


def test_the_forms_are_those_of_the_ledger():
    for name, old in forms.old_forms().items():
        known = {entry.signature for entry in ledger.find(name)}
        known |= {text for _, text in older.forms().get(name, ())}
        assert {text for _, text in old} <= known
        assert [ledger.number(last) for last, _ in old] == sorted(
            ledger.number(last) for last, _ in old
        )


@pytest.mark.parametrize("name", forms.RENAMED)
def test_a_renamed_argument_is_there_today_and_was_there_once(name):
    if name.startswith(("contrib.layers", "contrib.slim")):
        pytest.importorskip("tf_slim")
    known = measure.forms_of(measure.look_up(name))
    assert known is not None
    for old, new in forms.RENAMED[name].items():
        assert new in known.today.signature.parameters
        assert any(old in ledger.parsed(text).parameters for _, text in forms.old_forms()[name])
