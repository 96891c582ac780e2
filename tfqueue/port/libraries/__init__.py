"""The libraries of the day as they were, where only run time can tell: translated programs import what is here.

A module's name begins with that of its library, as the names of its rules in `port/rules/libraries` do: what
`gym_changed` writes an import of is `gym_methods`, which takes the wrappers of `gym_environments`. One that ends
so, `*_methods`, is imported for what it does, and so is `h5py_python2`: it gives a library's classes back what
they had. `re_flags` is imported for what it does, too. `installed` makes the changes where the library is, and classes on the library's;
`callers` says who calls such a method, the program or a library.

Of Keras: `keras_1` has what models take and give (`fit_generator(nb_epoch=, samples_per_epoch=)`, `merge`), `keras_words` the arguments
of layers, `keras_attributes` the attributes of both, `keras_1_callbacks` callbacks, `keras_initializations` functions of a shape.
`keras_layers` has layers of a program's own, `keras_recurrent` its recurrent ones, `keras_pooling` its pooling ones, `keras_iterators` its iterators, `keras_optimizers`
its optimizers. `keras_parts` has what is not public today, `keras_gone` what nothing stands for, `keras_applications` networks.

The others: `cv2_contours`, `cv2_scalars` and `cv2_shapes`, `gensim_vectors`, `h5py_files`, `imageio_functions`, `imblearn_samplers`, `librosa_functions`,
`matplotlib_functions`, `networkx_graphs` and `networkx_lists`, `nibabel_images`, `nltk_scores`, `numpy_star` and `numpy_umath_tests`,
`pandas_dates`, `pandas_frames`, `pandas_groups`, `pandas_order`, `pandas_values` and `pandas_writers`, `pil_images` and `pil_shapes`, `protobuf_messages`, `re_matches`, `scipy_functions`, `scipy_misc` and `scipy_values`,
`skimage_functions`, `skimage_images`, `skimage_peaks`, `skimage_shapes` and `skimage_warps`, `sklearn_assignment`,
`sklearn_folds`, `sklearn_learners`, `sklearn_searches` and `sklearn_values`. `told_results` says of a function that nothing gives its old values back.
"""
