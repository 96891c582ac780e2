"""What a program is: its modules, which Python and TensorFlow it is from, its pipelines.

* `module` is one parsed file, as the rules see it.
* `project` finds the files of a program, and `folders` tells them from libraries.
* `written_for` says which Python and which TensorFlow (`era`) all its files together are from. It reads the
  `facts` of each file, which `python_signs`, `tensorflow_signs`, `keras_signs` and `later_keras` find;
  `index_generators` finds one of their signs.
* `reach` tells what of a module is run whenever the module is; `objects` tells of which class an object is;
  `stars` tells what an `import *` brings.
* `today` asks today's `tfqueue.v1` about names and calls, in a process of its own.
* `python2_library` lists names of Python 2 that mean another thing today, and `patterns` tells which regular
  expressions do.
* `pipelines` and `inputs` find the calls and the functions that build an input pipeline.
* `tensorflow_names` finds the names below `tf` that do not exist; `refusals` adds these to what can't be
  helped, words it and gives the exit code.
"""
