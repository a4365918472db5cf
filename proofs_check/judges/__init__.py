"""The judges, one module for each kind of evidence."""
