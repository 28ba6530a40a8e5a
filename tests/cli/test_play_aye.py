"""One person and five bots play Aye on a terminal, to the end, and the person is told what is asked and why.

A policy that reads nothing but the question and the lines of the list plays for the person. Which seed shows
everything that is looked for is found beforehand, by the same policy without a terminal: so a change of the
rules spoils no seed.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.decisions import Decision
from rulewright.interpreter.match import Match
from rulewright.playtest.bots import bot_named
from rulewright.tests.cli.running import ROOT, environment

pexpect = pytest.importorskip("pexpect")
if sys.platform == "win32":
    pytest.skip("no pseudo-terminals there", allow_module_level=True)

NAMES = ("ann", "bob", "cleo", "dora", "emil", "fay")
SEEDS, MOST = (5, *range(60)), 70  # how many questions the person may be asked
ASKED = re.compile(r"^ann: (.*)$", re.MULTILINE)
LINE = re.compile(r"^ +(\d+)  (.+?)(?:   *(\S+(?: \S+)*))?$", re.MULTILINE)
NUMBERS = re.compile(r"^(.*)  (\d+) to (\d+)$")
WANTED = {
    "the goals to begin with": "Choose a goal (to discard)",
    "a command is laid": "Where does Command (rum) go?",
    "dice are dealt": "How many go to pool of fay?",
    "a secret vote": "Aye or Argh?",
    "uniting": "Roll together?",
    "a reroll": "Choose any of these dice (again)",
    "a mutiny": "Shall the candidate be captain?",
}


def answer(question: str, lines: list[str]) -> str:
    """One of the lines. Ann gives herself and Fay dice and sets sails; she unites and rolls again."""
    wanted = ""
    if "purse of" in question:
        wanted = "3"
    elif "Command (rum)" in question:
        wanted = "order of fay"
    elif "Command (set_sails)" in question:
        wanted = "order of ann"
    elif "pool of" in question:
        wanted = "4" if "of ann" in question else "3" if "of fay" in question else "0"
    elif "Choose a deed" in question:
        wanted = "set sails"
    elif "Obey" in question or "mutiny" in question:
        wanted = "Go ahead"
    elif "Command" in question or "go?" in question:
        wanted = lines[-1]
    return wanted if wanted in lines else lines[-1] if wanted.isdecimal() else lines[0]


# ------------------------------------------------------------------- which seed


@cache
def game() -> PlayableGame:
    found = load("aye")
    assert isinstance(found, PlayableGame)
    return found


def questions(seed: int) -> list[str]:
    """What the person would be asked with this seed."""
    match = game().start(NAMES, seed, {"first_captain": "ann"}, trace=False)
    assert isinstance(match, Match)
    bots = [bot_named("random", seed, seat) for seat in range(len(NAMES))]
    asked: list[str] = []
    united = False
    while match.decision is not None:
        decision = match.decision
        if decision.player == 0:
            asked.append(decision.prompt + (" (united)" if united and decision.name == "again" else ""))
            choice = own_choice(decision)
        else:
            choice = bots[decision.player].choose(match)
        assert match.choose(choice) is None
        united = len(match.view(0)["state"]["crew"]) > 1
    return asked


def own_choice(decision: Decision) -> int:
    lines = [option.text for option in decision.options]
    return lines.index(answer(decision.prompt, lines))


def shows_everything(asked: list[str]) -> bool:
    together = any(question.endswith("(united)") for question in asked)
    return len(asked) <= MOST and together and all(any(w in q for q in asked) for w in WANTED.values())


# --------------------------------------------------------------------- at the table


@dataclass
class Table:
    """What came on the screen before each answer of the person: the question, and all that stood above it."""

    child: Any
    questions: list[str] = field(default_factory=list)
    screens: list[str] = field(default_factory=list)

    def play(self) -> str:
        """Play to the end; what came on the screen after the last answer."""
        prompt = re.compile(r"\nann(?: \(close, back or again\))?> $")
        while True:
            if self.child.expect([prompt, pexpect.EOF]) == 1:
                return str(self.child.before)
            screen = self.child.before.replace("\r", "")
            self.child.sendline(self.reply(screen, "close" in self.child.after))

    def reply(self, screen: str, laid: bool) -> str:
        self.screens.append(screen)
        if laid:
            self.questions.append("close")
            return "close"
        asked = list(ASKED.finditer(screen))[-1]
        question, listed = asked[1], LINE.findall(screen[asked.end() :])
        self.questions.append(question)
        by_number = NUMBERS.match(question)
        if by_number is not None:
            low, high = int(by_number[2]), int(by_number[3])
            return answer(by_number[1], [str(n) for n in range(low, high + 1)])
        texts = [text for _, text, _ in listed]
        return str(listed[texts.index(answer(question, texts))][0])

    def screen_of(self, question: str) -> str:
        return next(s for s, q in zip(self.screens, self.questions, strict=True) if question in q)


@pytest.fixture(scope="module")
def table() -> Any:
    seed = next(seed for seed in SEEDS if shows_everything(questions(seed)))
    child = pexpect.spawn(
        sys.executable,
        ["-m", "rulewright.cli", "play", "aye", "--players", ",".join(NAMES), "--seed", str(seed),
         "--option", "first_captain=ann"],
        env=environment(), cwd=str(ROOT), encoding="utf-8", timeout=60, dimensions=(50, 120),
    )  # fmt: skip
    played = Table(child)
    played.screens.append("")
    played.questions.append("")
    end = played.play()
    child.close()
    yield played, end, int(child.exitstatus)
    child.close(force=True)


def test_a_person_plays_to_the_end(table: Any) -> None:
    played, end, code = table
    assert code == 0 and "The game is over: " in end and ("Winner: " in end or "Nobody has won." in end)
    assert not any("Not possible" in screen or "no line" in screen for screen in played.screens)


@pytest.mark.parametrize("what", WANTED)
def test_everything_is_asked_for_by_what_it_is(table: Any, what: str) -> None:
    played, _, _ = table
    assert any(WANTED[what] in question for question in played.questions)


def test_the_first_questions_come_in_the_order_of_the_rules(table: Any) -> None:
    played, _, _ = table
    first = [next(i for i, q in enumerate(played.questions) if w in q) for w in list(WANTED.values())[:4]]
    assert first == sorted(first)


def test_no_question_leaves_open_what_for(table: Any) -> None:
    """A choice of a thing says what it is for, in brackets, or which card asks."""
    played, _, _ = table
    bare = [
        q for q in played.questions if re.fullmatch(r"Choose (a|an|any of these|\d+ of these) [a-z ]+", q)
    ]
    assert set(bare) <= {"Choose a bargain"}


def test_the_question_stands_below_its_phase(table: Any) -> None:
    played, _, _ = table
    phases = {"Aye or Argh?": "voting", "Roll together?": "uniting", "Shall the candidate": "mutinies"}
    for question, phase in phases.items():
        heading = [line for line in played.screen_of(question).split("\n") if line.startswith("Aye · ")][-1]
        assert phase in heading
    assert "`close` keeps it" in played.screen_of("Where does Command (rum) go?")


def test_nobody_sees_a_vote_before_all_have_voted(table: Any) -> None:
    played, _, _ = table
    number = next(i for i, q in enumerate(played.questions) if q == "Aye or Argh?")
    assert played.screens[number].count("vote none") == len(NAMES)
    assert "vote none" not in played.screens[number + 1] and played.screens[number + 1].count("vote a") > 5


def test_who_declares_a_mutiny_for_whom_is_told_before_the_question(table: Any) -> None:
    played, _, _ = table
    screen = played.screen_of("Shall the candidate be captain?")
    assert re.search(r"^  (?!ann)\w+: Declare a mutiny: candidate \w+$", screen, re.MULTILINE)
    assert "It counts what more than half choose." in screen and re.search(
        r"1  raised +thumbs=raised", screen
    )


def test_an_agreement_and_the_dice_of_the_united_roll_are_told(table: Any) -> None:
    played, _, _ = table
    assert "It counts if all choose the same." in played.screen_of("Roll together?")
    together = [
        i for i, screen in enumerate(played.screens)
        if "They agree: yes" in screen and "(again)" in played.questions[i]
    ]  # fmt: skip
    screen, after = played.screens[together[0]], played.screens[together[0] + 1]
    assert re.search(r"^  die (mission|argh)_die \d+: [a-z]+$", screen, re.MULTILINE)
    assert re.search(r"^ +1  (Mission|Argh) die \[[a-z]+\]", screen, re.MULTILINE)
    assert re.search(r"^  die (mission|argh)_die \d+: [a-z]+$", after, re.MULTILINE)
