"""`tensorflow.models.rnn`, of which `ptb` and `rnn` are here."""
