"""Where the Pythons differ, in a program of which nothing proves the Python.

Such a program runs as one of them. Its divisions, its `round` and the like go through functions that
give what this Python gives, and say the first time in each module that the other one gives something
else (`code.told_differences` puts them there).

* `python3`: what a program that runs as Python 3 calls; for Python 2 it is `tfqueue.port.py2.told`.
* `pickles`: `np.load` of an old program, which is told when it reads a pickle.
* `telling`: what is told, and what was; of libraries that changed, and of a guess which Keras a program is for, too.
"""
