"""Slips in correct rules: the message names the slip, in its place, and its cure does no harm."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.tests.dsl.mutations import Laboratory, Outcome, pieces_of_corpus, pieces_of_games, sample

LEAST_GOOD = 0.95
LEAST_RESTORED = 0.98  # of the replacements that are offered


def figures(outcomes: list[Outcome]) -> str:
    """The figures of a run, and the first mutants that went wrong."""
    verdicts = Counter(o.verdict for o in outcomes)
    wrong = len(outcomes) - verdicts["valid"]
    lines = [
        f"{len(outcomes)} mutants, {verdicts['valid']} valid again; of {wrong} wrong ones "
        f"{verdicts['good']} good ({verdicts['good'] / max(1, wrong):.1%}), {verdicts['vague']} vague, "
        f"{verdicts['elsewhere']} blamed elsewhere; {sum(o.reverses for o in outcomes)} reversed; "
        f"replacements right {sum(o.replacement_right is True for o in outcomes)}, "
        f"wrong {sum(o.replacement_right is False for o in outcomes)}"
    ]
    for slip in sorted({o.mutant.slip for o in outcomes}):
        of_slip = [o for o in outcomes if o.mutant.slip == slip]
        counts = Counter(o.verdict for o in of_slip)
        lines.append(f"  {slip}: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
    bad = [
        o
        for o in outcomes
        if o.verdict in ("vague", "elsewhere") or o.reverses or o.replacement_right is False
    ]
    for o in bad[:60]:
        said = "; ".join(
            f"{p.code} {p.span.line}:{p.span.column} {p.text} {p.cure[:60]}" for p in o.problems[:2]
        )
        marks = (
            o.verdict
            + (" REVERSED" if o.reverses else "")
            + (" WRONG" if o.replacement_right is False else "")
        )
        lines.append(f"  [{marks}] {o.mutant}\n      {said}")
    return "\n".join(lines)


def check(outcomes: list[Outcome]) -> None:
    told = figures(outcomes)
    wrong = [o for o in outcomes if o.verdict != "valid"]
    assert sum(o.verdict == "good" for o in wrong) >= LEAST_GOOD * len(wrong), told
    assert not any(o.reverses for o in wrong), told
    offered = [o for o in wrong if o.replacement_right is not None]
    assert sum(o.replacement_right is True for o in offered) >= LEAST_RESTORED * len(offered), told


def test_slips_in_the_games_are_named_in_their_place(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path)
    check([laboratory.outcome(m) for m in sample(pieces_of_games(), 400, seed=11)])


def test_slips_in_the_corpus_are_named_in_their_place(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path)
    check([laboratory.outcome(m) for m in sample(pieces_of_corpus(), 1200, seed=12)])


@pytest.mark.soak
def test_slips_everywhere_are_named_in_their_place(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path)
    check([laboratory.outcome(m) for m in sample(pieces_of_games(), 12_000, seed=13)])
    check([laboratory.outcome(m) for m in sample(pieces_of_corpus(), 12_000, seed=14)])
