"""`python -m rulewright.cli`: the same as the command `rulewright`."""

from __future__ import annotations

import sys

from rulewright.cli import main

if __name__ == "__main__":  # processes that play batches import this file again
    sys.exit(main())
