"""A day of work in a short time: a server, an MCP server, hooks and commands, while memory and open files are watched.

Prints a line for each sample and fails when the second half of the run is higher than the first.
"""

import argparse
import json
import os
import random
import statistics
import sys
import threading
import time

from load import Client
from world import Home, token


def status(pid):
    with open(f"/proc/{pid}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    children = open(f"/proc/{pid}/task/{pid}/children").read().split()
    return int(fields["VmRSS"].split()[0]) / 1024, len(os.listdir(f"/proc/{pid}/fd")), len(children)


def hooks(home, over, seed, done):
    """An agent at work: a session begins, prompts, tools, an end."""
    chance = random.Random(seed)
    number = 0
    while not over.is_set():
        session = f"agent-{seed}-{number}"
        number += 1
        events = [("SessionStart", {"source": "startup"})]
        for _ in range(chance.randrange(3, 12)):
            events.append(("UserPromptSubmit", {"prompt": token(chance)}))
            for _ in range(3):
                events.append(("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "cargo test"},
                                               "tool_response": {"stdout": "ok " * 200}, "tool_use_id": str(chance.random())}))
        events.append(("SessionEnd", {"reason": "other"}))
        for name, rest in events:
            if over.is_set():
                return
            home.run("hook", "claude-code", stdin=json.dumps(
                {"session_id": session, "hook_event_name": name, "cwd": f"{home.folder}/work", **rest}))
            done[0] += 1


def asks(address, over, seed, done):
    client, chance = Client(address), random.Random(seed)
    while not over.is_set():
        client.ask("POST", "/api/events", {"kind": "model_message", "session": f"http-{seed}", "content": token(chance)})
        client.ask("GET", "/api/search?query=" + "+".join(token(chance).split()[:2]))
        done[0] += 2
        time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--agents", type=int, default=2)
    args = parser.parse_args()
    home = Home(os.environ.get("SOAK_POSTGRES"))
    # A session is over after moments, so that its ends, summaries and memories are part of the run.
    with open(f"{home.data}/config.toml", "w") as file:
        file.write('[session]\nidle_after = "5s"\n[compaction]\nturns = 6\n')
    home.json("log", "append", "--kind", "read", "--content", "begin")
    server = home.start(["serve", "--listen", "127.0.0.1:0", "--json"])
    host, port = json.loads(server.stdout.readline())["url"].removeprefix("http://").split(":")
    over, done = threading.Event(), [0]
    threads = [threading.Thread(target=hooks, args=(home, over, n, done)) for n in range(args.agents)]
    threads.append(threading.Thread(target=asks, args=((host, int(port)), over, 99, done)))
    for thread in threads:
        thread.start()
    samples, started = [], time.monotonic()
    while time.monotonic() - started < args.seconds:
        time.sleep(min(args.seconds / 40, 10))
        megabytes, files, children = status(server.pid)
        size = sum(os.path.getsize(os.path.join(home.data, name)) for name in os.listdir(home.data)
                   if name.startswith("throughline.db")) / 1e6
        samples.append((megabytes, files, children))
        print(f"{time.monotonic() - started:6.0f} s {done[0]:7} steps  {megabytes:6.1f} MB resident  {files:3} open files  "
              f"{children} children  database {size:6.1f} MB", flush=True)
    over.set()
    for thread in threads:
        thread.join()
    home.check()
    failures = home.json("doctor", "--no-ask")
    server.terminate()
    server.communicate()
    half = len(samples) // 2
    first, second = samples[half // 2:half], samples[half:]
    memory = [statistics.median(sample[0] for sample in part) for part in (first, second)]
    files = [max(sample[1] for sample in part) for part in (first, second)]
    children = max(sample[2] for sample in samples)
    events = home.json("log", "tail", "-n", "1")["total"]
    print(f"{done[0]} steps, {events} events; resident {memory[0]:.1f} MB then {memory[1]:.1f} MB; open files {files[0]} then {files[1]}; "
          f"children {children}; healthy {failures['healthy']}")
    home.remove()
    # What is kept in memory of the database has a bound of its own (64 MB for each connection) and may still be filling.
    if memory[1] > memory[0] * 1.25 + 8 or files[1] > files[0] + 8 or children:
        sys.exit(1)


if __name__ == "__main__":
    main()
