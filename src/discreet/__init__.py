"""Statistical disclosure control of microdata."""
