"""Linear probing of a BERT-family model: the experiment that motivates single-location regression.

Needs the extra `probe`; importing this package does not load it.
"""
