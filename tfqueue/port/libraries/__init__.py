"""The libraries of the day as they were, where only run time can tell: translated programs import what is here.

A module's name begins with that of its library, as the names of its rules in `port/rules/libraries` do: what
`gym_changed` writes an import of is `gym_methods`, which takes the wrappers of `gym_environments`. One that ends
so, `*_methods`, is imported for what it does, and so is `h5py_python2`: it gives a library's classes back what
they had. `re_flags` is imported for what it does, too. `callers` says who calls such a method, the program or a library.

The others: `cv2_contours`, `cv2_scalars` and `cv2_shapes`, `gensim_vectors`, `h5py_files`, `imageio_functions`, `imblearn_samplers`, `keras_1`, `keras_1_callbacks`,
`keras_applications`, `keras_attributes`, `keras_gone`, `keras_initializations`, `keras_iterators`, `keras_layers`, `keras_optimizers`, `keras_parts`, `keras_recurrent` and `keras_words`, `librosa_functions`,
`matplotlib_functions`, `networkx_graphs` and `networkx_lists`, `nibabel_images`, `numpy_star` and `numpy_umath_tests`,
`pandas_frames`, `pandas_groups` and `pandas_writers`, `pil_images` and `pil_shapes`, `scipy_functions` and `scipy_misc`,
`skimage_functions`, `skimage_images`, `skimage_peaks`, `skimage_shapes` and `skimage_warps`, `sklearn_assignment`,
`sklearn_folds`, `sklearn_learners` and `sklearn_searches`. `told_results` says of a function that nothing gives its old values back.
"""
