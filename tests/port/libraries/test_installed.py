"""A library is changed where it is, and an error of the change is told."""

import pytest

from tfqueue.port.libraries import installed


def test_what_is_absent_is_not_changed():
    installed.change("a_library_that_nobody_has", lambda: pytest.fail("changed"))


def test_changes_are_made_in_their_order():
    made = []
    installed.change("json", lambda: made.append(1), lambda: made.append(2))
    assert made == [1, 2]


def test_an_import_error_of_a_change_is_told():
    def change():
        raise ImportError("no part of that name")

    with pytest.raises(ImportError, match="no part of that name"):
        installed.change("json", change)
