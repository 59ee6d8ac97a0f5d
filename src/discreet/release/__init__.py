"""From a file to a release: describing, planning, protecting, assessing, and the release gate."""
