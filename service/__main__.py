"""`python -m service`."""

import sys

from service.command_line import main

if __name__ == "__main__":
    sys.exit(main())
