"""`tensorflow.models.rnn`, of which `ptb` is here."""
