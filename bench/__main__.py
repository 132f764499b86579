"""`python -m bench`: one run that prints all figures."""

import sys

from bench.run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
