"""The file formats, one module each: a module in this folder is a format that can be read."""
