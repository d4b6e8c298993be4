"""A table that the GPU step gave, as the file that the program reads.

    python export.py NAME.npz embedding.bin
"""

import sys
from pathlib import Path

import table
import teacher

NAME = "throughline-static-2"


if __name__ == "__main__":
    rows, reader = table.opened(sys.argv[1], teacher.reader())
    table.save(Path(sys.argv[2]), rows, NAME, reader)
