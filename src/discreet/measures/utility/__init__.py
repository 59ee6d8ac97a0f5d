"""Loss of information, as an analyst would see it: one measure per file, collected by the
registry."""
