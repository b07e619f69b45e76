"""`python -m muster`."""

import sys

from muster.commands import main

if __name__ == "__main__":
    sys.exit(main())
