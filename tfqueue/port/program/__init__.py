"""What a program is: its modules, which Python and TensorFlow it is from, its pipelines.

* `module` is one parsed file, as the rules see it.
* `verdict` finds the modules of a program and says which Python it was written for.
* `python_signs` finds what shows the Python, and `era` what shows the TensorFlow.
* `pipelines` and `inputs` find the calls and the functions that build an input pipeline.
* `tensorflow_names` finds the names below `tf` that do not exist.
"""
