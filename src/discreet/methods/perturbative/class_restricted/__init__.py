"""Methods over class-restricted groups: the masking, its averaged runs, and the least k."""
