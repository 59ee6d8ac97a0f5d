"""The first look: how well suggested roles and kinds agree with those that a steward would give."""
