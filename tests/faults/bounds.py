"""What a server holds in memory with a log of many events and many memories, and what that takes on the disk."""

import argparse
import json
import os
import random
import time

from load import Client, serve
from soak import status
from world import Home, token

AT_ONCE = 20_000
# As agents work: most of what they do is to read, to change and to run something; what is said is read closely afterwards.
KINDS = ["user_message", *["read"] * 9, "model_message", *["tool_call"] * 6, *["write"] * 3]


def fill(home, events, memories):
    chance = random.Random(1)
    for begin in range(0, events, AT_ONCE):
        lines = "".join(json.dumps({"kind": KINDS[n % len(KINDS)], "session": f"s{n // 500}",
                                    "content": token(chance) + " " + token(chance)}) + "\n"
                        for n in range(begin, min(begin + AT_ONCE, events)))
        code, _, why = home.run("log", "append", "--batch", "-", stdin=lines)
        assert code == 0, why
    # One process that stays: starting one for each would take longer than the writing.
    child, address = serve(home)
    client = Client(address)
    for n in range(memories):
        # What has a key is not read beside others, which would take hours for so many.
        client.ask("POST", "/api/memories", {"content": f"{token(chance)} is number {n}", "state_key": f"number-{n}"})
    child.terminate()
    child.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--filled", help="the folder of a run that was broken off: only measures")
    args = parser.parse_args()
    home = Home()
    started = time.monotonic()
    if args.filled:
        home.remove()
        home.folder, home.data = args.filled, f"{args.filled}/data"
        home.env.update(THROUGHLINE_HOME=home.data, HOME=f"{args.filled}/user", THROUGHLINE_PROJECT="work")
    else:
        fill(home, args.events, args.memories)
    counts = home.json("log", "tail", "-n", "1")["total"], home.json("memory", "list", "-n", "1")["total"]
    print(f"{counts[0]} events and {counts[1]} memories after {time.monotonic() - started:.0f} s", flush=True)
    started = time.monotonic()
    home.json("index", "run")
    print(f"indexed in {time.monotonic() - started:.0f} s", flush=True)
    child, address = serve(home)
    client, chance = Client(address), random.Random(2)
    searches = []
    for _ in range(200):
        words, asked = "+".join(token(chance).split()[:2]), time.monotonic()
        client.ask("GET", f"/api/search?query={words}")
        searches.append(1000 * (time.monotonic() - asked))
        client.ask("GET", "/api/events?limit=100")
        client.ask("POST", "/api/events", {"kind": "read", "session": "s", "content": token(chance)})
    megabytes, _, files, children = status(child.pid)
    with open(f"/proc/{child.pid}/status") as file:
        peak = next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
    size = os.path.getsize(f"{home.data}/throughline.db") / 1e6
    print(f"serve: {megabytes:.0f} MB resident, {peak:.0f} MB at most, {files} open files, {children} children; "
          f"database {size:.0f} MB; half of the searches within {sorted(searches)[100]:.0f} ms, all within {max(searches):.0f}")
    child.terminate()
    child.communicate()
    home.remove()


if __name__ == "__main__":
    main()
