"""docs/names.md is what the ledger and `tfqueue.v1` give today."""

import re
import subprocess
import sys

import pytest
import tensorflow

from tests.ledger import measure, table
from tfqueue.names import forms, ledger, older_forms


@pytest.mark.slow
@pytest.mark.skipif(
    not tensorflow.__version__.startswith("2.21."), reason="the page is about TensorFlow 2.21"
)
def test_the_page_is_current():
    pytest.importorskip("tf_slim")
    pytest.importorskip("tf_keras")
    code = "from tests.ledger import table; raise SystemExit(table.OUT.read_text() != table.page())"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


_ROW = re.compile(r"^\| ([\d.]+) \| ([\d,]+) \| ([\d.]+) % \| [\d,]+ \| ([\d,]+) \|", re.MULTILINE)


@pytest.mark.parametrize("place", ["`tf`, outside", "`tf.contrib`, outside"])
def test_every_name_and_call_works_or_is_refused_by_a_sentence(place):
    """As the page has it, which is current."""
    parts = re.split(r"^## ", table.OUT.read_text("utf-8"), flags=re.MULTILINE)
    [part] = [part for part in parts if part.startswith(place)]
    rows = _ROW.findall(part)
    assert [release for release, *_ in rows] == [*ledger.releases()] * 2
    assert {neither for *_, neither in rows} == {"0"}


def test_at_least_99_percent_of_the_names_and_calls_outside_contrib_work():
    """As the page has it, which is current."""
    _, part, *_ = re.split(r"^## .*\n", table.OUT.read_text("utf-8"), flags=re.MULTILINE)
    assert min(float(percent) for _, _, percent, _ in _ROW.findall(part)) >= 99


def test_no_name_and_no_call_is_neither_there_nor_refused():
    rows = re.findall(r"^\| [\d.]+ \|.*\| (\d+) \|$", table.OUT.read_text("utf-8"), re.MULTILINE)
    assert set(rows) == {"0"}


def test_the_forms_are_those_of_the_ledger():
    for name, old in forms.old_forms().items():
        both = [name, f"contrib.{name}"] if name.startswith("keras.") else [name]
        known = {entry.signature for each in both for entry in ledger.find(each)}
        known |= {text for _, text in older_forms.forms().get(name, ())}
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
        today = known.today.signature.parameters
        assert (new in today) if new != old else ("kwargs" in today)
        assert any(old in ledger.parsed(text).parameters for _, text in forms.old_forms()[name])
