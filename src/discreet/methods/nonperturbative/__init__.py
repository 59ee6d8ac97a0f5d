"""Non-perturbative methods (survey §3): less is released, but nothing false."""
