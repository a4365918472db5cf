"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""
