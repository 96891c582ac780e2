"""What `tensorflow.examples` held for programs to import: the MNIST tutorial's two modules, in `tutorials`."""
