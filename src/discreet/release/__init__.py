"""From a file to a release: describe, plan, protect, assess, and the gate."""
