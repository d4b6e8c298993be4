"""The wall clock jumps by hours and by a year, forward and back, between processes and while they run.

Nothing acknowledged is lost, the order of a session's events is the order in which they were acknowledged, identifiers stay
unique, no job waits until the clock comes round again, and nothing that was known is given up for a year that did not pass.
"""

import json
import os
import threading
import time

from load import Client
from soak import Mcp
from trouble import append
from wall import DAY, HOUR, YEAR, Wall, missing
from world import Failed, token

SHIFTS = [0, HOUR, -HOUR, 5 * HOUR, -3 * DAY, YEAR, -YEAR]
PLENTY = 60  # seconds of real time in which whatever waits for no clock is done


def between_processes(home, chance, rounds):
    """Each process sees another time."""
    wall = Wall(home)
    said, heard, known, planned = [], [], [], []
    for n in range(max(10, rounds)):
        wall.set(SHIFTS[n % len(SHIFTS)] if n < len(SHIFTS) else chance.choice(SHIFTS))
        said.append(token(chance))
        ok, err = append(home, said[-1])
        if not ok:
            raise Failed(f"a write failed: {err}")
        heard.append(token(chance))
        hook(home, "UserPromptSubmit", prompt=heard[-1])
        known.append(token(chance))
        home.json("remember", known[-1])
        planned.append(token(chance))
        home.json("task", "create", planned[-1])
        for command in (["orient"], ["session", "list"], ["search", known[0]], ["jobs", "run"], ["doctor", "--no-ask"]):
            sane(home, *command)
    wall.set(0)
    in_order(home, [said, heard])
    there = [one["content"] for one in home.json("memory", "list", "-n", "100000")["memories"]]
    tasks = [one["title"] for one in home.json("task", "list", "--limit", "1000")["tasks"]]
    once("memories", known, there)
    once("tasks", planned, tasks)
    settled(home)
    return f"{len(said)} processes of each kind"


def while_running(home, chance, rounds):
    """A server, an MCP server and commands write while the time jumps under them."""
    wall = Wall(home)
    append(home, "first")
    server, mcp = home.start(["serve", "--listen", "127.0.0.1:0", "--json"]), Mcp(home)
    host, port = json.loads(server.stdout.readline())["url"].removeprefix("http://").split(":")
    over, written, known, trouble = threading.Event(), [[], [], []], [], []

    def rest(n):
        client = Client((host, int(port)))
        while not over.is_set():
            text = token(chance)
            client.ask("POST", "/api/events", {"kind": "user_message", "session": f"rest-{n}", "content": text})
            written[n].append(text)
            client.ask("GET", "/api/stats")

    def tools(_):
        while not over.is_set():
            text = token(chance)
            mcp.call("remember", content=text)
            known.append(text)

    def commands(n):
        while not over.is_set():
            text = token(chance)
            ok, err = append(home, text)
            if not ok:
                raise Failed(f"a write failed: {err}")
            written[n].append(text)

    def guarded(work, n):
        try:
            work(n)
        except Exception as failure:
            trouble.append(f"{work.__name__}: {failure!r}")

    threads = [threading.Thread(target=guarded, args=one) for one in ((rest, 0), (rest, 1), (commands, 2), (tools, 3))]
    for thread in threads:
        thread.start()
    jumps = max(40, 2 * rounds)
    for _ in range(jumps):
        wall.set(chance.choice(SHIFTS))
        time.sleep(chance.uniform(0.02, 0.1))
    over.set()
    for thread in threads:
        thread.join()
    wall.set(0)
    if trouble:
        raise Failed(trouble)
    in_order(home, written)
    once("memories", known, [one["content"] for one in home.json("memory", "list", "-n", "100000")["memories"]])
    if server.poll() is not None:
        raise Failed(f"the server ended: {server.communicate()}")
    settled(home, waits=True)
    mcp.close()
    server.terminate()
    sober("serve", server.communicate()[1].decode())
    # What they were doing when they were told to end they gave back, or their leases have ended by now.
    wall.set(HOUR)
    settled(home)
    return f"{jumps} jumps, {sum(map(len, written))} events and {len(known)} memories"


def dead_workers_lease(home, chance, rounds):
    """A worker dies while the clock is a year ahead. When that is set right, another takes its job, and not in a year."""
    wall = Wall(home)
    settings = f"{home.data}/config.toml"
    with open(settings, "w") as file:
        file.write('[model]\nprovider = "command"\ncommand = ["sleep", "600"]\ntimeout = "600s"\n')
    for text in ("We decided to use PostgreSQL because the team knows it.", token(chance), token(chance)):
        hook(home, "UserPromptSubmit", prompt=text)
    hook(home, "SessionEnd", reason="other")
    wall.set(YEAR)
    worker = home.start(["jobs", "run"])
    wait_for(lambda: "running" in states(home), "a job that runs")
    children = open(f"/proc/{worker.pid}/task/{worker.pid}/children").read().split()
    for thread in os.listdir(f"/proc/{worker.pid}/task"):
        children += open(f"/proc/{worker.pid}/task/{thread}/children").read().split()
    worker.kill()
    for child in set(children):
        os.kill(int(child), 9)
    worker.communicate()
    os.remove(settings)
    wall.set(0)
    settled(home)
    return "taken over at once"


