"""A wall clock that a test sets, for the processes of a home: it jumps while they run, or goes faster than time."""

import os
import shutil
import subprocess
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
SECOND = 10**9
HOUR, DAY, YEAR = 3600, 86400, 365 * 86400


def missing():
    """Why there cannot be such a clock here."""
    return None if shutil.which("cc") else "no cc to build tests/faults/clock.c with"


class Wall:
    def __init__(self, home, speed=1):
        self.file, library = f"{home.folder}/clock", f"{home.folder}/clock.so"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        self.speed, self.base, self.shown = speed, time.time_ns(), time.time_ns()
        self.write()
        home.env.update(LD_PRELOAD=library, THROUGHLINE_TEST_CLOCK=self.file)

    def now(self):
        return self.shown + (time.time_ns() - self.base) * self.speed

    def set(self, shift):
        """So many seconds away from the real time."""
        self.base = time.time_ns()
        self.shown = self.base + int(shift * SECOND)
        self.write()

    def write(self):
        # Whoever reads it meanwhile sees the one or the other.
        with open(f"{self.file}.new", "w") as file:
            file.write(f"{self.base} {self.shown} {self.speed}\n")
        os.rename(f"{self.file}.new", self.file)

    def sleep(self, seconds):
        """So many seconds of the clock that is shown."""
        time.sleep(seconds / self.speed)
