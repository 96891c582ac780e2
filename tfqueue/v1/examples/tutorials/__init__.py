"""`tensorflow.examples.tutorials`, of which `mnist` is here."""
