"""Playtest: bots, whole matches, batches of them, and what the numbers say.

Comes in: a game by name, with variants, options, players and a seed. Goes out: tallies, summaries as
plain data, records on disk. What never happens: a result that depends on how many processes played, or a
bot that moves the game's own luck. Each idea is a module of its own; `batch.run_batch` is where most
callers begin.
"""
