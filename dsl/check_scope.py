"""Scopes: the names that a piece of logic may use beside those of the game, and what is known of them.

Comes in: parameters, choices, selections, tests. Goes out: a new scope each time; scopes are never
changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.types import Type


@dataclass(frozen=True, slots=True)
class Scope:
    """`names`: local names and their types. `facts`: what a test has settled about an expression, by text.

    `unnamed`: kinds of open selections without a name. `acting`: whether `actor` means somebody. `chooser`:
    the text of who chooses, inside the conditions of a choice ("" elsewhere). `within`: the name of the
    definition being typed. `phase_names`: state of the phases around, readable here.
    """

    names: dict[str, Type] = field(default_factory=dict)
    facts: dict[str, Type] = field(default_factory=dict)
    unnamed: frozenset[str] = frozenset()
    acting: bool = True
    chooser: str = ""

    def with_name(self, name: str, type: Type) -> Scope:
        """This scope and one more name; facts about an older name are forgotten."""
        facts = {k: v for k, v in self.facts.items() if name not in k.split()}
        return replace(self, names={**self.names, name: type}, facts=facts)

    def with_names(self, names: dict[str, Type]) -> Scope:
        """This scope and more names."""
        return replace(self, names={**self.names, **names})

    def knowing(self, facts: dict[str, Type]) -> Scope:
        """This scope and what a test has settled."""
        return replace(self, facts={**self.facts, **facts}) if facts else self

    def without_facts(self) -> Scope:
        """This scope with nothing settled: after something has been changed."""
        return replace(self, facts={}) if self.facts else self


def text_of(node: n.Expr) -> str:
    """A key for a name or `X of Y`, by its words; "" for anything that a test cannot settle."""
    match node:
        case n.Name(text=text):
            return text
        case n.Of(name=name, owner=owner):
            inner = text_of(owner)
            return f"{name} of {inner}" if inner else ""
        case n.Call(name=name, arguments=arguments):
            inner_texts = [text_of(a) for a in arguments]
            return f"{name} ( {' , '.join(inner_texts)} )" if all(inner_texts) else ""
    return ""
