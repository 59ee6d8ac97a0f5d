"""Methods that a user calls by name, in the survey's taxonomy; the registry collects them."""
