"""The directory that a release is written to, and the private record to redraw it from."""
