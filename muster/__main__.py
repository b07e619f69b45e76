"""`python -m muster`."""

import gc
import sys

from muster.commands import main

if __name__ == "__main__":
    gc.freeze()  # what was loaded by now lives as long as the process
    sys.exit(main())
