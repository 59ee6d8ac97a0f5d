"""MASSC: micro agglomeration, substitution, subsampling and calibration."""
