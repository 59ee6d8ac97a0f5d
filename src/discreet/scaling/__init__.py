"""Large files: the same plans on files larger than memory, on one machine or on a cluster."""
