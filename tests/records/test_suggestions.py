"""tfqueue.records.suggestions: the file that was meant."""

from tfqueue.records import suggestions


def test_a_file_of_nearly_the_same_name_is_told_with_its_folder(tmp_path):
    for name in ("train-00.tfrecord", "labels.csv"):
        (tmp_path / name).write_text("")
    found = suggestions.similar_file(str(tmp_path / "trian-00.tfrecord"))
    assert found == str(tmp_path / "train-00.tfrecord")
    assert suggestions.similar_file(str(tmp_path / "other.tfrecord")) is None
    assert suggestions.similar_file(str(tmp_path / "nowhere" / "train-00.tfrecord")) is None
