"""Every critical point of the risk: found, proved, counted."""
