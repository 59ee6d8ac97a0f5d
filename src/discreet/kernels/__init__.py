"""Compiled loops: arrays in, arrays out. Only this folder imports the compiler.

Each module is imported where its kernel is used, never at the top of the package, so that
`import discreet` neither loads nor compiles anything.
"""
