"""The part of `tensorflow.models`, in the wheels up to 0.12, that input pipelines used.

`rnn.ptb.reader` reads the Penn Treebank files, `rnn.rnn` has the loop of 0.7 and before. The other tutorials are whole programs: put their
modules beside the program that imports them.
"""
