"""Rulewright: a language for the rules of tabletop games, and what plays them.

Comes in: nothing. Goes out: the version. What never happens: an import of a sub-package from
here; each of them is imported by its own name (`import rulewright.dsl`), so that reading rules
does not load what draws diagrams.
"""

__version__ = "0.1.0"
