"""What users of a release compute: one file for each kind of analysis that a plan can declare."""
