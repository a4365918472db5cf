"""`python -m proofs_check` is `slr`."""

from proofs_check.cli import main

if __name__ == "__main__":
    main()
