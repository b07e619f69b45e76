"""`python -m muster`."""

import sys

from domain.runtime.server import collect_garbage_seldom
from muster.commands import main

if __name__ == "__main__":
    collect_garbage_seldom()
    sys.exit(main())
