from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rulewright.cli.menu import SHORT, Menu, menu_of, next_menu
from rulewright.interpreter.decisions import Option


def options_of(*groups: tuple[str, dict[str, list[str]]]) -> list[Option]:
    """The options of actions with their keys."""
    found: list[Option] = []
    for action, keys in groups:
        for values in product(*keys.values()):
            pairs = tuple(zip(keys, values, strict=True))
            name = " ".join([action, *(f"{k}={v}" for k, v in pairs)])
            said = ", ".join(f"{k} the {v}" for k, v in pairs)
            text = f"Do {action}" + (f": {said}" if said else "")
            found.append(Option(len(found), name, text, action, pairs, ()))
    return found


def reachable(menu: Menu) -> list[str]:
    found: list[str] = []
    for entry in menu.entries:
        found += [entry.options[0].id] if len(entry.options) == 1 else reachable(next_menu(entry))
    return found


keys = st.lists(st.integers(1, 6), max_size=3).map(
    lambda sizes: {f"k{i}": [f"v{i}{n}" for n in range(size)] for i, size in enumerate(sizes)}
)


@given(st.lists(keys, min_size=1, max_size=4))
def test_every_option_is_reached_once_in_order(groups: list[dict[str, list[str]]]) -> None:
    options = options_of(*((f"act{i}", g) for i, g in enumerate(groups)))
    assert reachable(menu_of(options)) == [o.id for o in options]


def test_few_options_are_one_list() -> None:
    menu = menu_of(options_of(("play", {"card": ["a", "b"], "spot": ["c1", "c2"]}), ("wait", {})))
    assert [e.value for e in menu.entries][-1] == "wait" and len(menu.entries) == 5
    assert menu.prefix == ""


def test_many_options_are_grouped_by_action_then_piece_then_place() -> None:
    cards, spots = ["a", "b", "c"], [f"c{i}" for i in range(1, 9)]
    options = options_of(("play", {"card": cards, "spot": spots}), ("wait", {}))
    assert len(options) > SHORT
    first = menu_of(options)
    assert [e.text for e in first.entries] == ["Do play  (24 ways)", "Do wait"]
    second = next_menu(first.entries[0])
    assert [e.value for e in second.entries] == ["play card=a", "play card=b", "play card=c"]
    assert second.entries[1].text == "Do play, card the b  (8 ways)" and second.prefix == "play"
    third = next_menu(second.entries[1])
    assert len(third.entries) == 8 and third.prefix == "play card=b" and "card the b" in third.heading


def test_an_entry_is_found_by_number_id_or_value() -> None:
    menu = menu_of(options_of(("play", {"card": ["a", "b"]})))
    assert menu.entry("2") is menu.entry("play card=b") is menu.entry("b") is menu.entries[1]
    for wrong in ("0", "3", "99999999999", "c", "", "play"):
        assert menu.entry(wrong) is None


def test_a_value_that_fits_two_entries_is_nobodys() -> None:
    menu = menu_of(options_of(("give", {"card": ["a"]}), ("take", {"card": ["a"]})))
    assert menu.entry("a") is None


def test_choices_in_effects_have_no_action() -> None:
    options = [Option(i, f"card={c}", f"card {c}", "", (("card", c),), ()) for i, c in enumerate("ab")]
    menu = menu_of([*options, Option(2, "done", "done", "", (), ())])
    assert menu.prefix == "" and menu.entry("b") is menu.entries[1] and menu.entry("done") is menu.entries[2]
