"""Tables of databases that a release is written into, each in one transaction."""
