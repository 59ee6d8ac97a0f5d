"""What is measured of a release: risk, utility, attacks, and the record linkage that they share."""
