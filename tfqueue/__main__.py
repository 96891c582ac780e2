"""`python -m tfqueue` is the command `tfqueue`."""

import sys

from tfqueue.cli import main

if __name__ == "__main__":
    sys.exit(main())
