"""Statistical models that values are fitted to and drawn from; they claim no protection."""
