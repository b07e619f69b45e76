"""Run a module as a program that ends when the program that started it ends, even if that one was killed.

    python -m domain.runtime.ends_with_parent MODULE [ARGUMENT …]

The parent holds the other end of this program's standard input and never writes to it. When the parent is gone, reading
ends, and this program stops itself.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading


def _stop_when_input_ends() -> None:
    # Not sys.stdin.read(): its lock would be held for ever and block the interpreter's own shutdown.
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Run the module named by the arguments while a thread watches standard input."""
    module, *arguments = sys.argv[1:]
    sys.argv = [module, *arguments]
    threading.Thread(target=_stop_when_input_ends, name="ends-with-parent", daemon=True).start()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
