"""The libraries of the day as they were, where only run time can tell: translated programs import what is here.

A module that ends in `_methods` is imported for what it does: it gives a library's classes back what they had.

* `environments` (gym), `figures` (matplotlib), `frames` and `frame_groups` (pandas), `graphs` and `graph_lists`
  (networkx), `hdf5` (h5py), `keras_1` (Keras before 2.0), `word_vectors` (gensim).
* `contours` (OpenCV), `images` (scipy.misc), `pictures` (Pillow, imageio), `skimages` (scikit-image), `sounds` (librosa).
* `folds` and `learners` (scikit-learn), `sparse_methods` (scipy).

The rules that write these imports are in `port/rules/libraries`.
"""
