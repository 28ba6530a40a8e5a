"""What stops a diagram from being drawn, said to a designer.

Comes in: words. Goes out: `DiagramProblem`, a value like the problems of rule files, but without a
place: it is about the request or about this computer. What never happens: it is thrown.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiagramProblem:
    """Why there is no diagram, and what to do about it.

    Codes: D001 no such kind of diagram, D002 no such format, D003 no such level of detail, D004 no such
    name in the diagram, D005 the rules cannot be drawn, D010 nothing here can draw, D011 drawing
    failed, D012 the program at hand cannot write this format.
    """

    code: str
    text: str
    cure: str = ""

    def __str__(self) -> str:
        return f"{self.code} {self.text}" + (f" {self.cure}" if self.cure else "")
