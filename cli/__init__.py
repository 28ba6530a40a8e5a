"""The command line: `rulewright COMMAND …`.

Comes in: the arguments. Goes out: an exit code (`exit_codes.py`); results on standard output, everything
else on standard error. What never happens: a traceback on the screen. A fault of ours is written to a
file, and said so.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import traceback

from rulewright.cli.exit_codes import BUG, INTERRUPTED, OK, USAGE


def main(argv: list[str] | None = None) -> int:
    """Run one command; `argv` without the program's name (None: those of this process)."""
    try:
        return _run(argv)
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`); a later flush at exit must not complain.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception:
        return _our_fault()


def _run(argv: list[str] | None) -> int:
    from rulewright.cli.loading import Stop
    from rulewright.cli.parser import parser

    given = sys.argv[1:] if argv is None else argv
    try:
        top = parser(given)
        arguments = top.parse_args(given)
    except SystemExit as leave:  # argparse has printed help, the version, or what is wrong
        return leave.code if isinstance(leave.code, int) else USAGE
    if arguments.command is None:
        top.print_help(sys.stderr)
        return USAGE
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except Stop as stop:
        return stop.code


def _our_fault() -> int:
    """Say that we failed, and where the details are."""
    details = traceback.format_exc()
    where = ""
    with contextlib.suppress(OSError):
        file, name = tempfile.mkstemp(prefix="rulewright-", suffix=".txt", text=True)
        with os.fdopen(file, "w", encoding="utf-8", errors="backslashreplace") as out:
            out.write(f"rulewright {' '.join(sys.argv[1:])}\n\n{details}")
        where = f" The details are in {name}; please report it with that file."
    last = details.strip().splitlines()[-1] if not where else ""
    with contextlib.suppress(OSError):
        print(f"rulewright: something went wrong that is our fault, not yours.{where}{last}", file=sys.stderr)
    return BUG


__all__ = ["main"]
