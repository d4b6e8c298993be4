"""A home of its own for each run, and the real program run in it."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAM = os.environ.get("THROUGHLINE_PROGRAM", "throughline")
WORDS = [a + b + c for a in "bcdfghklmnprstvz" for b in ("ar", "el", "in", "ot", "um") for c in ("ak", "ed", "il", "on", "us")]


def token(chance):
    """Six words that no other token shares: statements must not be taken for the same one in other words."""
    return " ".join(chance.sample(WORDS, 5)) + f" {chance.randrange(16**12):012x}"


class Home:
    def __init__(self, server=None):
        self.folder = tempfile.mkdtemp(prefix="faults.")
        for name in ("data", "user", "work"):
            os.mkdir(os.path.join(self.folder, name))
        self.data = os.path.join(self.folder, "data")
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": os.path.join(self.folder, "user"),
            "USER": "tester",
            "THROUGHLINE_HOME": self.data,
        }
        self.server = server
        if server:
            self.schema = f"faults_{os.getpid()}_{random.randrange(10**9)}"
            psql(server, f"create schema {self.schema}")
            self.env["THROUGHLINE_DATABASE_URL"] = f"{server}?options=-csearch_path%3D{self.schema}"

    def start(self, args, env=None, **more):
        return subprocess.Popen(
            [PROGRAM, *args], cwd=os.path.join(self.folder, "work"), env={**self.env, **(env or {})},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *args, stdin="", env=None):
        child = self.start(args, env)
        out, err = child.communicate(stdin.encode(), timeout=3600)
        return child.returncode, out.decode(), err.decode()

    def json(self, *args, stdin="", env=None):
        code, out, err = self.run(*args, "--json", stdin=stdin, env=env)
        if code != 0:
            raise Failed(f"{args}: exit {code}: {out} {err}")
        return json.loads(out)

    def killed(self, args, delay, stdin="", env=None):
        """Everything it had said when it was killed after so many seconds, and its exit status if it was quicker."""
        child = self.start(args, env)
        try:
            child.stdin.write(stdin.encode())
            child.stdin.close()
        except BrokenPipeError:
            pass
        wait_exactly(child, delay)
        child.send_signal(signal.SIGKILL)
        out = child.stdout.read().decode()
        child.stderr.read()
        child.stdout.close()
        child.stderr.close()
        return child.wait(), out

    def check(self):
        answer = self.json("check")
        if not answer["sound"]:
            raise Failed(f"check: {answer}")

    def remove(self):
        if self.server:
            psql(self.server, f"drop schema {self.schema} cascade")
        shutil.rmtree(self.folder, ignore_errors=True)


class Failed(Exception):
    pass


def wait_exactly(child, delay):
    end = time.monotonic() + delay
    while time.monotonic() < end and child.poll() is None:
        time.sleep(min(0.0005, max(0, end - time.monotonic())))


def psql(server, sql):
    url = re.sub(r"\?.*", "", server)
    return subprocess.run(["psql", "-q", "-At", "-v", "ON_ERROR_STOP=1", url, "-c", sql],
                          check=True, capture_output=True, text=True).stdout
