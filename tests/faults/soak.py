"""A day of a team in twenty minutes: its wall clock goes 72 times as fast, so that sessions fall silent, jobs come due and the
date changes as on any day. Memory, open files and children of a server and of an MCP server that is never closed are watched.

Agents work through hooks, each with an MCP server of its own for the length of a session, edit files and commit; people look at
the dashboard's data; somebody takes a backup. The project has months of work behind it, so that what is kept in memory of the
database is full from the beginning. Prints a line for each sample and fails when the second half of the day is higher than the
first, or when something that was heard is not in the log once.
"""

import argparse
import collections
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time

from load import Client
from wall import DAY, HOUR, Wall, missing
from world import WORDS, Failed, Home, token

MINUTE = 60
# A day is about what stays, not about how fast a busy machine is.
PATIENCE = 600


class Mcp:
    """An MCP server over stdin and stdout."""

    def __init__(self, home):
        self.child, self.id = home.start(["mcp"]), 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}})

    def ask(self, method, params):
        self.id += 1
        self.child.stdin.write((json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}) + "\n").encode())
        self.child.stdin.flush()
        while True:
            answer = json.loads(self.child.stdout.readline())
            if answer.get("id") == self.id:
                break
        if "error" in answer or answer["result"].get("isError"):
            raise Failed(f"{method} {params}: {answer}")
        return answer["result"]

    def call(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        self.child.communicate()
        if self.child.returncode != 0:
            raise Failed(f"mcp ended with {self.child.returncode}")


class Team:
    """What the day's threads share."""

    def __init__(self, home, wall, address):
        self.home, self.wall, self.address = home, wall, address
        self.over, self.steps, self.prompts, self.trouble = threading.Event(), 0, [], []
        self.sessions = 0

    def pause(self, chance, minutes):
        """About so many minutes of the day; less when it is over."""
        self.over.wait(chance.uniform(0.5, 1.5) * minutes * MINUTE / self.wall.speed)

    def guarded(self, work, seed):
        try:
            work(self, random.Random(seed), seed)
        except Exception as trouble:  # A thread that ends silently would be a day without its work.
            self.trouble.append(f"{work.__name__} {seed}: {trouble!r}")


def agent(team, chance, seed):
    """Sessions of half an hour to two hours, with breaks between them; half of them end, the others fall silent."""
    team.pause(chance, 20)
    while not team.over.is_set():
        team.sessions += 1
        session, mcp = f"agent-{seed}-{team.sessions}", Mcp(team.home)
        hook(team, session, "SessionStart", source="startup")
        mcp.call("orient")
        for _ in range(chance.randrange(10, 40)):
            if team.over.is_set():
                break
            turn(team, chance, session, mcp)
            team.pause(chance, 3)
        mcp.close()
        if chance.random() < 0.5:
            hook(team, session, "SessionEnd", reason="other")
        commit(team, session)
        team.pause(chance, 60)


def turn(team, chance, session, mcp):
    prompt = token(chance)
    hook(team, session, "UserPromptSubmit", prompt=prompt)
    team.prompts.append(prompt)
    for _ in range(chance.randrange(2, 8)):
        tool(team, chance, session)
    tools = [("search", {"query": " ".join(token(chance).split()[:2])}), ("remember", {"content": token(chance)}),
             ("backlog_create", {"title": token(chance)}), ("backlog_list", {}), ("session_status", {}),
             ("record_decision", {"subject": token(chance), "choice": token(chance), "rationale": token(chance)})]
    name, arguments = chance.choice(tools)
    mcp.call(name, **arguments)
    team.steps += 1
    hook(team, session, "Stop")


def tool(team, chance, session):
    file = f"{team.home.folder}/work/part{chance.randrange(60)}.py"
    if chance.random() < 0.3:
        with open(file, "w") as opened:
            opened.write(f"def {token(chance).replace(' ', '_')}():\n    return {chance.random()}\n" * 20)
        used = ("Write", {"file_path": file, "content": "def a(): pass"}, {"filePath": file})
    elif chance.random() < 0.5:
        used = ("Read", {"file_path": file}, {"content": "x = 1\n" * 100})
    else:
        used = ("Bash", {"command": "cargo test"}, {"stdout": "ok " * 200, "exit_code": int(chance.random() < 0.2)})
    name, asked, answer = used
    hook(team, session, "PostToolUse", tool_name=name, tool_input=asked, tool_response=answer, tool_use_id=str(chance.random()))


def hook(team, session, event, **rest):
    code, out, err = team.home.run("hook", "claude-code", stdin=json.dumps(
        {"session_id": session, "hook_event_name": event, "cwd": f"{team.home.folder}/work", **rest}))
    if code != 0:
        raise Failed(f"a hook ended with {code}: {err}")
    team.steps += 1


def commit(team, session):
    git = ["git", "-C", f"{team.home.folder}/work", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["add", "-A"], ["commit", "-q", "-m", f"What {session} did"]):
        subprocess.run([*git, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def person(team, chance, seed):
    """Somebody who has the dashboard open, and writes a line now and then."""
    client = Client(team.address, timeout=PATIENCE)
    while not team.over.is_set():
        for path in ("/api/stats", "/api/sessions?limit=20", "/api/events?limit=50", "/api/memories?limit=20"):
            client.ask("GET", path)
        client.ask("GET", "/api/search?query=" + "+".join(token(chance).split()[:2]))
        client.ask("POST", "/api/events", {"kind": "user_message", "session": f"person-{seed}", "content": token(chance)})
        team.steps += 6
        team.pause(chance, 2)


def keeper(team, chance, seed):
    """Looks after the database every six hours."""
    while not team.over.wait(6 * HOUR / team.wall.speed):
        team.home.check()
        team.home.json("backup")


def months(home, events):
    """What was done before this day: sessions of 300 events over the last 90 days, found by search."""
    chance, now = random.Random(7), time.time()
    lines = [json.dumps({"kind": chance.choice(["user_message", "model_message", "tool_result"]), "session": f"before-{n // 300}",
                         "content": " ".join(chance.choices(WORDS, k=40)),
                         "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - 90 * DAY * (1 - n / events) - HOUR))})
             for n in range(events)]
    home.json("log", "append", "--batch", "-", stdin="\n".join(lines) + "\n")
    home.json("jobs", "run")


def status(pid):
    """What is in memory in all, and of that what is not the program's own file; open files; children."""
    with open(f"/proc/{pid}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    children = open(f"/proc/{pid}/task/{pid}/children").read().split()
    resident, own = (int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))
    return resident, own, len(os.listdir(f"/proc/{pid}/fd")), len(children)


def sample(team, started, watched):
    seen = [status(pid) for pid in watched]
    size = sum(os.path.getsize(os.path.join(team.home.data, name)) for name in os.listdir(team.home.data)
               if name.startswith("throughline.db")) / 1e6
    real = time.monotonic() - started
    told = ", ".join(f"{resident:.1f} MB ({own:.1f} own) {files} files" for resident, own, files, _ in seen)
    print(f"{real:6.0f} s {real * team.wall.speed / HOUR:5.1f} h {team.steps:7} steps  serve, mcp: {told}  "
          f"database {size:6.1f} MB", flush=True)
    return seen


def verdict(name, seen):
    """Whether one process stayed flat, and the words for it."""
    half = len(seen) // 2
    parts = seen[half // 2:half], seen[half:]
    resident, own = ([statistics.median(one[place] for one in part) for part in parts] for place in (0, 1))
    files = [max(one[2] for one in part) for part in parts]
    children = max(one[3] for one in seen)
    print(f"{name}: own memory {own[0]:.1f} MB then {own[1]:.1f} MB; resident {resident[0]:.1f} MB then {resident[1]:.1f} MB, "
          f"{max(one[0] for one in seen):.1f} MB at most; open files {files[0]} then {files[1]}; children {children}")
    return own[1] <= own[0] * 1.1 + 8 and files[1] <= files[0] + 8 and not children


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1200, help="how long the day takes")
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--before", type=int, default=10_000, help="events of the months before")
    args = parser.parse_args()
    if missing():
        sys.exit(f"a day cannot be simulated: {missing()}")
    home = Home(os.environ.get("SOAK_POSTGRES"))
    wall = Wall(home, speed=max(1, round(DAY / args.seconds)))
    # What takes real time needs as much of it as on any day: no job is taken from a worker that is at it.
    with open(f"{home.data}/config.toml", "w") as file:
        file.write(f'[jobs]\nlease = "{5 * wall.speed}m"\n[storage]\nlock_wait = "{PATIENCE}s"\n')
    subprocess.run(["git", "init", "-q", f"{home.folder}/work"], check=True)
    home.json("log", "append", "--kind", "read", "--content", "begin")
    months(home, args.before)
    server, editor = home.start(["serve", "--listen", "127.0.0.1:0", "--json"]), Mcp(home)
    host, port = json.loads(server.stdout.readline())["url"].removeprefix("http://").split(":")
    team = Team(home, wall, (host, int(port)))
    work = [(agent, n) for n in range(args.agents)] + [(person, 100), (person, 101), (keeper, 0)]
    threads = [threading.Thread(target=team.guarded, args=one) for one in work]
    for thread in threads:
        thread.start()
    samples, started = [], time.monotonic()
    while time.monotonic() - started < args.seconds and not team.trouble:
        time.sleep(min(args.seconds / 40, 10))
        editor.call("search", query="what was decided")
        samples.append(sample(team, started, (server.pid, editor.child.pid)))
    team.over.set()
    for thread in threads:
        thread.join()
    try:
        finish(team)
    finally:
        server.terminate()
        server.communicate()
        editor.close()
    flat = [verdict(name, seen) for name, seen in zip(("serve", "mcp"), zip(*samples))]
    home.remove()
    sys.exit(0 if all(flat) else 1)


def finish(team):
    """Everything that was heard is there once, what fell silent has ended, and no job was given up."""
    home = team.home
    if team.trouble:
        raise Failed(team.trouble)
    time.sleep(3 * HOUR / team.wall.speed)  # The last sessions fall silent too.
    home.check()
    healthy = home.json("doctor", "--no-ask")["healthy"]
    events = home.json("log", "tail", "-n", "1000000", "--kind", "user_message")
    heard = collections.Counter(event.get("content") for event in events["events"])
    lost = [text for text in team.prompts if heard[text] == 0]
    doubled = [text for text in team.prompts if heard[text] > 1]
    sessions = home.json("session", "list", "-n", "100000")["sessions"]
    still = [one["client_session"] for one in sessions if one["client_session"].startswith("agent-") and not one.get("ended_at")]
    given_up = [job for job in home.json("jobs", "list")["jobs"] if job["state"] == "dead"]
    print(f"{team.steps} steps, {home.json('log', 'tail', '-n', '1')['total']} events, {len(sessions)} sessions ({len(still)} of agents not ended), "
          f"{len(home.json('memory', 'list', '--all', '-n', '1000000')['memories'])} memories; "
          f"{len(lost)} prompts lost, {len(doubled)} doubled, {len(given_up)} jobs given up; healthy {healthy}")
    if lost or doubled or still or given_up or not healthy:
        raise Failed(f"lost {lost[:3]} doubled {doubled[:3]} not ended {still[:3]} given up {given_up[:2]} in {home.folder}")


if __name__ == "__main__":
    main()
