"""`tf.contrib.lookup`: tables from words to numbers and back, most of them TensorFlow's still.

`tables` has those that may be shared by name.
"""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "FastHashSpec": "tensorflow.python.ops.lookup_ops:FastHashSpec",
    "HasherSpec": "tensorflow.python.ops.lookup_ops:HasherSpec",
    "IdTableWithHashBuckets": "tensorflow.python.ops.lookup_ops:IdTableWithHashBuckets",
    "InitializableLookupTableBase": "tensorflow.python.ops.lookup_ops:InitializableLookupTableBase",
    "KeyValueTensorInitializer": "tensorflow.python.ops.lookup_ops:KeyValueTensorInitializer",
    "LookupInterface": "tensorflow.python.ops.lookup_ops:LookupInterface",
    "StrongHashSpec": "tensorflow.python.ops.lookup_ops:StrongHashSpec",
    "TextFileIdTableInitializer": "tensorflow.python.ops.lookup_ops:TextFileIdTableInitializer",
    "TextFileIndex": "tensorflow.python.ops.lookup_ops:TextFileIndex",
    "TextFileInitializer": "tensorflow.python.ops.lookup_ops:TextFileInitializer",
    "TextFileStringTableInitializer": "tensorflow.python.ops.lookup_ops:TextFileStringTableInitializer",
    "index_table_from_file": "tensorflow.python.ops.lookup_ops:index_table_from_file",
    "index_table_from_tensor": "tensorflow.python.ops.lookup_ops:index_table_from_tensor",
    "index_to_string_table_from_file": "tensorflow.python.ops.lookup_ops:index_to_string_table_from_file",
    "index_to_string_table_from_tensor": "tensorflow.python.ops.lookup_ops:index_to_string_table_from_tensor",
    "HashTable": f"{__name__}.tables:HashTable",
    "MutableHashTable": f"{__name__}.tables:MutableHashTable",
    "MutableDenseHashTable": f"{__name__}.tables:MutableDenseHashTable",
    "TableInitializerBase": "tensorflow.python.ops.lookup_ops:TableInitializerBase",
    "index_to_string": f"{__name__}.tables:index_to_string",
    "lookup_ops": __name__,
    "string_to_index": f"{__name__}.tables:string_to_index",
    "string_to_index_table_from_file": "tensorflow.python.ops.lookup_ops:index_table_from_file",
    "string_to_index_table_from_tensor": "tensorflow.python.ops.lookup_ops:index_table_from_tensor",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
