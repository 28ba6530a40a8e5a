"""The rules language: from text to a checked model of a game. Knows nothing of playing."""
