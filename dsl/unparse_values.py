"""Writes expressions, selections, headers and types as text again.

The first half of dsl/unparse.py, which see. To add a form: a case in one of the functions here; and
if an operator may follow it, in `_binds` and `_open`.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

# How tightly a form binds; an operand that binds looser than its place asks for gets brackets.
_VALUE, OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _UNARY, _OF = range(9)


# ---------------------------------------------------------------- expressions


def _binds(e: n.Expr) -> int:
    match e:
        case n.Conditional():
            return _VALUE
        case n.Or():
            return OR
        case n.And():
            return _AND
        case n.Not():
            return _NOT
        case n.Compare() | n.Member() | n.HasHappened() | n.Every() | n.EveryIs():
            return _COMPARE
        case n.Arithmetic(operator="+" | "-"):
            return _ADD
        case n.Arithmetic() | n.Divide():
            return _MULTIPLY
        case n.Negative() | n.Quantified() | n.HowMany() | n.Fold():
            return _UNARY
        case _:
            return _OF


def _open(e: n.Expr) -> bool:
    """Does it end in a clause that would take what follows?"""
    match e:
        case n.Conditional() | n.Every():
            return True
        case n.Or(right=right) | n.And(right=right) | n.Compare(right=right) | n.EveryIs(right=right):
            return _open_operand(right, _binds(e) + 1)
        case n.Member(collection=right) | n.Arithmetic(right=right):
            return _open_operand(right, _binds(e) + 1)
        case n.Not(operand=operand):
            return _open_operand(operand, _NOT)
        case n.Negative(operand=operand):
            return _open_operand(operand, _UNARY)
        case n.Quantified(selection=s) | n.HowMany(selection=s) | n.Fold(selection=s):
            return bool(s.clauses)
        case _:
            return False


def _open_operand(e: n.Expr, least: int) -> bool:
    return _binds(e) >= least and _open(e)


def _closed(e: n.Expr, least: int) -> str:
    """An operand that something follows."""
    text = text_of(e)
    return f"({text})" if _binds(e) < least or _open(e) else text


def last_of(e: n.Expr, least: int) -> str:
    """An operand with which its form ends; that form may itself be followed by something."""
    text = text_of(e)
    return f"({text})" if _binds(e) < least else text


def closed_of(e: n.Expr) -> str:
    """A place, an owner, a player: a name, a call, `X of Y`, anything else in brackets."""
    return _closed(e, _OF)


def _amount(e: n.Expr) -> str:
    """How many, as a figure, a name or in brackets."""
    return text_of(e) if isinstance(e, n.Number | n.Name) else f"({text_of(e)})"


def arguments_of(arguments: tuple[n.Expr, ...]) -> str:
    """Arguments in their brackets; nothing where there are none."""
    return f"({', '.join(map(text_of, arguments))})" if arguments else ""


def text_of(node: n.Node) -> str:
    """The text of any node that is no effect, without brackets around it."""
    match node:
        case n.Number(value=value):
            return str(value)
        case n.YesNo(value=value):
            return "yes" if value else "no"
        case n.Nothing():
            return "none"
        case n.Name(text=text):
            return text
        case n.Of(name=name, owner=owner):
            return f"{name} of {closed_of(owner)}"
        case n.OfEvery(name=name, quantifier=quantifier, kind=kind):
            return f"{name} of {quantifier} {kind}"
        case n.Call(name=name, arguments=arguments):
            return name + arguments_of(arguments)
        case n.Can(event=event, arguments=arguments):
            return f"can {event}{arguments_of(arguments)}"
        case n.HasHappened(event=event, phase=phase):
            return f"{event} has happened this {phase}"
        case n.Range(low=low, high=high):
            return f"{text_of(low)} to {text_of(high)}"
        case n.SetDisplay(items=items):
            return f"[{', '.join(map(text_of, items))}]"
        case n.Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"if {text_of(condition)} then {text_of(then)} else {text_of(otherwise)}"
        case n.Or(left=left, right=right):
            return f"{_closed(left, OR)} or {last_of(right, _AND)}"
        case n.And(left=left, right=right):
            return f"{_closed(left, _AND)} and {last_of(right, _NOT)}"
        case n.Not(operand=operand):
            return f"not {last_of(operand, _NOT)}"
        case n.Compare(operator=operator, left=left, right=right):
            return f"{_closed(left, _ADD)} {operator} {last_of(right, _ADD)}"
        case n.Member(negated=negated, element=element, collection=collection):
            return f"{_closed(element, _ADD)} is {'not ' if negated else ''}in {last_of(collection, _ADD)}"
        case n.Arithmetic(operator="+" | "-" as operator, left=left, right=right):
            return f"{_closed(left, _ADD)} {operator} {last_of(right, _MULTIPLY)}"
        case n.Arithmetic(operator=operator, left=left, right=right):
            return f"{_closed(left, _MULTIPLY)} {operator} {last_of(right, _UNARY)}"
        case n.Divide(left=left, right=right, rounding=rounding):
            return f"{_closed(left, _MULTIPLY)} / {_closed(right, _UNARY)} rounded {rounding}"
        case n.Negative(operand=operand):
            return f"-{last_of(operand, _UNARY)}"
        case _:
            return _selecting(node)


def _selecting(node: n.Node) -> str:
    match node:
        case n.Quantified(word="count", selection=selection):
            return f"count of {selection_of(selection)}"
        case n.Quantified(word=word, selection=selection):
            return f"{word} {selection_of(selection)}"
        case n.HowMany(word=word, number=number, selection=selection):
            return f"{word} {_amount(number)} {selection_of(selection)}"
        case n.Fold(word="sum", value=value, selection=selection):
            return f"sum of {_closed(value, OR)} for {selection_of(selection)}"
        case n.Fold(word=word, value=value, selection=selection):
            return f"{word} {_closed(value, OR)} for {selection_of(selection)}"
        case n.Every(selection=selection, condition=condition):
            return f"every {selection_of(selection)} has {text_of(condition)}"
        case n.EveryIs(selection=selection, operator=operator, right=right):
            return f"every {selection_of(selection)} {operator} {last_of(right, _ADD)}"
        case n.Bare(selection=selection):
            return selection_of(selection)
        case n.Selection():
            return selection_of(node)
        case n.Amount(word="any number of"):
            return "any number of"
        case n.Amount(word="up to", number=number) if number is not None:
            return f"up to {_amount(number)}"
        case n.Amount(number=number) if number is not None:
            return text_of(number) if isinstance(number, n.Number) else f"({text_of(number)})"
        case n.Chosen(amount=amount, selection=selection):
            return f"{text_of(amount)} {selection_of(selection)}" if amount else selection_of(selection)
        case n.Clause():
            return f"{node.word} {text_of(node.value)}"
        case n.Going() | n.Linked():
            return _path(node)
        case _:
            return _declared(node)


def owner_of(e: n.Expr) -> str:
    """What stands after `of` in a selection, where `any player` is one of the possible things."""
    return _any_kind(e) or closed_of(e)


def _any_kind(e: n.Expr) -> str | None:
    if isinstance(e, n.Quantified) and e.word in ("any", "each"):
        return f"{e.word} {e.selection.kind}"
    return None


def selection_of(s: n.Selection) -> str:
    """The text of a selection."""
    parts = [s.kind]
    if s.name:
        parts.append(s.name)
    if s.owner is not None:
        parts.append(f"of {owner_of(s.owner)}")
    if s.source is not None:
        parts.append(f"{s.source_word} {closed_of(s.source)}")
    if s.like is not None:
        parts.append(f"like {closed_of(s.like)}")
    if s.path is not None:
        parts.append(_path(s.path))
    if s.relation:
        parts.append(f"by {s.relation}")
    for i, clause in enumerate(s.clauses):
        last = i == len(s.clauses) - 1
        best = clause.word.startswith("with")
        value = (last_of(clause.value, _ADD if best else _VALUE)) if last else closed_of(clause.value)
        parts.append(f"{clause.word} {value}")
    return " ".join(parts)


def _path(path: n.Going | n.Linked) -> str:
    if isinstance(path, n.Linked):
        return f"linked to {closed_of(path.start)}"
    way = _any_kind(path.direction) or closed_of(path.direction)
    limit = "" if path.limit is None else f" {'exactly' if path.exact else 'up to'} {closed_of(path.limit)}"
    return f"going {way} from {closed_of(path.start)}{limit}"


# ---------------------------------------------------------- headers and types


def _declared(node: n.Node) -> str:
    match node:
        case n.KindType(kind=kind):
            return kind
        case n.OptionalType(inner=inner):
            return f"{text_of(inner)} or none"
        case n.YesNoType():
            return "yes or no"
        case n.SetType(kind=kind):
            return f"set of {kind}"
        case n.NumberType(low=low, high=high):
            return f"number {_closed(low, _ADD)} to {_closed(high, _ADD)}"
        case n.Parameter(type=kind, name=name, default=default):
            written = _parameter_type(kind)
            return f"{written} {name}" + (f" = {text_of(default)}" if default is not None else "")
        case n.Header(name=name, parameters=parameters):
            return name + (f"({', '.join(map(text_of, parameters))})" if parameters else "")
        case n.Copies(number=n.Number(value=1), per=per) if per:
            return "one" + _per(per)
        case n.Copies(number=number, per=per):
            return _closed(number, _ADD) + _per(per)
        case n.NumberRange(low=low, high=high):
            return _closed(low, _ADD) if low is high else f"{_closed(low, _ADD)} to {_closed(high, _ADD)}"
        case n.Times(number=number, unit=unit, then=then):
            return f"{closed_of(number)} {unit}" + (f", then {then}" if then else "")
        case n.Turns(direction=None, players=players) if players is not None:
            return text_of(players)
        case n.Turns(direction=direction, start=start, condition=condition, once_around=once) if (
            start is not None
        ):
            where = f" where {text_of(condition)}" if condition is not None else ""
            return f"{direction} from {closed_of(start)}{where}{' once around' if once else ''}"
        case n.Happening(word="event", name=name):
            return name
        case n.Happening(word="becomes", name=name, value=value) if value is not None:
            return f"{name} becomes {text_of(value)}"
        case n.Happening(word="entering" | "leaving" | "skipping" as word, name=name):
            return f"{word} {name}"
        case n.Happening(word=word, name=name):
            return f"{name} {word}"
        case n.SeenBy(word=str(word)):
            return word
        case n.SeenBy(players=players) if players is not None:
            return text_of(players)
        case _:
            raise TypeError(f"{type(node).__name__} has no spelling")


def _per(per: tuple[tuple[str, object], ...]) -> str:
    return f" per {' and '.join(kind for kind, _ in per)}" if per else ""


def _parameter_type(kind: n.TypeNode) -> str:
    """Between the brackets of a header the bounds of a number are figures, or stand in brackets."""
    if isinstance(kind, n.NumberType):
        low = text_of(kind.low) if isinstance(kind.low, n.Number) else f"({text_of(kind.low)})"
        return f"number {low} to {_amount(kind.high)}"
    return text_of(kind)
