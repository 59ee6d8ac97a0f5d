"""Non-perturbative methods (survey §3): nothing false is released, but less."""
