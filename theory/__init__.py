"""The mathematics of single-location regression, derived with SymPy."""