def silent_sessions(home, chance, rounds):
    """Sessions that the future has seen end when they fall silent, also those that go on in the present."""
    wall = Wall(home)
    wall.set(YEAR)
    for name in ("gone", "goes-on"):
        hook(home, "UserPromptSubmit", session=name, prompt=token(chance))
    wall.set(0)
    hook(home, "UserPromptSubmit", session="goes-on", prompt=token(chance))
    sane(home, "jobs", "run")
    is_open(home, {"gone": False, "goes-on": True})
    wall.set(2 * HOUR)
    sane(home, "jobs", "run")
    is_open(home, {"gone": False, "goes-on": False})
    home.check()
    return "each has ended"


def waiting_events(home, chance, rounds):
    """What waits in files is recorded in the order in which it was heard."""
    wall = Wall(home)
    append(home, "first")
    away, heard = {"THROUGHLINE_DATABASE_URL": f"sqlite:{home.folder}/user"}, []
    for shift in SHIFTS + [0, YEAR, 0]:
        wall.set(shift)
        heard.append(token(chance))
        hook(home, "UserPromptSubmit", prompt=heard[-1], env=away)
    waiting = [name for name in os.listdir(f"{home.data}/hooks") if name.endswith(".json")]
    if len(waiting) != len(heard):
        raise Failed(f"{len(waiting)} of {len(heard)} wait")
    wall.set(0)
    hook(home, "UserPromptSubmit", prompt="last")
    sane(home, "jobs", "run")
    in_order(home, [heard])
    home.check()
    return f"{len(heard)} recorded in order"


def what_is_known(home, chance, rounds):
    """A year that did not pass wears nothing out: what was told by tools is there when the clock is right again."""
    wall = Wall(home)
    known = [token(chance) for _ in range(5)]
    for text in known:
        home.json("remember", text, "--kind", "context", "--source", "implicit", "--confidence", "0.6")
    lasting = token(chance)
    home.json("remember", lasting, "--expires", "30d")
    wall.set(YEAR)
    for _ in range(25):  # A session of that length is a reason to tend what is known.
        hook(home, "UserPromptSubmit", prompt=token(chance))
    hook(home, "SessionEnd", reason="other")
    for _ in range(3):
        sane(home, "jobs", "run")
    wall.set(0)
    there = [one["content"] for one in home.json("memory", "list", "-n", "1000")["memories"] if one["status"] == "active"]
    once("memories", known + [lasting], there)
    settled(home)
    return f"{len(known) + 1} memories hold"


def hook(home, event, session="agent", env=None, **rest):
    code, out, err = home.run("hook", "claude-code", env=env, stdin=json.dumps(
        {"session_id": session, "hook_event_name": event, "cwd": f"{home.folder}/work", **rest}))
    if code != 0:
        raise Failed(f"a hook ended with {code}: {err}")
    sober(f"hook {event}", err)


def sane(home, *args):
    """Whatever the clock says, a command ends well and soon."""
    began = time.monotonic()
    home.json(*args)
    if time.monotonic() - began > PLENTY:
        raise Failed(f"{args} took {time.monotonic() - began:.0f} s")


def sober(what, err):
    if "panicked" in err:
        raise Failed(f"{what} panicked: {err}")


def in_order(home, lists):
    """Each list is in the log once and in its order, by position and by the sequence of its session."""
    events = home.json("log", "tail", "-n", "1000000")["events"]
    identifiers = [event["id"] for event in events]
    if len(set(identifiers)) != len(identifiers):
        raise Failed("an identifier was given twice")
    for wanted in lists:
        own = set(wanted)
        found = [event for event in events if event.get("content") in own]
        found.sort(key=lambda event: event["position"])
        if [event["content"] for event in found] != wanted:
            raise Failed(f"{len(wanted)} acknowledged, {len(found)} there, or in another order")
        sequences = [(event["session_id"], event["sequence"]) for event in found]
        if len({session for session, _ in sequences}) == 1 and sequences != sorted(sequences):
            raise Failed(f"the sequence of a session is not its order: {sequences}")


def once(what, wanted, there):
    lost = [text for text in wanted if there.count(text) != 1]
    if lost:
        raise Failed(f"{len(lost)} of {len(wanted)} {what} are not there once: {lost[:3]}")


def states(home):
    return [job["state"] for job in home.json("jobs", "list", "-n", "1000")["jobs"]]


def settled(home, waits=False):
    """What is due gets done, by us or, when it waits, by the server: no lease is left, no job was given up."""
    def unsettled():
        if not waits:
            sane(home, "jobs", "run")
        left = [job for job in home.json("jobs", "list", "-n", "1000")["jobs"] if job["state"] in ("running", "dead")]
        if left:
            return left
        # A server may take a job between the two looks, and what it took before the clock was set right it still holds.
        try:
            home.check()
        except Failed as failure:
            return failure
    wait_for(lambda: not unsettled(), "jobs that are done, and a sound database", unsettled)


def wait_for(what, name, seen=lambda: "nothing of it"):
    end = time.monotonic() + PLENTY
    while not what():
        if time.monotonic() > end:
            raise Failed(f"waited for {name} for {PLENTY} s, and saw {seen()}")
        time.sleep(0.1)


def is_open(home, wanted):
    listed = home.json("session", "list", "-n", "1000")["sessions"]
    found = {one["client_session"]: not one.get("ended_at") for one in listed if one["client_session"] in wanted}
    if found != wanted:
        raise Failed(f"sessions that are open: {found}, not {wanted}")


CASES = [] if missing() else [between_processes, while_running, dead_workers_lease, silent_sessions, waiting_events, what_is_known]
