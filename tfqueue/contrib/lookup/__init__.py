"""`tf.contrib.lookup`: tables from words to numbers and back, most of them TensorFlow's still.

`tables` has those that may be shared by name.
"""

from tfqueue.v1 import _lazy_names

_NAMES = (
    "FastHashSpec HasherSpec IdTableWithHashBuckets InitializableLookupTableBase "
    "KeyValueTensorInitializer LookupInterface StrongHashSpec TextFileIdTableInitializer "
    "TextFileIndex TextFileInitializer TextFileStringTableInitializer index_table_from_file "
    "index_table_from_tensor index_to_string_table_from_file index_to_string_table_from_tensor "
    "TableInitializerBase"
)
_TABLES = "HashTable MutableHashTable MutableDenseHashTable index_to_string string_to_index"
_ROWS = {
    **_lazy_names.rows_of("tensorflow.python.ops", {"lookup_ops": _NAMES}),
    **_lazy_names.rows_of(__name__, {"tables": _TABLES}),
    "lookup_ops": __name__,
    "string_to_index_table_from_file": "tensorflow.python.ops.lookup_ops:index_table_from_file",
    "string_to_index_table_from_tensor": "tensorflow.python.ops.lookup_ops:index_table_from_tensor",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
