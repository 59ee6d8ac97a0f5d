"""Loss of information, as an analyst would find it: one measure a file, found by the registry."""
