"""Generated from theory/ by `python -m numerics.generate`; do not edit."""
