"""Benchmarks: each module measures one area against a plain alternative in the same run."""
