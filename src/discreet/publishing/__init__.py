"""The directory that a release becomes, and the private record that it can be redrawn from."""
