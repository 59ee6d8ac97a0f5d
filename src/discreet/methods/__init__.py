"""Methods that a user calls by name, in the survey's taxonomy; found by the registry."""
