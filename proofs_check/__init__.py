"""The ledger: every statement, the evidence for it, and the false variants that the evidence rejects."""
