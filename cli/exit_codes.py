"""Exit codes: how a command ended, for scripts.

Comes in: nothing. Goes out: the numbers. What never happens: another number, or one number for two meanings.
"""

from __future__ import annotations

OK = 0
PROBLEMS = 1  # something is wrong in the rules, or a scenario or comparison failed
USAGE = 2  # the command cannot be understood: a wrong flag, a game that is not there …
BUG = 3  # our own fault
INTERRUPTED = 130  # Ctrl-C
