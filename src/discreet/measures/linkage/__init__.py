"""Record linkage: which original a released record could have come from."""
