from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.tests.cli.running import COMMAND, environment


@pytest.mark.parametrize("kind", ["phases", "effects", "components"])
def test_text_goes_to_standard_output(kind: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["diagram", "tic_tac_toe", "--kind", kind, "--format", "dot"]) == 0
    assert b"digraph" in capfdbinary.readouterr().out


def test_the_format_follows_the_name_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, start in (("a.svg", b"<"), ("b.png", b"\x89PNG"), ("c.dot", b"digraph"), ("deep/d.mmd", b"")):
        path = tmp_path / name
        assert main(["diagram", "tic_tac_toe", "-o", str(path)]) == 0
        assert path.read_bytes().startswith(start)
        assert f"Written: {path}" in capsys.readouterr().err


def test_a_pipe_gets_the_picture(tmp_path: Path) -> None:
    import subprocess

    done = subprocess.run(
        [*COMMAND, "diagram", "tic_tac_toe", "--format", "png"],
        capture_output=True, cwd=tmp_path, env=environment(), timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout.startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == []


def test_a_variant_is_drawn_as_it_is(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    flags = ["--kind", "effects", "--format", "dot", "--detail", "all"]
    assert main(["diagram", "vye", *flags]) == 0
    plain = capfdbinary.readouterr().out
    assert main(["diagram", "vye", "--variant", "safe_kings", *flags]) == 0
    assert b"kings_are_safe" in capfdbinary.readouterr().out and b"kings_are_safe" not in plain


def test_only_what_lies_around_a_name(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    flags = ["--kind", "effects", "--format", "dot", "--around", "lay"]
    assert main(["diagram", "vyr", *flags, "--depth", "0"]) == 0
    small = capfdbinary.readouterr().out
    assert main(["diagram", "vyr", *flags, "--depth", "3"]) == 0
    assert len(capfdbinary.readouterr().out) > len(small)
    assert main(["diagram", "vyr", "--kind", "effects", "--around", "layy"]) == 2
    assert b"Did you mean `lay`?" in capfdbinary.readouterr().err


def test_rules_with_errors_are_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.yaml").write_text("game: Broken\nplayers: 2\nflow: []\nzones: {a: {holds: nonsense}}\n")
    assert main(["diagram", str(tmp_path), "--format", "dot"]) == 1
    assert "game.yaml:" in capsys.readouterr().err
