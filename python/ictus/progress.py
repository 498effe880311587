"""How far a run is: a line in a terminal, a bar in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["Progress"]


def in_notebook() -> bool:
    """Whether this runs in a Jupyter notebook."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Progress:
    """Shows the progress of a run; `wanted` is True, False, or a function of time and end."""

    def __init__(self, wanted: bool | Callable[[float, float], None]) -> None:
        self._started = time.monotonic()
        self._shown = False
        self._handle: Any = None
        if callable(wanted):
            self._show = lambda share, now, end, text: wanted(now, end)
        elif not wanted:
            self._show = lambda *_: None
        elif in_notebook():
            self._show = self._in_notebook
        elif sys.stderr.isatty():
            self._show = self._in_terminal
        else:
            self._show = lambda *_: None

    def update(self, now: float, end: float, step: int, error: float | None) -> None:
        share = min(now / end, 1.0) if end > 0 else 1.0
        passed = time.monotonic() - self._started
        left = f", {passed * (1 - share) / share:.0f} s left" if share > 0.01 else ""
        off = f", energy error {error:.1e}" if error is not None else ""
        self._show(share, now, end, f"{100 * share:3.0f} %  t = {now:.3g} s of {end:.3g} s, step {step}{off}{left}")
        self._shown = True

    def _in_terminal(self, share: float, now: float, end: float, text: str) -> None:
        full = int(round(20 * share))
        sys.stderr.write(f"\r[{'#' * full}{' ' * (20 - full)}] {text}\x1b[K")
        sys.stderr.flush()

    def _in_notebook(self, share: float, now: float, end: float, text: str) -> None:
        from IPython.display import HTML, display

        bar = HTML(f'<progress value="{share}" max="1" style="width: 20em"></progress> {text}')
        if self._handle is None:
            self._handle = display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown and self._show == self._in_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))
