"""PRAM: the post-randomisation method."""
