"""What is measured about a release: risk, utility, attacks, and the record linkage they share."""
