"""Kills real processes at random moments, on every path that acknowledges a write, and looks what is left.

Every write that was acknowledged must be there once; one that was not may be there, once, or not at all.
"""

import argparse
import os
import random
import sys
import time

import clock
import trouble
import wall
from paths import PATHS
from world import Failed, Home


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4, help="kills for each path and database")
    parser.add_argument("--path", action="append", help="only paths whose name contains this")
    parser.add_argument("--database", choices=["sqlite", "postgres"], help="only this one")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--part", choices=["kills", "trouble", "clock"],
                        help="only the kills, only what else can go wrong, or only jumps of the clock")
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    failed = False
    databases = [("sqlite", None)]
    if os.environ.get("TEST_POSTGRES"):
        databases.append(("postgres", os.environ["TEST_POSTGRES"]))
    for database, server in databases:
        if args.database and args.database != database:
            continue
        if args.part in (None, "kills"):
            for path in PATHS:
                if not args.path or any(part in path.name for part in args.path):
                    failed |= not killed(path, database, server, args)
        cases = (trouble.CASES if args.part in (None, "trouble") else []) + (clock.CASES if args.part in (None, "clock") else [])
        for case in cases:
            if not args.path or any(part in case.__name__ for part in args.path):
                failed |= not troubled(case, database, server, args)
    if wall.missing() and args.part in (None, "clock"):
        print(f"SKIPPED jumps of the clock: {wall.missing()}", flush=True)
    sys.exit(1 if failed else 0)


def killed(path, database, server, args):
    home = Home(server)
    started = time.monotonic()
    try:
        writes = path(home, random.Random(f"{args.seed} {path.name} {database}"))
        length = writes.length()
        lost, doubled, silent = [], [], []
        for round in range(args.rounds):
            writes.kill_once(length)
            if round % 100 == 99 or round == args.rounds - 1:
                lost, doubled, silent = writes.verify()
                if lost or doubled:
                    break
            if round % 50 == 49:
                # What else the machine does changes how long a write takes.
                length = writes.length()
        home.check()
        verdict = "ok" if not lost and not doubled else f"LOST {lost[:3]} DOUBLED {doubled[:3]} in {home.folder}"
        print(f"{database:9} {path.name:20} {round + 1:5} kills {len(writes.acknowledged):6} acknowledged "
              f"{len(silent):5} written unacknowledged {len(lost):3} lost {len(doubled):3} doubled "
              f"{time.monotonic() - started:6.0f} s  {verdict}", flush=True)
    except Failed as failure:
        print(f"{database:9} {path.name:20} FAILED {failure} in {home.folder}", flush=True)
        return False
    if not lost and not doubled:
        home.remove()
    return not lost and not doubled


def troubled(case, database, server, args):
    home = Home(server)
    started = time.monotonic()
    try:
        said = case(home, random.Random(f"{args.seed} {case.__name__} {database}"), args.rounds)
    except Failed as failure:
        print(f"{database:9} {case.__name__:20} FAILED {failure} in {home.folder}", flush=True)
        return False
    if said:
        print(f"{database:9} {case.__name__:20} {said} {time.monotonic() - started:6.0f} s  ok", flush=True)
    home.remove()
    return True


if __name__ == "__main__":
    main()
