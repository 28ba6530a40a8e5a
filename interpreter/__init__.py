"""From a checked game to play: one program, the machine that walks it, matches, views and records.

`rulewright.interpreter.api` is the public way in.
"""
